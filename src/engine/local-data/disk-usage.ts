/**
 * Measures the disk usage of a profile folder by purpose, and deletes files that were moved aside as damaged. Files
 * that are deleted meanwhile are not counted.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../../base/node/retrying-fs.ts';
import { APP_LOG, PROFILE_PARTS, type ProfilePart, type ProfileUsage } from '../../ipc/protocol/commands/local-data.ts';

type Parts = ProfileUsage['parts'];
interface Found {
  readonly path: string;
  readonly part: ProfilePart;
}

const FOLDERS: Readonly<Record<string, ProfilePart>> = {
  spool: 'waiting',
  thumbnails: 'thumbnails',
  recordings: 'recordings',
  'try-out': 'tryOut',
};

const partOf = (name: string): ProfilePart => {
  if (name.includes('.damaged-')) return 'leftovers';
  if (name.startsWith(APP_LOG)) return 'logs';
  return FOLDERS[name] ?? (/^(profile\.sqlite|lock\.sqlite|captures\.json)/.test(name) ? 'database' : 'other');
};

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** The entries of the profile folder; unreadable recordings count as leftovers. */
const contentsOf = async (profileDir: string): Promise<readonly Found[]> => {
  const recordings = join(profileDir, 'recordings');
  const own = (await namesIn(profileDir))
    .map((name): Found => ({ path: join(profileDir, name), part: partOf(name) }))
    .filter(({ part }) => part !== 'recordings');
  const recorded = (await namesIn(recordings)).map(
    (name): Found => ({
      path: join(recordings, name),
      part: name.endsWith('.damaged') ? 'leftovers' : 'recordings',
    }),
  );
  return [...own, ...recorded];
};

const NOTHING = { bytes: 0, files: 0 };

const measure = async (path: string): Promise<{ readonly bytes: number; readonly files: number }> => {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isFile()) return { bytes: stats.size, files: 1 };
  if (!stats?.isDirectory()) return NOTHING;
  let total = NOTHING;
  for (const name of await namesIn(path)) total = sum(total, await measure(join(path, name)));
  return total;
};

const sum = (one: typeof NOTHING, other: typeof NOTHING): typeof NOTHING => ({
  bytes: one.bytes + other.bytes,
  files: one.files + other.files,
});

/** Never negative, because files may be deleted between two measurements. */
const difference = (all: typeof NOTHING, part: typeof NOTHING): typeof NOTHING => ({
  bytes: Math.max(0, all.bytes - part.bytes),
  files: Math.max(0, all.files - part.files),
});

/** `discarded`: files in the spool that belong to discarded captures. */
export const measureProfile = async (profileDir: string, discarded: readonly string[]): Promise<Parts> => {
  const parts = Object.fromEntries(PROFILE_PARTS.map((part) => [part, NOTHING])) as Parts;
  for (const { path, part } of await contentsOf(profileDir)) parts[part] = sum(parts[part], await measure(path));
  for (const path of discarded) parts.discarded = sum(parts.discarded, await measure(path));
  return { ...parts, waiting: difference(parts.waiting, parts.discarded) };
};

/** Deletes files that were moved aside as damaged. */
export const removeLeftovers = async (profileDir: string): Promise<void> => {
  const left = (await contentsOf(profileDir)).filter(({ part }) => part === 'leftovers');
  await Promise.all(left.map(({ path }) => rm(path, { recursive: true, force: true })));
};
