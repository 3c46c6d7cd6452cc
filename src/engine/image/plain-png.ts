/** Whether a picture that this app has encoded itself goes out as it is: told by its chunks, without decoding it. */
import { readFile } from '../../base/node/retrying-fs.ts';
import { PIXELS_MAX } from './image-metadata.ts';
import { stripPng } from './strip/png.ts';

/** Where the header of a PNG has its width; its height follows. */
const WIDTH_AT = 16;

/** False where it is another one, or only a closer look can tell. */
export const isPlainPng = async (path: string, maxBytes: number): Promise<boolean> => {
  const content = await readFile(path).catch(() => null);
  if (content === null || content.length > maxBytes) return false;
  const stripped = stripPng(content);
  return (
    stripped?.changed === false && content.readUInt32BE(WIDTH_AT) * content.readUInt32BE(WIDTH_AT + 4) <= PIXELS_MAX
  );
};
