/** Worker entry: processes one archive and exits. Runs at low priority. */
import { parentPort } from 'node:worker_threads';
import { giveWayToAnswers } from '../fairness/account-priority.ts';
import { readSealedFile, type SealedFile } from '../storage/sealed-file.ts';
import { normaliseArchive } from './normalise-archive.ts';

giveWayToAnswers();

parentPort?.once('message', async (sealed: SealedFile) => {
  const made = normaliseArchive(await readSealedFile(sealed));
  if (!made.ok) parentPort?.postMessage(made);
  else {
    // In memory of its own, which is transferred without a copy.
    const archive = new Uint8Array(made.value.archive);
    parentPort?.postMessage({ ok: true, value: { ...made.value, archive } }, [archive.buffer]);
  }
});
