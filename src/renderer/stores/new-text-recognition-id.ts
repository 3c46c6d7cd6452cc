/** Creates a random id for one run of text recognition (a reading). Also works on a page without HTTPS. */
import type { ReadingId } from '../../ipc/protocol/vision.ts';

export const newReading = (): ReadingId =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
