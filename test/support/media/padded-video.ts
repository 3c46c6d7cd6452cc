/** Makes a real MP4 of any size: a second of video that fits every limit, then a `free` box of random bytes. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';

const MIB = 1024 * 1024;

/** Writes `bytes` of MP4 to `path`; returns its SHA-256 in hex. Random bytes, so that compression has no effect. */
export const makeVideo = (path: string, bytes: number): string => {
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=30:duration=1'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', '-f', 'mp4', path],
  ]);
  const file = openSync(path, 'a');
  const hash = createHash('sha256').update(readFileSync(path));
  const write = (chunk: Buffer): void => {
    hash.update(chunk);
    writeSync(file, chunk);
  };
  let left = bytes - statSync(path).size;
  const header = Buffer.alloc(8);
  header.writeUInt32BE(left);
  header.write('free', 4, 'latin1');
  write(header);
  for (left -= 8; left > 0; left -= Math.min(left, MIB)) write(randomBytes(Math.min(left, MIB)));
  closeSync(file);
  return hash.digest('hex');
};
