/** Packs folders with the app's own code, and reads them as the service does. */
import { mkdirSync, readFileSync } from 'node:fs';
import type { Account } from '../../../src/api/account.ts';
import type { Result } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { FolderPreview, FolderSummary } from '../../../src/common/folder/folder-preview.ts';
import { gitHomeOf } from '../../../src/engine/folder/git-home.ts';
import { createFolderPrepare } from '../../../src/engine/folder/prepare-folder.ts';
import { previewFolder } from '../../../src/engine/folder/preview-folder-upload.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { systemFileTimes } from '../../../src/engine/upload/upload-source.ts';
import type { PreparedFile } from '../../../src/ipc/protocol/prepared-file.ts';
import type { QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import { normaliseArchive } from '../../../src/server/folders/normalise-archive.ts';
import { readArchive, unpackFile } from '../../../src/server/folders/read-archive.ts';
import { soon } from '../poll-timeouts.ts';

/** As the app reads them. */
const TIMES = systemFileTimes(systemClock);

export interface FolderPlace {
  readonly root: string;
  readonly home: string;
  readonly spool: string;
}

const queued = (root: string): QueueItemIn<'queued'> => ({
  id: '00000000-0000-4000-8000-000000000000' as ItemId,
  state: 'queued',
  accountId: null,
  name: 'project',
  size: 0,
  source: { owner: 'user', path: root },
  job: { kind: 'folder' },
  body: null,
  share: {},
  postPublish: null,
  position: 1,
  createdAt: 0,
  intent: 'run',
  attempts: 0,
  error: null,
});

/** Prepares one folder. */
export const prepareFolder = (
  { root, home, spool }: FolderPlace,
  { onProgress = () => {}, signal = soon() }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Result<PreparedFile | null>> => {
  mkdirSync(spool, { recursive: true });
  const prepare = createFolderPrepare({ spoolDir: spool, gitHome: () => gitHomeOf({ HOME: home }), times: TIMES });
  return prepare(queued(root), { account: {} as Account, onProgress }, signal);
};

export interface PackedFolder {
  readonly bytes: Buffer;
  readonly selection: FolderSummary;
  /** Paths in the archive, with the top folder that the service drops. */
  readonly entries: readonly string[];
  /** What the service keeps of it, by path. */
  readonly kept: ReadonlyMap<string, string>;
  /** The service's result for it. */
  readonly result: FolderSummary;
}

/** The files of an archive, by path. */
export const filesOf = (archive: Buffer): ReadonlyMap<string, string> => {
  const read = readArchive(archive);
  if (!read.ok) throw new Error(read.error.detail);
  return new Map(
    read.value.map((file) => {
      const bytes = unpackFile(file);
      if (!bytes.ok) throw new Error(bytes.error.detail);
      return [file.path, bytes.value.toString()];
    }),
  );
};

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return result.value;
};

/** Packs a folder and lets the service read it; both must succeed. */
export const packFolder = async (place: FolderPlace): Promise<PackedFolder> => {
  const body = must(await prepareFolder(place));
  if (body?.made.kind !== 'folder') throw new Error('A folder was not packed as one.');
  const bytes = readFileSync(body.path);
  const { archive, folder } = must(normaliseArchive(bytes));
  return {
    bytes,
    selection: body.made.selection,
    entries: [...filesOf(bytes).keys()],
    kept: filesOf(Buffer.from(archive)),
    result: { ...folder, uncountedFolders: 0 },
  };
};

export const preview = async ({ root, home }: FolderPlace): Promise<FolderPreview> =>
  must(
    await previewFolder(
      { owner: 'user', path: root },
      { gitHome: () => gitHomeOf({ HOME: home }), times: TIMES },
      () => {},
      soon(),
    ),
  );
