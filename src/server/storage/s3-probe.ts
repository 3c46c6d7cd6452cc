/** Tests whether an S3-compatible store works: writes, reads and removes an object that is no chunk. */
import { createHash } from 'node:crypto';
import { getStored, putStored, removeStored } from './s3-chunks.ts';
import { type S3Client, S3FullError, S3RefusedError, S3UnavailableError } from './s3-client.ts';

/** In milliseconds. A monitor waits for the health; a slow store may be started on. */
const PROBE_MS = { health: 8_000, start: 15_000 };
type Purpose = keyof typeof PROBE_MS;

/** `node` names the object. Throws S3RefusedError, or S3UnavailableError also where the store is too slow for the purpose. */
export const probeS3Once = async (client: S3Client, node: string, purpose: Purpose): Promise<void> => {
  const signal = AbortSignal.timeout(PROBE_MS[purpose]);
  const key = `probe/${node}`;
  const bytes = createHash('sha256').update(node).digest();
  try {
    await putStored(client, key, bytes, signal);
    const found = await getStored(client, key, signal);
    if (found === null) throw new S3RefusedError('get', 404, 'NoSuchKey');
    if (!found.equals(bytes)) throw new S3RefusedError('get', 200, 'OtherBytes');
    await removeStored(client, key, signal);
  } catch (error) {
    throw signal.aborted ? new S3UnavailableError('probe', 'it is too slow', null) : error;
  }
};

/** The same, but a full store is read, and what is there can be deleted: uploads alone are refused. */
export const probeS3UnlessFull = async (client: S3Client, node: string, purpose: Purpose): Promise<void> => {
  try {
    await probeS3Once(client, node, purpose);
  } catch (error) {
    if (!(error instanceof S3FullError)) throw error;
  }
};
