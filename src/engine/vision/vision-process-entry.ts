/**
 * The program of the vision process, which recognises text and codes in pictures, and hides parts of them. The engine
 * sends one picture at a time, and kills the process to cancel, because a recognition cannot be interrupted. The
 * process opens no connection.
 */
import { failure, ok, type Result } from '../../api/errors.ts';
import { lowerPriority } from '../../base/node/lower-priority.ts';
import { blackOutBoxes } from './black-out-boxes.ts';
import { decodeOnBackgrounds, decodePicture } from './decode-picture.ts';
import { readCodes } from './read-codes.ts';
import { readAgain, readText } from './read-text.ts';
import type { Word } from './secrets/text-rows.ts';
import type { ReadTask, Recognised, VisionAnswer, VisionTask } from './vision-protocol.ts';

/** `process.parentPort` of Electron's utility processes. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** Captures, uploads and other programs go first. */
const NICENESS = 10;
/** Of the progress that is told. */
const STEP = 0.05;

const { parentPort } = process as { readonly parentPort?: ParentPort };

const answer = (message: VisionAnswer): void => {
  if (parentPort) parentPort.postMessage(message);
  else process.send?.(message);
};

const onlyOnWhite = async (picture: ReadTask['picture']): ReturnType<typeof decodeOnBackgrounds> => {
  const decoded = await decodePicture(picture);
  return decoded.ok ? ok([decoded.value]) : decoded;
};

const recognise = async ({ id, picture, languages, way }: ReadTask): Promise<Result<Recognised>> => {
  const decoded = way === 'once' ? await onlyOnWhite(picture) : await decodeOnBackgrounds(picture);
  if (!decoded.ok) return decoded;
  const [onWhite, ...onBlack] = decoded.value;
  const codes = [...(await readCodes(onWhite))];
  let told = 0;
  const { text, words } = await readText(onWhite, languages, (part) => {
    if (part < told + STEP) return;
    told = part;
    answer({ id, part });
  });
  const more: (readonly Word[])[] = [];
  for (const other of onBlack) {
    codes.push(...(await readCodes(other)));
    more.push((await readText(other, languages, () => {})).words);
  }
  if (way === 'thoroughly') for (const each of decoded.value) more.push(...(await readAgain(each, languages)));
  const { width, height } = onWhite;
  return ok({ text, words: [...words], codes, more: more.map((reading) => [...reading]), width, height });
};

const run = async (task: VisionTask): Promise<void> => {
  const { id } = task;
  try {
    const result = 'boxes' in task ? await blackOutBoxes(task) : await recognise(task);
    answer(result.ok ? { id, ok: true, value: result.value } : { id, ok: false, error: result.error });
  } catch (error) {
    const params = { reason: 'failed' };
    answer({ id, ok: false, error: failure('TEXT_NOT_READ', String(error), { params }) });
  }
};

lowerPriority(0, NICENESS);
if (parentPort) parentPort.on('message', ({ data }) => void run(data as VisionTask));
else {
  process.on('message', (task) => void run(task as VisionTask));
  process.on('disconnect', () => process.exit());
}
