/** Adapts an open file to the interface of the video parsers. */
import type { FileHandle } from 'node:fs/promises';
import type { ByteSource } from '../../common/video/byte-source.ts';

export const fileSource = (file: FileHandle, size: number): ByteSource => ({
  size,
  async read(position, length) {
    const wanted = Math.max(0, Math.min(length, size - position));
    const bytes = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await file.read(bytes, 0, wanted, position);
    return bytes.subarray(0, bytesRead);
  },
});
