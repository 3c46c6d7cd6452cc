/**
 * Strips the metadata of a PNG: texts, times, Exif except its orientation, chunks of unknown programs, and data after
 * its end. Pixels, animation, colours and density stay unchanged.
 */
import { crc32 } from 'node:zlib';
import { onlyOrientation } from './minimal-exif.ts';
import { createPieces, type Stripped } from './stripped-file.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Ancillary chunks that affect the appearance; critical ones (first letter upper case) are always kept. */
const KEPT = new Set(
  'acTL bKGD cHRM cICP cLLI cLLi fcTL fdAT gAMA hIST iCCP mDCV mDCv pHYs sBIT sPLT sRGB tRNS'.split(' '),
);

/** Null: the file is not a complete PNG. */
export const stripPng = (file: Buffer): Stripped | null => {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return null;
  const pieces = createPieces(file);
  pieces.keep(0, 8);
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return null;
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'eXIf') {
      const tiff = onlyOrientation(file.subarray(at + 8, end - 4));
      if (tiff) pieces.replace(at, end, chunk('eXIf', tiff));
    } else if (/^[A-Z]/.test(type) || KEPT.has(type)) {
      pieces.keep(at, end);
    }
    if (type === 'IEND') return pieces.done();
    at = end;
  }
  return null;
};

const chunk = (type: string, payload: Buffer): Buffer => {
  const bytes = Buffer.alloc(12 + payload.length);
  bytes.writeUInt32BE(payload.length, 0);
  bytes.write(type, 4, 'latin1');
  payload.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + payload.length)), 8 + payload.length);
  return bytes;
};
