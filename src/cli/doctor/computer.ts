/** Checks the computer: disk space and key store. */
import type { StatsFs } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatBytes } from '../output/format.ts';
import { type Check, fail, pass, warn } from './check.ts';

const MIB = 1024 * 1024;
/** Converting a video needs space for its copy; below the second number even the queue's rows are at risk. */
const COMFORTABLE_BYTES = 2048 * MIB;
const LEAST_BYTES = 100 * MIB;

export const checkDisk = async (profileDir: string): Promise<Check> => {
  const facts = await spaceOf(profileDir);
  if (!facts)
    return warn('disk', 'The free space cannot be read.', 'Make sure that the folder of --profile is accessible.');
  if (facts.blocks === 0) return withoutSpace(profileDir);
  const free = facts.bavail * facts.bsize;
  const words = `${formatBytes(free)} free at ${profileDir}`;
  if (free < LEAST_BYTES) return fail('disk', words, 'Free some space: items are saved on disk before they are sent.');
  if (free < COMFORTABLE_BYTES) return warn('disk', words, 'Converting large videos needs more.');
  return pass('disk', words);
};

/** Where the system reports no space, it stores no files (/proc, /sys), or the mounted file system does not count. */
const withoutSpace = async (profileDir: string): Promise<Check> => {
  const isThere = await access(profileDir).then(
    () => true,
    () => false,
  );
  return isThere
    ? warn(
        'disk',
        `The free space at ${profileDir} is unknown.`,
        'Make sure that there is enough at its real location.',
      )
    : fail('disk', `The folder ${profileDir} cannot be used: it does not store files.`, 'Use another --profile DIR.');
};

/** Of the folder, or of its nearest existing parent. */
const spaceOf = async (path: string): Promise<StatsFs | null> => {
  const facts = await statfs(path).catch(() => null);
  return facts ?? (dirname(path) === path ? null : spaceOf(dirname(path)));
};

const GET_ONE: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Install and unlock one with Secret Service support, such as gnome-keyring or KWallet; or set LINKSHOT_KEY.',
};

export const checkKeyStore = async (platform: NodeJS.Platform): Promise<Check> => {
  const { openSecrets } = await import('../../engine/node-adapters.ts');
  const { place } = await openSecrets();
  if (place === 'keyring') return pass('key-store', 'The key store of the operating system works.');
  const advice = GET_ONE[platform] ?? 'Set LINKSHOT_KEY in the environment instead.';
  return warn('key-store', 'There is no working key store; a connection lasts for one run.', advice);
};
