/** The thread behind maker.ts: the path of one archive in, one result out, and that was its life. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { makeFolder } from './folder.ts';

parentPort?.once('message', (path: string) => {
  const made = makeFolder(readFileSync(path));
  if (!made.ok) parentPort?.postMessage(made);
  else {
    // In memory of its own, which changes hands without a copy.
    const archive = new Uint8Array(made.value.archive);
    parentPort?.postMessage({ ok: true, value: { ...made.value, archive } }, [archive.buffer]);
  }
});
