/** Creates the name of a reading of a picture, also where the page is not served securely. */
import type { ReadingId } from '../../../ipc/protocol/vision.ts';

export const newReading = (): ReadingId =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
