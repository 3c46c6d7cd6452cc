/** Reads a small request body into memory, and rejects one that stalls or takes too long. */
import type { IncomingMessage } from 'node:http';
import { invalidInput, ProblemError } from '../problem.ts';
import { bodyTooLarge } from './errors.ts';
import { TOO_SLOW } from './in-flight-requests.ts';

const stalled = (): ProblemError =>
  new ProblemError('UPLOAD_STALLED', 'The body stopped arriving; send the request again.', {
    connection: 'close-after-answer',
  });

/** Rejects with UPLOAD_TOO_LARGE, UPLOAD_STALLED or INVALID_INPUT. */
export const readBody = (
  payload: IncomingMessage,
  { bytesMax, stallMs }: { readonly bytesMax: number; readonly stallMs: number },
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(payload.headers['content-length'] ?? 0) > bytesMax) {
      reject(bodyTooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void): void => {
      clearTimeout(stall);
      payload.off('data', onData).off('end', onEnd).off('close', onClose).off(TOO_SLOW, fail);
      settle();
    };
    const fail = (reason: Error): void => end(() => reject(reason));
    const stall = setTimeout(() => fail(stalled()), stallMs);
    const onData = (chunk: Buffer): void => {
      stall.refresh();
      size += chunk.length;
      chunks.push(chunk);
      if (size > bytesMax) fail(bodyTooLarge());
    };
    const onEnd = (): void => end(() => resolve(Buffer.concat(chunks, size)));
    const onClose = (): void => fail(invalidInput({ path: '', message: 'ended before its body did' }));
    payload.on('data', onData).on('end', onEnd).on('close', onClose).on(TOO_SLOW, fail);
  });
