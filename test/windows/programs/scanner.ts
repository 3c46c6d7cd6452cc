/**
 * Opens each new file of some folders without sharing, as a virus scanner does: `scanner.ts MILLISECONDS FOLDER...`.
 * Opening, moving or removing the file fails meanwhile. Prints each file that it has locked.
 */
import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes libuv call `CreateFile` without sharing. */
const UV_FS_O_EXLOCK = 0x10000000;
const LOOK_MS = 3;

const [hold = '', ...folders] = process.argv.slice(2);
const seen = new Set<string>();

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
    );
  } catch {
    return [];
  }
};

for (const path of folders.flatMap(filesIn)) seen.add(path);
process.stdout.write('scanning\n');
setInterval(() => {
  for (const path of folders.flatMap(filesIn)) {
    if (seen.has(path)) continue;
    try {
      const file = openSync(path, UV_FS_O_EXLOCK);
      seen.add(path);
      process.stdout.write(`held ${path}\n`);
      setTimeout(() => closeSync(file), Number(hold));
    } catch {
      // Open elsewhere, or deleted: retried at the next scan.
    }
  }
}, LOOK_MS);
