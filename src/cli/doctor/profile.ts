/** Checks the profile: its database, its queue, and the files that the app owns. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { APP_LOG } from '../../ipc/protocol/commands/profile.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { sentenceOf } from '../messages.ts';
import { formatBytes, formatCount } from '../output/format.ts';
import { type Check, fail, pass, warn } from './check.ts';

/** Opening a profile checks its database; repairs are reported as a notice. */
export const checkProfile = (client: EngineClient, profileDir: string): Check => {
  const { notices } = client.state();
  const where = client.kind() === 'here' ? profileDir : `${profileDir}, in use by a running Linkshot`;
  const [notice] = notices;
  return notice
    ? warn('profile', sentenceOf(notice, 'nothing'), 'See the window, where you can dismiss it.')
    : pass('profile', `The database is intact: ${where}`);
};

/** Where the app writes errors; commands that run without the app report theirs themselves. */
export const checkLog = async (profileDir: string): Promise<Check> => {
  const path = join(profileDir, APP_LOG);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return pass('log', isThere ? `Errors of the app: ${path}` : 'The app has not written a log yet.');
};

export const checkQueue = (client: EngineClient): Check => {
  const { items, paused } = client.state().queue;
  const stuck = items.filter(({ trouble }) => trouble?.retryAt === null);
  const waiting = items.filter(({ state }) => state !== 'linked');
  if (items.some(({ state }) => state === 'unreadable'))
    return warn('queue', 'An item was written by another version.', 'Update Linkshot, or cancel it: linkshot status.');
  if (stuck.length > 0)
    return warn('queue', `${formatCount(stuck.length, 'item')} waiting for you.`, 'linkshot status shows why.');
  if (paused && waiting.length > 0)
    return warn(
      'queue',
      `Paused, with ${formatCount(waiting.length, 'item')} waiting.`,
      'Run linkshot queue resume to continue.',
    );
  return pass(
    'queue',
    waiting.length === 0 ? 'The queue is empty.' : `${formatCount(waiting.length, 'item')} waiting.`,
  );
};

/** Every item whose file the app owns must have that file. */
export const checkSpool = async (client: EngineClient): Promise<Check> => {
  const folder = await client.call('intake.folder', {});
  if (!folder.ok)
    return fail('spool', sentenceOf(folder.error, 'nothing'), 'Make sure that the folder of --profile is readable.');
  const { items } = client.state().queue;
  const owned = items.flatMap((item) => [
    ...(item.source.owner === 'spool' ? [item.source.path] : []),
    ...(item.body ? [item.body.path] : []),
  ]);
  const isThere = await Promise.all(
    items.map(
      async ({ state, source }) =>
        state === 'linked' || source.owner !== 'spool' || (await sizeOf(source.path)) !== null,
    ),
  );
  const missing = isThere.filter((found) => !found).length;
  if (missing > 0)
    return fail(
      'spool',
      `${formatCount(missing, 'file')} of waiting items missing.`,
      'Cancel them: linkshot status shows which.',
    );
  const names = await readdir(folder.value.path).catch(() => []);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder.value.path, name))));
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const words = `${formatCount(names.length, 'file')}, ${formatBytes(bytes)}`;
  const spare = Math.max(0, names.length - owned.length);
  return pass('spool', spare === 0 ? words : `${words}; unused files are removed within a day`);
};

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );
