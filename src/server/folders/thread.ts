/** The thread behind maker.ts: one archive in by its path, one result out. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { makeFolder } from './folder.ts';

const made = makeFolder(readFileSync(workerData as string));
if (!made.ok) parentPort?.postMessage(made);
else {
  // A copy of its own, to be handed over without copying.
  const archive = new Uint8Array(made.value.archive);
  parentPort?.postMessage({ ok: true, value: { ...made.value, archive } }, [archive.buffer]);
}
