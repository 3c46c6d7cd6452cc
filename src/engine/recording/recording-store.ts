/**
 * Stores recordings that are not queued yet, each in a private folder of the profile. The folder is created before the
 * recording starts, so that the next start finds the recording after a crash.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { RecordingId } from '../../api/ids.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import { syncFolder } from '../../base/node/sync-to-disk.ts';
import { isMissing, isSystemError } from '../../base/node/system-error.ts';
import { timestampOf } from '../../ipc/protocol/file-name-timestamp.ts';
import { makePrivateDir } from '../profile/spool.ts';
import { writeAtomically } from '../write-atomically.ts';
import { EncoderParams } from './recording-plan.ts';

/** Metadata stored beside the video. */
const RecordingInfo = Type.Object({
  /** With its file extension. */
  name: Type.String({ minLength: 1 }),
  /** Milliseconds since 1970-01-01 UTC. */
  startedAt: Type.Integer({ minimum: 0 }),
  /** What happens when it has ended. */
  after: literals('settings', 'review'),
  /** `recording`: still being written, or ended by a crash. */
  state: literals('recording', 'ended'),
  isRecovered: Type.Boolean(),
  /** It is only to be deleted: a crash or another program has stopped that. */
  isDiscarded: Type.Optional(Type.Boolean()),
  /** Length of each segment up to the stop request; null: its full length. Milliseconds. */
  lengths: Type.Array(Nullable(Type.Number({ minimum: 0 }))),
  /** Encoder parameters; null: unknown. */
  encoding: Nullable(
    Type.Object({
      params: EncoderParams,
      encoder: Type.Object({ name: Type.String(), kind: literals('x264', 'bitrate') }),
    }),
  ),
});
type RecordingInfo = Static<typeof RecordingInfo>;

export interface StoredRecording {
  readonly id: RecordingId;
  readonly folder: string;
  /** Path of the finished MP4; the file may not exist yet. */
  readonly file: string;
  readonly info: RecordingInfo;
}

export interface RecordingStore {
  /** Whether a file of the spool is a recording on its way into the queue: its name is the recording's id. */
  owns(path: string): boolean;
  /**
   * Oldest first. Includes those with missing or damaged metadata. One whose metadata cannot be read for another reason
   * stays as it is, and `onFailure` is called with the error. Rejects where the folder of all cannot be read.
   */
  list(onFailure: (error: Error) => void): Promise<readonly StoredRecording[]>;
  /** Synced to disk when it resolves. */
  begin(id: RecordingId, info: RecordingInfo): Promise<StoredRecording>;
  /** Synced to disk when it resolves. */
  note(recording: StoredRecording, change: Partial<RecordingInfo>): Promise<StoredRecording>;
  /** Path for the segment with this index. */
  segmentPath(recording: StoredRecording, index: number): string;
  /** The existing segment files, in order. */
  segmentPaths(recording: StoredRecording): Promise<readonly string[]>;
  /** First notes on the disk that it is discarded. Rejects where a file stays, which `list` then returns so noted. */
  remove(recording: StoredRecording): Promise<void>;
  /** Moves an unreadable recording aside, where it is kept but no longer listed. Resolves to the new path. */
  setAside(recording: StoredRecording): Promise<string>;
  /** Moves these segments out of the recording's folder, as `setAside` does with all of it. */
  setSegmentsAside(recording: StoredRecording, paths: readonly string[]): Promise<string>;
}

const isInfo = Compile(RecordingInfo);
const ID = Compile(RecordingId);
const INFO_FILE = 'info.json';
/** Written by version 0.1.0, with `making: { numbers, encoder }` in place of `encoding: { params, encoder }`. */
const EARLIER_INFO_FILE = 'about.json';
const SEGMENT = /^(\d+)\.mp4$/;

export const recordingName = (startedAt: number): string => {
  const { date, time } = timestampOf(new Date(startedAt));
  return `Recording ${date} ${time}.mp4`;
};

/** Null: missing, or not JSON. Throws every other error of the file system: the file may be intact. */
const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isSystemError(error) && !isMissing(error)) throw error;
    return null;
  }
};

const fromEarlierInfo = (read: unknown): unknown => {
  if (typeof read !== 'object' || read === null || !('making' in read)) return read;
  const { making, ...info } = read;
  if (typeof making !== 'object' || making === null || !('numbers' in making)) return { ...info, encoding: making };
  const { numbers, ...encoder } = making;
  return { ...info, encoding: { params: numbers, ...encoder } };
};

const readInfo = async (folder: string): Promise<RecordingInfo> => {
  const read =
    (await readJson(join(folder, INFO_FILE))) ?? fromEarlierInfo(await readJson(join(folder, EARLIER_INFO_FILE)));
  if (isInfo.Check(read)) return read;
  // Damaged or never written: the video is what counts.
  const startedAt = Math.round((await stat(folder)).birthtimeMs);
  const name = recordingName(startedAt);
  const nothing = { after: 'settings', state: 'recording', isRecovered: true, lengths: [], encoding: null } as const;
  return { name, startedAt, ...nothing, lengths: [] };
};

export const openRecordingStore = (profileDir: string): RecordingStore => {
  const dir = join(profileDir, 'recordings');
  const recordingOf = (id: RecordingId, info: RecordingInfo): StoredRecording => {
    const folder = join(dir, id);
    return { id, folder, file: join(folder, 'whole.mp4'), info };
  };

  const write = ({ folder, info }: StoredRecording): Promise<void> =>
    writeAtomically(join(folder, INFO_FILE), JSON.stringify(info));

  return {
    owns: (path) => existsSync(join(dir, basename(path, '.mp4'))),
    async list(onFailure) {
      if (!existsSync(dir)) return [];
      const names = (await readdir(dir)).filter((name) => ID.Check(name));
      const read = async (name: string): Promise<readonly StoredRecording[]> => {
        try {
          return [recordingOf(name as RecordingId, await readInfo(join(dir, name)))];
        } catch (error) {
          onFailure(error as Error);
          return [];
        }
      };
      const found = (await Promise.all(names.map(read))).flat();
      return found.sort((a, b) => a.info.startedAt - b.info.startedAt);
    },
    async begin(id, info) {
      makePrivateDir(dir);
      const recording = recordingOf(id, info);
      await mkdir(recording.folder, { mode: 0o700 });
      await write(recording);
      for (const above of [dir, profileDir]) await syncFolder(above);
      return recording;
    },
    async note(recording, change) {
      const changed = recordingOf(recording.id, { ...recording.info, ...change });
      await write(changed);
      return changed;
    },
    segmentPath: ({ folder }, index) => join(folder, `${index}.mp4`),
    async segmentPaths({ folder }) {
      const numbers = (await readdir(folder)).flatMap((name) => SEGMENT.exec(name)?.[1] ?? []).map(Number);
      return numbers.sort((a, b) => a - b).map((number) => join(folder, `${number}.mp4`));
    },
    async remove(recording) {
      const { id, info, folder } = recording;
      if (!existsSync(folder)) return;
      // On a full disk it is deleted all the same.
      await write(recordingOf(id, { ...info, isDiscarded: true })).catch(() => {});
      // The note is the last to go.
      for (const name of await readdir(folder))
        if (name !== INFO_FILE) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
    async setAside({ folder }) {
      const aside = `${folder}.damaged`;
      await rename(folder, aside);
      return aside;
    },
    async setSegmentsAside({ folder }, paths) {
      const aside = `${folder}.segments.damaged`;
      await mkdir(aside, { recursive: true, mode: 0o700 });
      for (const path of paths) await rename(path, join(aside, basename(path)));
      return aside;
    },
  };
};
