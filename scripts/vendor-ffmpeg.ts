/**
 * `node scripts/vendor-ffmpeg.ts [PROJECT]`: puts the ffmpeg of the package ffmpeg-static, with its licence, where electron-builder
 * packs it from. Fails where that package, or the program that its install script downloads, is not there.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const { platform, arch } = process;
const program = platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
const from = join(root, 'node_modules/ffmpeg-static');
const to = join(root, 'vendor/ffmpeg', `${platform}-${arch}`);

// Its licence must go along, so a program without one is not taken.
const missing = [program, 'LICENSE'].filter((name) => !existsSync(join(from, name)));
if (missing.length > 0) {
  console.error(
    `node_modules/ffmpeg-static has no ${missing.join(', no ')}. docs/packaging.md says how to install it.`,
  );
  process.exit(1);
}
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
const notes = ['LICENSE', `${program}.LICENSE`, `${program}.README`].filter((name) => existsSync(join(from, name)));
for (const name of [program, ...notes]) cpSync(join(from, name), join(to, name));
chmodSync(join(to, program), 0o755);
console.log(`${join(to, program)} is packed from now on.`);
