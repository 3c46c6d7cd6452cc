/**
 * Checks whether a PNG that this app encoded can be sent unchanged, by its size and its chunks, without decoding it.
 */
import { readFile } from '../../base/node/retrying-fs.ts';
import { SERVICE_PIXELS_MAX } from './probe-image.ts';
import { stripPng } from './strip/png.ts';

/** Offset of the width in the header of a PNG; the height follows. */
const WIDTH_AT = 16;

/** False where it cannot, or where the full preparation must decide. */
export const isPlainPng = async (path: string, maxBytes: number): Promise<boolean> => {
  const content = await readFile(path).catch(() => null);
  if (content === null || content.length > maxBytes) return false;
  const stripped = stripPng(content);
  return (
    stripped?.changed === false &&
    content.readUInt32BE(WIDTH_AT) * content.readUInt32BE(WIDTH_AT + 4) <= SERVICE_PIXELS_MAX
  );
};
