/**
 * Returns the words that run a package's program, or npm, with this Node. On Windows the names in `node_modules/.bin`
 * are shell scripts, which cannot be started directly.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGES = resolve(import.meta.dirname, '../../node_modules');

/** The words that run `program` of `packageName`, before its own arguments. */
export const programOf = (packageName: string, program = packageName): readonly [string, string] => {
  const folder = join(PACKAGES, packageName);
  const description: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { bin } = description as { readonly bin: Readonly<Record<string, string>> };
  const path = bin[program];
  if (path === undefined) throw new Error(`${packageName} has no program ${program}`);
  return [process.execPath, join(folder, path)];
};

/** The words that run npm; npm itself sets its path. */
export const npm = (): readonly [string, ...string[]] => {
  const path = process.env['npm_execpath'];
  return path === undefined ? ['npm'] : [process.execPath, path];
};
