/**
 * Brings new videos from PROCESSING to READY (or FAILED with a reason) after their publication. The rows themselves are
 * the queue, so a killed server goes on where it was.
 */
import { type ContentRow, createContentStore } from '../content/store.ts';
import type { ServerDeps } from '../deps.ts';

const RETRY_MS = 5_000;

export interface Processing {
  /** There may be something to do. */
  wake(): void;
  /** Resolves once nothing is being worked on. */
  close(): Promise<void>;
}

type Outcome = Pick<ContentRow, 'mediaStatus' | 'mediaError'>;

export const createProcessing = ({ database, objects, log }: ServerDeps): Processing => {
  const store = createContentStore(database);
  let closed = false;
  let running: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;

  /** The video was probed whole before it was published; what remains is that its bytes are where they belong. */
  const process = async ({ objectId, size }: ContentRow): Promise<Outcome> => {
    if (objectId === null) return { mediaStatus: 'FAILED', mediaError: 'The item has expired.' };
    return (await objects.size(objectId)) === size
      ? { mediaStatus: 'READY', mediaError: null }
      : { mediaStatus: 'FAILED', mediaError: 'The stored file is damaged.' };
  };

  const record = database.transaction(({ id }: ContentRow, outcome: Outcome): void => {
    const row = store.byId(id);
    if (row !== undefined) store.save({ ...row, ...outcome });
  });

  const drain = async (): Promise<void> => {
    for (let row = store.nextProcessing(); row !== undefined && !closed; row = store.nextProcessing())
      record.immediate(row, await process(row));
  };

  const wake = (): void => {
    if (closed || running !== null) return;
    clearTimeout(retry);
    running = drain()
      .catch((error: unknown) => {
        log(`Processing a video failed and will be tried again: ${String(error)}`);
        retry = setTimeout(wake, RETRY_MS).unref();
      })
      .finally(() => {
        running = null;
      });
  };

  return {
    wake,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await running;
    },
  };
};
