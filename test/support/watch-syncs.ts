/** Reports which files and folders this process syncs to disk. */
import { mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const inodeOf = (path: string): number => statSync(path).ino;

/** Until the test ends, calls `onSynced` with the inode of each file and folder whose handle is synced. */
export const watchSyncs = async (onSynced: (inode: number, kind: 'file' | 'folder') => void): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-syncs-'));
  const file = await open(folder);
  const handles = Object.getPrototypeOf(file) as Pick<FileHandle, 'sync'>;
  await file.close();
  rmdirSync(folder);
  const { sync } = handles;
  handles.sync = async function (this: FileHandle) {
    const facts = await this.stat();
    await sync.call(this);
    onSynced(facts.ino, facts.isDirectory() ? 'folder' : 'file');
  };
  onTestFinished(() => {
    handles.sync = sync;
  });
};
