/**
 * Recognises the text of published pictures in the background or on request, one picture at a time, while no capture,
 * recording or upload runs. New work cancels the current reading, which is repeated later.
 */
import { ok, type Result } from '../../api/errors.ts';
import type { CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { Clock } from '../ports.ts';
import type { VisionProcessClient } from '../vision/vision-process-client.ts';
import type { PictureWords } from './picture-words-store.ts';

export interface PictureWordsReaderDeps {
  readonly clock: Clock;
  readonly words: PictureWords;
  readonly vision: Pick<VisionProcessClient, 'readFile'>;
  /** Whether the user wants it. */
  readonly isOn: () => boolean;
  /** Whether something is captured, recorded or uploaded. */
  readonly isBusy: () => boolean;
  /** Search results may have changed. */
  readonly onRead: () => void;
}

export interface PictureWordsReader {
  /** Call whenever anything has changed: starts reading after a while without work, and cancels it for work. */
  wake(): void;
  /** Reads what is pending now, unless there is work. */
  readNow(signal: AbortSignal): Promise<Result<CommandOutput<'library.readPictures'>>>;
  close(): Promise<void>;
}

/** How long nothing must happen first. */
const IDLE_MS = 10_000;
const PAUSE_MS = 1_000;
/** Trying again would give the same. */
const FINAL = new Set(['IMAGE_UNREADABLE', 'IMAGE_VECTOR', 'SOURCE_EMPTY', 'SOURCE_NOT_A_FILE', 'SOURCE_MISSING']);

export const createPictureWordsReader = (deps: PictureWordsReaderDeps): PictureWordsReader => {
  const { clock, words, vision, isOn, isBusy } = deps;
  const closing = new AbortController();
  let waiting: AbortController | null = null;
  let current: AbortController | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const mayRead = (): boolean => isOn() && !isBusy() && !closing.signal.aborted;

  /** False: nothing is left, or there is work. */
  const readOne = async (signal: AbortSignal): Promise<boolean> => {
    const picture = mayRead() && !signal.aborted ? words.next() : null;
    if (!picture) return false;
    const reading = new AbortController();
    current = reading;
    const read = await vision.readFile(picture.path, {}, AbortSignal.any([signal, reading.signal, closing.signal]));
    current = null;
    if (closing.signal.aborted || !isOn()) return false;
    if (read.ok) {
      words.put(picture.id, read.value);
      deps.onRead();
      return true;
    }
    const { code, params } = read.error;
    if (code === 'CANCELLED') return false;
    words.failed(picture.id, FINAL.has(code) || params?.['reason'] === 'too-large' ? 'for ever' : 'this time');
    return true;
  };

  /** One after the other, whoever asks. */
  const inTurn = (read: () => Promise<void>): Promise<void> => {
    const turn = last.then(read);
    last = turn.catch(() => {});
    return turn;
  };

  const readWhenIdle = async (idle: AbortController): Promise<void> => {
    await clock.sleep(IDLE_MS, idle.signal);
    while (await readOne(idle.signal)) await clock.sleep(PAUSE_MS, idle.signal);
  };

  return {
    wake() {
      if (!mayRead()) {
        waiting?.abort();
        waiting = null;
        current?.abort();
        return;
      }
      if (waiting || words.pending() === 0) return;
      const idle = new AbortController();
      waiting = idle;
      const over = (): void => {
        if (waiting === idle) waiting = null;
      };
      inTurn(() => readWhenIdle(idle)).then(over, over);
    },
    async readNow(signal) {
      let read = 0;
      waiting?.abort();
      waiting = null;
      await inTurn(async () => {
        while (await readOne(signal)) read += 1;
      });
      return ok({ read, pending: isOn() ? words.pending() : 0, isOn: isOn() });
    },
    async close() {
      closing.abort();
      waiting?.abort();
      await last;
    },
  };
};
