/** A capture whose editor cannot be opened now is opened later. */
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { createUploadReviews, type UploadReviewsDeps } from '../../../src/engine/upload-check/upload-reviews.ts';

const id = 'item' as ItemId;
const item = { id, state: 'queued', error: { failure: failure('SECRETS_FOUND', '2 secrets') } };

it('tries again after a refusal, and once it has opened no more', async () => {
  const opened: ItemId[] = [];
  let isRefused = true;
  const reviews = createUploadReviews({
    store: { get: () => item },
    isBusy: () => false,
    open: async (one: ItemId) => {
      opened.push(one);
      return isRefused ? err(failure('COMMAND_INVALID', 'A capture is open.')) : ok({});
    },
  } as unknown as UploadReviewsDeps);
  const change = async () => {
    reviews.changed();
    await new Promise(setImmediate);
  };
  reviews.found(id);
  await change();
  isRefused = false;
  await change();
  await change();
  expect(opened).toEqual([id, id]);
});
