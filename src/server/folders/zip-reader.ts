/** Unpacks one file of an archive, never beyond the size in its headers, and verifies it against them. */
import { crc32, inflateRawSync } from 'node:zlib';
import { err, ok, type Result } from '../../api/errors.ts';
import { type ArchiveFile, archiveInvalid } from './archive.ts';

/** The smallest output buffer that zlib accepts. */
const CHUNK_MIN = 64;

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

const inflate = ({ data, size }: ArchiveFile): Buffer | null => {
  try {
    // With `info` Node also returns how much it read: bytes after the end of the stream would allow a second
    // interpretation.
    const options = { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size, CHUNK_MIN), info: true };
    const { buffer, engine } = inflateRawSync(data, options) as unknown as Inflated;
    return engine.bytesWritten === data.length ? buffer : null;
  } catch {
    return null;
  }
};

/** The bytes of a file; FOLDER_ARCHIVE_INVALID if they contradict the headers. */
export const unpackFile = (file: ArchiveFile): Result<Buffer> => {
  const bytes = file.method === 'stored' ? file.data : inflate(file);
  if (!bytes || bytes.length !== file.size || crc32(bytes) !== file.crc) {
    return err(archiveInvalid('A file of the archive is damaged or lies about its size.'));
  }
  return ok(bytes);
};
