/** The entry file of a worker thread: normalises one archive and exits. On Linux it runs at low priority. */
import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../fairness/lower-thread-priority.ts';
import { readSealedFile, type SealedFile } from '../storage/sealed-reader.ts';
import { normaliseArchive } from './normalise-archive.ts';

lowerThreadPriority();

parentPort?.once('message', async (sealed: SealedFile) => {
  const result = normaliseArchive(await readSealedFile(sealed));
  if (!result.ok) parentPort?.postMessage(result);
  else {
    // In memory of its own, which is transferred without a copy.
    const archive = new Uint8Array(result.value.archive);
    parentPort?.postMessage({ ok: true, value: { ...result.value, archive } }, [archive.buffer]);
  }
});
