/**
 * Objects as files in a folder: `staged/{id}` while they are written, `permanent/{2 characters}/{id}` afterwards. Files
 * are 0600 and folders 0700; what a method promises to be durable is synced, the folder's entry too.
 */
import { close, createReadStream, fdatasync, open as openFd, write } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectId, ObjectStore, StagedObject } from './object-store.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const ID = /^[0-9A-Za-z_-]{4,64}$/;

/** Keeps objects under `root`, which is created. */
export const createLocalObjects = async (root: string): Promise<ObjectStore> => {
  const stagedRoot = join(root, 'staged');
  const permanentRoot = join(root, 'permanent');
  await mkdir(stagedRoot, { recursive: true, mode: FOLDER_MODE });
  await mkdir(permanentRoot, { recursive: true, mode: FOLDER_MODE });
  await syncFolder(root);

  const stagedPath = (id: ObjectId): string => join(stagedRoot, checked(id));
  const permanentPath = (id: ObjectId): string => join(permanentRoot, checked(id).slice(0, 2), id);

  /** Where the object is now; a permanent one wins. */
  const locate = async (id: ObjectId): Promise<string> =>
    (await exists(permanentPath(id))) ? permanentPath(id) : stagedPath(id);

  return {
    stage: async (id, size) => {
      const path = stagedPath(id);
      const file = await open(path, 'wx', FILE_MODE);
      try {
        await file.truncate(size);
        await file.sync();
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      await syncFolder(stagedRoot);
      return openStaged(path);
    },
    openStaged: (id) => openStaged(stagedPath(id)),
    commit: async (id) => {
      const path = permanentPath(id);
      if (await exists(path)) return;
      const file = await open(stagedPath(id), 'r');
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
      const folder = dirname(path);
      if ((await mkdir(folder, { recursive: true, mode: FOLDER_MODE })) !== undefined) await syncFolder(permanentRoot);
      await rename(stagedPath(id), path);
      await syncFolder(folder);
      await syncFolder(stagedRoot);
    },
    size: async (id) => (await stat(await locate(id))).size,
    read: (id, { start, end }, signal) => createReadStream(permanentPath(id), { start, end, signal }),
    withFile: async (id, use) => use(await locate(id)),
    remove: async (id) => {
      await rm(stagedPath(id), { force: true });
      await rm(permanentPath(id), { force: true });
    },
    list: async function* () {
      for (const id of await names(stagedRoot)) yield { id, place: 'staged' };
      for await (const folder of await opendir(permanentRoot)) {
        for (const id of await names(join(permanentRoot, folder.name))) yield { id, place: 'permanent' };
      }
    },
  };
};

/** An id becomes part of a path, so it is checked where it does. */
const checked = (id: ObjectId): string => {
  if (!ID.test(id)) throw new Error(`Not an object id: ${JSON.stringify(id)}`);
  return id;
};

const names = async (folder: string): Promise<readonly ObjectId[]> => {
  const ids: ObjectId[] = [];
  for await (const entry of await opendir(folder)) if (ID.test(entry.name)) ids.push(entry.name as ObjectId);
  return ids;
};

/** Callbacks instead of `FileHandle`: parts are written all day, and this costs a third less processor time. */
const openStaged = async (path: string): Promise<StagedObject> => {
  const fd = await settle<number>((done) => openFd(path, 'r+', done));
  return {
    write: async (position, bytes) => {
      for (let at = 0; at < bytes.length; ) {
        at += await settle<number>((done) => write(fd, bytes, at, bytes.length - at, position + at, done));
      }
    },
    sync: () => settle<void>((done) => fdatasync(fd, (error) => done(error))),
    close: () => settle<void>((done) => close(fd, (error) => done(error ?? null))),
  };
};

const settle = <T>(start: (done: (error: Error | null, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value as T) : reject(error)));
  });

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/** Makes created, renamed and removed entries of a folder durable. Windows has no such call and needs none. */
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } finally {
    await folder?.close();
  }
};
