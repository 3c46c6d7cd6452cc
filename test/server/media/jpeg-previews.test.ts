/** JPEG previews for chats, while the media inspector has too much to do. */
import { expect, it } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import type { ServerDeps } from '../../../src/server/deps.ts';
import { createJpegPreviews } from '../../../src/server/media/jpeg-previews.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';

const PREVIEW = 'a-preview' as ObjectId;
const ACCOUNT = 'an-account' as AccountId;
const objects = {
  withSealedFile: async (_id: ObjectId, use: (file: object) => unknown) => await use({}),
} as unknown as ServerDeps['objects'];

it('says for how long to wait when the inspector is busy, and converts at the next request', async () => {
  let isBusy = true;
  let asked = 0;
  const jpegOf = async (): Promise<Buffer | null> => {
    asked += 1;
    return isBusy ? null : Buffer.from('a JPEG');
  };
  const previews = createJpegPreviews({ objects }, { jpegOf });
  await expect(previews.of(PREVIEW, ACCOUNT)).rejects.toMatchObject({
    ...{ status: 503, code: 'UPLOAD_SERVER_BUSY' },
    more: { retryAfterMs: 2_000 },
  });
  isBusy = false;
  expect(String(await previews.of(PREVIEW, ACCOUNT))).toBe('a JPEG');
  expect(String(await previews.of(PREVIEW, ACCOUNT))).toBe('a JPEG');
  expect(asked).toBe(2);
});
