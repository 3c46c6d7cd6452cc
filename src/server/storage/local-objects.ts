/**
 * Stores objects as encrypted files in a folder: in `staged/` while they are written, afterwards in `permanent/`, in a
 * subfolder for the first two characters of the id. Durable operations sync the file; outside Windows they also sync
 * its folder entry, and files are 0600 and folders 0700.
 */
import { constants, readdirSync } from 'node:fs';
import { access, type FileHandle, mkdir, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { open, rename, rm } from '../../base/node/retrying-fs.ts';
import type { KeyRing } from './key-ring.ts';
import type { FoundFile, ObjectRows } from './object-rows.ts';
import { type ObjectId, type ObjectStore, RemovedObjectError } from './object-store-interface.ts';
import { DamagedObjectError, HEADER_BYTES, segmentAt, storedSize } from './sealed-format.ts';
import { createReader, type SealedReader } from './sealed-reader.ts';
import { createSink, createStagedWriter, openDescriptor } from './sealed-writer.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const ID = /^[0-9A-Za-z_-]{4,64}$/;
const SUBFOLDER = /^[0-9A-Za-z_-]{2}$/;

export interface LocalObjectsDeps {
  /** The folder of the objects; created when missing. */
  readonly root: string;
  readonly ring: KeyRing;
  readonly rows: Pick<ObjectRows, 'byId' | 'insert' | 'keepAlive' | 'finish' | 'makePermanent' | 'remove' | 'abandon'>;
}

export interface LocalObjects extends ObjectStore {
  /** All files, whether they have a row or not. */
  files(): AsyncIterable<FoundFile>;
  /** Before anything is written: where the only file is a permanent one, it is staged again. Only for what no item has. */
  restage(id: ObjectId): Promise<void>;
  /** The header of a staged or permanent object. */
  header(id: ObjectId): Promise<Buffer>;
}

export const createLocalObjects = async ({ root, ring, rows }: LocalObjectsDeps): Promise<LocalObjects> => {
  const [stagedRoot, permanentRoot] = objectFolders(root);
  await mkdir(stagedRoot, { recursive: true, mode: FOLDER_MODE });
  await mkdir(permanentRoot, { recursive: true, mode: FOLDER_MODE });
  await syncFolder(root);

  const stagedPath = (id: ObjectId): string => objectPaths(root, id).staged;
  const permanentPath = (id: ObjectId): string => objectPaths(root, id).permanent;

  /** The current path of the object; the permanent one takes precedence. */
  const locate = async (id: ObjectId): Promise<string> =>
    (await exists(permanentPath(id))) ? permanentPath(id) : stagedPath(id);

  /** Key and size of the object in `file`. Throws `DamagedObjectError` when the header or the length is wrong. */
  const examine = async (file: FileHandle, id: ObjectId) => {
    const { keys, size } = ring.open(id, await headerOf(file), await rows.byId(id));
    if (size === null) throw new DamagedObjectError(`Object ${id} was never finished.`);
    const stored = (await file.stat()).size;
    if (stored !== storedSize(size)) {
      throw new DamagedObjectError(`Object ${id} has ${stored} bytes on the disk instead of ${storedSize(size)}.`);
    }
    return { key: keys.segments, size };
  };

  /** Makes the row, then the file; on an error neither stays. */
  const makeFile = async (id: ObjectId, size: number | null, fill: (file: FileHandle) => Promise<void>) => {
    const path = stagedPath(id);
    const { keys, header, keyId, wrappedKey } = ring.create(id);
    await rows.insert({ id, size, chunks: null, header: null, keyId, wrappedKey });
    try {
      const file = await open(path, 'wx', FILE_MODE);
      try {
        await file.write(header(size));
        await fill(file);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    } catch (error) {
      await rows.remove(id);
      throw error;
    }
    return { path, keys, header };
  };

  /** Number of open writers per object. */
  const writers = new Map<ObjectId, number>();

  /** Counts writers from the call of `openWriter` on until they are closed. */
  const counted = async <T extends { close(): Promise<void> }>(
    id: ObjectId,
    openWriter: () => Promise<T>,
  ): Promise<T> => {
    const count = (change: 1 | -1): void => {
      const now = (writers.get(id) ?? 0) + change;
      if (now > 0) writers.set(id, now);
      else writers.delete(id);
    };
    count(1);
    try {
      const writer = await openWriter();
      return { ...writer, close: () => writer.close().finally(() => count(-1)) };
    } catch (error) {
      count(-1);
      throw error;
    }
  };

  const makePermanent = async (id: ObjectId): Promise<void> => {
    if (!(await rows.makePermanent(id))) throw new RemovedObjectError(id);
  };

  return {
    stage: async (id, size) => {
      await makeFile(id, size, async (file) => {
        await file.truncate(storedSize(size));
        await file.sync();
      });
      await syncFolder(stagedRoot);
    },
    openStaged: (id) =>
      counted(id, async () => {
        const path = stagedPath(id);
        const { key, size } = await withHandle(path, (file) => examine(file, id));
        return createStagedWriter(await openDescriptor(path), { id, key, size });
      }),
    stageStream: (id) =>
      counted(id, async () => {
        const { path, keys, header } = await makeFile(id, null, async () => {});
        const sink = createSink(await openDescriptor(path), keys.segments, header);
        const keepAlive = rows.keepAlive(id);
        return {
          ...sink,
          append: async (bytes) => {
            await keepAlive();
            await sink.append(bytes);
          },
          finish: async () => {
            const size = await sink.finish();
            await rows.finish(id, size, null);
          },
        };
      }),
    commit: async (id) => {
      const path = permanentPath(id);
      if (await exists(path)) {
        // A backup that was made meanwhile has an earlier copy as well.
        await rm(stagedPath(id), { force: true });
        await makePermanent(id);
        return;
      }
      // Windows flushes only files that are open for writing.
      await withHandle(
        stagedPath(id),
        async (file) => {
          await examine(file, id);
          await file.datasync();
        },
        'r+',
      );
      const folder = dirname(path);
      if ((await mkdir(folder, { recursive: true, mode: FOLDER_MODE })) !== undefined) await syncFolder(permanentRoot);
      if (writers.has(id)) throw new Error(`Object ${id} is still open for writing.`);
      await rename(stagedPath(id), path);
      await syncFolder(folder);
      await syncFolder(stagedRoot);
      await makePermanent(id);
    },
    size: async (id) => (await withHandle(await locate(id), (file) => examine(file, id))).size,
    read: (id, range, signal) => {
      const path = permanentPath(id);
      const openReader = async (): Promise<SealedReader> => {
        const file = await open(path, 'r');
        try {
          const { key, size } = await examine(file, id);
          return createReader(file, key, size);
        } catch (error) {
          await file.close();
          throw error;
        }
      };
      return addAbortSignal(signal, Readable.from(segments(openReader, range), { objectMode: false }));
    },
    isFetched: false,
    withSealedFile: async (id, use) => {
      const path = await locate(id);
      const { key, size } = await withHandle(path, (file) => examine(file, id));
      return await use({ path, key: key.export().toString('base64'), size });
    },
    remove: async (id) => {
      await rm(stagedPath(id), { force: true });
      await rm(permanentPath(id), { force: true });
      await rows.remove(id);
    },
    abandon: rows.abandon,
    header: async (id) => await withHandle(await locate(id), headerOf),
    files: () => objectFiles(root),
    restage: async (id) => {
      const path = permanentPath(id);
      if ((await exists(stagedPath(id))) || !(await exists(path))) return;
      await rename(path, stagedPath(id));
      await syncFolder(stagedRoot);
      await syncFolder(dirname(path));
    },
    probe: async () => {
      await access(stagedRoot, constants.R_OK | constants.W_OK);
      await access(permanentRoot, constants.R_OK | constants.W_OK);
    },
  };
};

/** The folders of staged and of permanent objects. */
export const objectFolders = (root: string): readonly [staged: string, permanent: string] => [
  join(root, 'staged'),
  join(root, 'permanent'),
];

/** Where the file of an object may be. */
export const objectPaths = (root: string, id: ObjectId): Readonly<Record<FoundFile['state'], string>> => ({
  staged: join(root, 'staged', checked(id)),
  permanent: join(root, 'permanent', checked(id).slice(0, 2), id),
});

/** All files, whether they have a row or not. File managers and disks leave other files and folders beside them. */
export async function* objectFiles(root: string): AsyncGenerator<FoundFile> {
  for (const id of await names(join(root, 'staged'))) yield { id, state: 'staged' };
  const permanentRoot = join(root, 'permanent');
  for await (const folder of await opendir(permanentRoot)) {
    if (folder.isFile() || !SUBFOLDER.test(folder.name)) continue;
    for (const id of await names(join(permanentRoot, folder.name))) yield { id, state: 'permanent' };
  }
}

const headerOf = async (file: FileHandle): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  return buffer.subarray(0, bytesRead);
};

/** The bytes of a range, a segment at a time. */
async function* segments(openReader: () => Promise<SealedReader>, { start, end }: { start: number; end: number }) {
  const reader = await openReader();
  try {
    const limit = Math.min(end + 1, reader.size);
    for (let at = start; at < limit; ) {
      const next = Math.min(segmentAt(at, reader.size).end, limit);
      yield await reader.read(at, next - at);
      at = next;
    }
  } finally {
    await reader.close();
  }
}

const withHandle = async <T>(path: string, use: (file: FileHandle) => Promise<T>, flags = 'r'): Promise<T> => {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** An id becomes part of a path, so it is validated here. */
const checked = (id: ObjectId): string => {
  if (!ID.test(id)) throw new Error(`Not an object id: ${JSON.stringify(id)}`);
  return id;
};

const names = async (folder: string): Promise<readonly ObjectId[]> => {
  const ids: ObjectId[] = [];
  for await (const entry of await opendir(folder)) if (ID.test(entry.name)) ids.push(entry.name as ObjectId);
  return ids;
};

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

/** Whether there is a file of an object in the folder of the objects; subfolders stay when their last one is removed. */
export const holdsObjects = (objects: string): boolean => {
  const namesIn = (folder: string): readonly string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const holds = (folder: string): boolean => namesIn(folder).some((name) => ID.test(name));
  const permanent = join(objects, 'permanent');
  const subfolders = namesIn(permanent).filter((name) => SUBFOLDER.test(name));
  return holds(join(objects, 'staged')) || subfolders.some((name) => holds(join(permanent, name)));
};
