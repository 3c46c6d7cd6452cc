/**
 * The test files that run in a process of their own, and why. All others share a process with the files before and after
 * them (`support/shared-guard.ts` sees that they leave it as they found it).
 */
const KEY_STORE =
  'the library of the key store reads the address of the bus when it is first used, for as long as the process runs';

export const ALONE: Readonly<Record<string, string>> = {
  'test/engine/account/keyring.test.ts': KEY_STORE,
  'test/engine/account/secrecy.test.ts': KEY_STORE,
  'test/engine/open-browser-and-key-store.test.ts': KEY_STORE,
  'test/engine/folder/lost-drive.test.ts': 'it replaces the opening of files, which other modules have imported',
  'test/engine/video/fit-failures.test.ts':
    'it replaces the free space of the disk and the deletion of files, which other modules have imported',
  'test/server/folders/hostile-archives.test.ts':
    'it leaves a gigabyte to its process, which makes each start of a program slow',
  'test/server/pages/ended-session.test.ts': 'it replaces the hash of passwords, which other modules have imported',
  'test/simulation/simulation.test.ts': 'it replaces the limits of the service, which all modules have imported',
};
