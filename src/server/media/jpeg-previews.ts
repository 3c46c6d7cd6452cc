/**
 * Converts previews to JPEG on demand, because some chats show no WebP, and caches the latest ones. Clients that ask for
 * the same preview share a conversion, which goes on while one of them is there.
 */

import type { AccountId } from '../../api/ids.ts';
import { setBounded } from '../../base/common/bounded-map.ts';
import { orOnAbort } from '../../base/common/on-abort.ts';
import type { ServerDeps } from '../deps.ts';
import { type ProblemError, serverBusy } from '../problem-details.ts';
import { sourceOf } from '../storage/file-source.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import type { Inspector } from './media-inspector.ts';

/** Each has some 60 KB; a chat fetches one several times within seconds. */
const CACHED_MAX = 64;
/** Conversions at once, nearly all of which wait: of the previews of one account, and of all. */
const PER_OWNER = 16;
const IN_ALL = 64;
/**
 * A conversion that runs may go on for this long without a client: it takes less, and stopping it costs a process, whose
 * start costs more.
 */
const FINISH_MS = 1_000;

interface Conversion {
  readonly accountId: AccountId;
  readonly made: Promise<Buffer>;
  readonly stop: AbortController;
  clients: number;
  /** The source is open, and a process takes it. */
  isRunning: boolean;
  /** Ends a conversion that runs without a client. */
  ending: NodeJS.Timeout | undefined;
}

const busy = (): ProblemError => serverBusy('The server is converting too many previews. Try again.');

export const createJpegPreviews = ({ objects }: Pick<ServerDeps, 'objects'>, inspector: Pick<Inspector, 'jpegOf'>) => {
  const cached = new Map<ObjectId, Buffer>();
  const pending = new Map<ObjectId, Conversion>();
  let isClosed = false;

  const convert = async (id: ObjectId, accountId: AccountId, signal: AbortSignal, begun: () => void) => {
    const stored = sourceOf(objects, id, await objects.size(id));
    const source: typeof stored = {
      ...stored,
      open: (use, opening) =>
        stored.open((file) => {
          begun();
          return use(file);
        }, opening),
    };
    const bytes = await inspector.jpegOf({ accountId, source }, signal);
    if (bytes === null) throw busy();
    return Buffer.from(bytes);
  };

  /** The next client starts another one. */
  const forget = (id: ObjectId, conversion: Conversion): void => {
    clearTimeout(conversion.ending);
    if (pending.get(id) === conversion) pending.delete(id);
  };

  const end = (id: ObjectId, conversion: Conversion): void => {
    forget(id, conversion);
    conversion.stop.abort();
  };

  /** Throws UPLOAD_SERVER_BUSY. */
  const begin = (id: ObjectId, accountId: AccountId): Conversion => {
    const ofOwner = [...pending.values()].filter((one) => one.accountId === accountId);
    if (isClosed || pending.size >= IN_ALL || ofOwner.length >= PER_OWNER) throw busy();
    const stop = new AbortController();
    const made = convert(id, accountId, stop.signal, () => {
      conversion.isRunning = true;
    });
    const conversion: Conversion = { accountId, made, stop, clients: 0, isRunning: false, ending: undefined };
    pending.set(id, conversion);
    made.then(
      (bytes) => {
        setBounded(cached, id, bytes, CACHED_MAX);
        forget(id, conversion);
      },
      () => forget(id, conversion),
    );
    return conversion;
  };

  const leave = (id: ObjectId, conversion: Conversion): void => {
    conversion.clients -= 1;
    if (conversion.clients > 0 || pending.get(id) !== conversion) return;
    if (conversion.isRunning) conversion.ending = setTimeout(end, FINISH_MS, id, conversion).unref();
    else end(id, conversion);
  };

  return {
    /**
     * The JPEG of a stored preview. Throws UPLOAD_SERVER_BUSY, and the signal's reason when it aborts: the client has
     * gone.
     */
    of: async (id: ObjectId, accountId: AccountId, signal: AbortSignal): Promise<Buffer> => {
      signal.throwIfAborted();
      const known = cached.get(id);
      if (known !== undefined) return known;
      const conversion = pending.get(id) ?? begin(id, accountId);
      conversion.clients += 1;
      clearTimeout(conversion.ending);
      try {
        const bytes = await orOnAbort(conversion.made, signal, () => null);
        if (bytes === null) throw signal.reason;
        return bytes;
      } finally {
        leave(id, conversion);
      }
    },
    close: (): void => {
      isClosed = true;
      for (const [id, conversion] of pending) end(id, conversion);
    },
  };
};
