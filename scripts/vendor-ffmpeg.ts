/**
 * `node scripts/vendor-ffmpeg.ts [PROJECT]`: copies the ffmpeg of the package ffmpeg-static, with its licence, to where
 * electron-builder packs it from. Fails if the program or its licence is missing, or if the program does not have the
 * SHA-256 in `scripts/ffmpeg.lock.json`, because the package downloads the program from outside the package registry.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const { platform, arch } = process;
const computer = `${platform}-${arch}`;
const program = platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
const from = join(root, 'node_modules/ffmpeg-static');
const to = join(root, 'vendor/ffmpeg', computer);

const refuse = (message: string): never => {
  console.error(message);
  process.exit(1);
};

// Its licence must be included, so a program without one is refused.
const missing = [program, 'LICENSE'].filter((name) => !existsSync(join(from, name)));
if (missing.length > 0) {
  refuse(`node_modules/ffmpeg-static has no ${missing.join(', no ')}. docs/packaging.md says how to install it.`);
}

const LOCK = 'scripts/ffmpeg.lock.json';
const { sha256: pins } = JSON.parse(readFileSync(join(root, LOCK), 'utf8')) as {
  readonly sha256: Readonly<Record<string, string>>;
};
// Write the same bytes that were checked.
const bytes = readFileSync(join(from, program));
const found = createHash('sha256').update(bytes).digest('hex');
const pinned = pins[computer] ?? refuse(`${LOCK} has no SHA-256 for ${computer}, so this ffmpeg is not packed.`);
if (found !== pinned) {
  refuse(
    `${join(from, program)} is not the program that ${LOCK} names for ${computer}, so it is not packed. ` +
      `Expected SHA-256 ${pinned}, found ${found}. Remove it and install it again; docs/packaging.md says how.`,
  );
}

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
writeFileSync(join(to, program), bytes);
chmodSync(join(to, program), 0o755);
const notes = ['LICENSE', `${program}.LICENSE`, `${program}.README`].filter((name) => existsSync(join(from, name)));
for (const name of notes) writeFileSync(join(to, name), readFileSync(join(from, name)));
console.log(`${join(to, program)} is packed from now on.`);
