/** Converts previews to JPEG on demand, because some chats show no WebP, and caches the latest ones. */

import type { AccountId } from '../../api/ids.ts';
import { setBounded } from '../../base/common/bounded-map.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem-details.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import type { Inspector } from './media-inspector.ts';

/** Each has some 60 KB; a chat fetches one several times within seconds. */
const CACHED_MAX = 64;

export const createJpegPreviews = ({ objects }: Pick<ServerDeps, 'objects'>, inspector: Pick<Inspector, 'jpegOf'>) => {
  const cached = new Map<ObjectId, Promise<Buffer>>();
  const stop = new AbortController();

  const convert = async (id: ObjectId, accountId: AccountId): Promise<Buffer> => {
    const bytes = await objects.withSealedFile(
      id,
      (file) => inspector.jpegOf({ id, accountId, file }, stop.signal),
      stop.signal,
    );
    if (bytes === null)
      throw new ProblemError('UPLOAD_SERVER_BUSY', 'The server is converting too many previews. Try again.', {
        retryAfterMs: 2_000,
      });
    return Buffer.from(bytes);
  };

  return {
    /** The JPEG of a stored preview. Throws UPLOAD_SERVER_BUSY. */
    of: (id: ObjectId, accountId: AccountId): Promise<Buffer> => {
      const known = cached.get(id);
      if (known !== undefined) return known;
      const made = convert(id, accountId);
      setBounded(cached, id, made, CACHED_MAX);
      made.catch(() => cached.delete(id));
      return made;
    },
    close: () => stop.abort(),
  };
};
