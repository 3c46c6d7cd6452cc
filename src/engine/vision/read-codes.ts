/** Finds QR and bar codes in a picture. Their content is returned as text, and nothing in it is opened. */

import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { readFileSync } from '../../base/node/retrying-fs.ts';
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import type { GreyPicture } from './decode-picture.ts';

type Code = PictureContent['codes'][number];

const CODES_MAX = 50;

let isPrepared = false;

/** Without the bytes, the library would download them. */
const prepare = (): void => {
  if (isPrepared) return;
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const bytes = readFileSync(path);
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(bytes).buffer } });
  isPrepared = true;
};

export const readCodes = async ({ width, height, pixels }: GreyPicture): Promise<readonly Code[]> => {
  prepare();
  // Four equal bytes for each pixel.
  const wide = new Uint32Array(width * height);
  for (let at = 0; at < wide.length; at++) wide[at] = (pixels[at] ?? 0) * 0x01010101;
  const data = new Uint8ClampedArray(wide.buffer);
  const found = await readBarcodes({ data, width, height, colorSpace: 'srgb' } as Parameters<typeof readBarcodes>[0], {
    maxNumberOfSymbols: CODES_MAX,
  });
  return found.map(({ format, text, position }) => {
    const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight];
    const x = Math.min(...corners.map((corner) => corner.x));
    const y = Math.min(...corners.map((corner) => corner.y));
    const right = Math.max(...corners.map((corner) => corner.x));
    const bottom = Math.max(...corners.map((corner) => corner.y));
    return { format, text, x, y, width: right - x, height: bottom - y };
  });
};
