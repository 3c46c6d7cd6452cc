/**
 * The process that recognises pictures, one after the other. The engine ends it at any moment, because a recognition
 * cannot be interrupted. It opens no connection: all data comes from files.
 */
import { setPriority } from 'node:os';
import { failure, type Result } from '../../api/errors.ts';
import { decodePicture } from './decode-picture.ts';
import { readCodes } from './read-codes.ts';
import { readText } from './read-text.ts';
import type { Recognised, VisionAnswer, VisionTask } from './vision-protocol.ts';

/** `process.parentPort` of Electron's utility processes. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** Captures, uploads and other programs go first. */
const PRIORITY = 10;

const { parentPort } = process as { readonly parentPort?: ParentPort };

const answer = (message: VisionAnswer): void => {
  if (parentPort) parentPort.postMessage(message);
  else process.send?.(message);
};

const recognise = async ({ picture, languages }: VisionTask): Promise<Result<Recognised>> => {
  const decoded = await decodePicture(picture);
  if (!decoded.ok) return decoded;
  const codes = await readCodes(decoded.value);
  const { text, words } = await readText(decoded.value, languages);
  return { ok: true, value: { text, words: [...words], codes: [...codes] } };
};

const run = async (task: VisionTask): Promise<void> => {
  const { id } = task;
  try {
    const result = await recognise(task);
    answer(result.ok ? { id, ok: true, value: result.value } : { id, ok: false, error: result.error });
  } catch (error) {
    const params = { reason: 'failed' };
    answer({ id, ok: false, error: failure('TEXT_NOT_READ', String(error), { params }) });
  }
};

setPriority(PRIORITY);
if (parentPort) parentPort.on('message', ({ data }) => void run(data as VisionTask));
else {
  process.on('message', (task) => void run(task as VisionTask));
  process.on('disconnect', () => process.exit());
}
