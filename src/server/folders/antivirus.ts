/**
 * Scans a folder for viruses with the operator's clamd before the folder is stored (API document, "Archive rules" 6). A
 * threat, or a scanner that does not answer, prevents storing. Without a configured socket nothing is scanned.
 */

import { connect, type Socket } from 'node:net';
import { onAbort } from '../../base/common/on-abort.ts';
import type { Log } from '../log.ts';
import { ProblemError, serverBusy } from '../problem-details.ts';

export interface Antivirus {
  /** Throws FOLDER_INFECTED for a threat and UPLOAD_SERVER_BUSY when the scanner does not answer. */
  readonly check: (bytes: Uint8Array, signal: AbortSignal) => Promise<void>;
}

/** clamd itself times out after two minutes. */
const ANSWER_MS = 120_000;
const RETRY_AFTER_MS = 30_000;
const CHUNK = 256 * 1024;

const lengthOf = (chunk: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
};

/** One scan: length-prefixed chunks, an empty one as the end, and one line as the reply. */
const scan = (socketPath: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ path: socketPath });
    const end = (settle: () => void): void => {
      unfollow();
      socket.destroy();
      settle();
    };
    const unfollow = onAbort(signal, () => end(() => reject(signal.reason)));
    let answer = '';
    socket.setTimeout(ANSWER_MS, () => end(() => reject(new Error('clamd does not answer.'))));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () => end(() => resolve(answer.replace(/\0$/, '').trim())));
    socket.write('zINSTREAM\0');
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      socket.write(lengthOf(chunk));
      socket.write(chunk);
    }
    socket.write(Buffer.alloc(4));
  });

export const createAntivirus = (socketPath: string | null, log: Log): Antivirus => ({
  check: async (bytes, signal) => {
    if (socketPath === null) return;
    let answer: string;
    try {
      answer = await scan(socketPath, bytes, signal);
    } catch (error) {
      signal.throwIfAborted();
      answer = String(error);
    }
    if (answer === 'stream: OK') return;
    const threat = /^stream: (.+) FOUND$/.exec(answer)?.[1];
    if (threat === undefined) {
      log(`The antivirus at ${socketPath} gave no verdict: ${answer}`, { level: 'warn' });
      throw serverBusy(
        'The antivirus of the server does not answer; nothing was stored. Try again soon.',
        RETRY_AFTER_MS,
      );
    }
    throw new ProblemError('FOLDER_INFECTED', `The antivirus found ${threat} in the folder; nothing was stored.`, {
      params: { threat },
    });
  },
});
