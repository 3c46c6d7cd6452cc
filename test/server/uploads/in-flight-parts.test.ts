/** The requests for parts that an account may have in flight (API decisions 1). */
import { expect, it } from 'vitest';
import type { AccountId, UploadId } from '../../../src/api/ids.ts';
import { createSlots } from '../../../src/server/limits/concurrency-slots.ts';
import { createInFlightParts } from '../../../src/server/uploads/in-flight-parts.ts';

const ada = 'ada' as AccountId;
const bob = 'bob' as AccountId;
const uploadId = 'upload' as UploadId;

it('an account has at most three unfinished requests for each of its slots, also when they replace one another', async () => {
  const parts = createInFlightParts(createSlots(), 3);
  const end = Promise.withResolvers<void>();
  const request = (accountId: AccountId) =>
    parts
      .run({ accountId, uploadId, index: 0 }, () => end.promise)
      .then(
        () => 'run',
        (refusal) => [refusal.code, refusal.more],
      );
  const requests = [...Array.from({ length: 10 }, () => request(ada)), request(bob)];
  end.resolve();
  const answers = await Promise.all(requests);
  const refused = ['UPLOAD_USER_BUSY', { retryAfterMs: 1_000 }];
  expect(answers).toEqual([...Array.from({ length: 9 }, () => 'run'), refused, 'run']);
  expect(await request(ada)).toBe('run');
});

it('a request learns that it was replaced, even before it reads its body', async () => {
  const parts = createInFlightParts(createSlots(), 3);
  const place = { accountId: ada, uploadId, index: 0 };
  const newer = Promise.withResolvers<void>();
  let isReplaced = false;
  const replaced = () => {
    isReplaced = true;
  };
  const older = parts.run(place, async (_flight, control) => {
    await newer.promise;
    control({ replaced, aborted: () => {} });
  });
  await parts.run(place, async () => newer.resolve());
  await older;
  expect(isReplaced).toBe(true);
});
