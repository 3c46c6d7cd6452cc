/**
 * Stores recordings that are not queued yet, each in a private folder of the profile. A folder exists before its
 * recording starts and is deleted only when the recording is queued or discarded, so that recordings are found after a
 * crash.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { literals, Nullable } from '../../api/content.ts';
import { RecordingId } from '../../api/ids.ts';
import { open, readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import { timestampOf } from '../../ipc/protocol/timestamp.ts';
import { makePrivateDir } from '../profile/spool.ts';
import { EncoderParams } from './encoder-params.ts';

/** Metadata stored beside the video. */
const About = Type.Object({
  /** With its file extension. */
  name: Type.String({ minLength: 1 }),
  /** Milliseconds since 1970-01-01 UTC. */
  startedAt: Type.Integer({ minimum: 0 }),
  /** What happens when it has ended. */
  after: literals('settings', 'review'),
  /** `recording`: still being written, or ended by a crash. */
  state: literals('recording', 'ended'),
  isRecovered: Type.Boolean(),
  /** Length of each segment up to the stop request; null: its full length. Milliseconds. */
  lengths: Type.Array(Nullable(Type.Number({ minimum: 0 }))),
  /** Encoder parameters; null: unknown. */
  making: Nullable(
    Type.Object({
      numbers: EncoderParams,
      encoder: Type.Object({ name: Type.String(), kind: literals('x264', 'bitrate') }),
    }),
  ),
});
type About = Static<typeof About>;

export interface StoredRecording {
  readonly id: RecordingId;
  readonly folder: string;
  /** Path of the finished MP4; the file may not exist yet. */
  readonly whole: string;
  readonly about: About;
}

export interface RecordingStore {
  /** Whether a file of the spool is a recording on its way into the queue: its name is the recording's id. */
  holds(path: string): boolean;
  /** Oldest first. Includes folders with unreadable metadata. */
  list(): Promise<readonly StoredRecording[]>;
  begin(id: RecordingId, about: About): Promise<StoredRecording>;
  /** Synced to disk when it resolves. */
  note(recording: StoredRecording, change: Partial<About>): Promise<StoredRecording>;
  /** Path for the segment with this index. */
  piece(recording: StoredRecording, index: number): string;
  /** The existing segment files, in order. */
  pieces(recording: StoredRecording): Promise<readonly string[]>;
  remove(recording: StoredRecording): Promise<void>;
  /** Moves an unreadable recording aside, where it is kept but no longer listed. Resolves to the new path. */
  setAside(recording: StoredRecording): Promise<string>;
}

const isAbout = Compile(About);
const ID = Compile(RecordingId);
const ABOUT = 'about.json';
const PIECE = /^(\d+)\.mp4$/;

export const recordingName = (startedAt: number): string => {
  const { date, time } = timestampOf(new Date(startedAt));
  return `Recording ${date} ${time}.mp4`;
};

const readAbout = async (folder: string): Promise<About> => {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, ABOUT), 'utf8'));
    if (isAbout.Check(read)) return read;
  } catch {
    // Damaged or never written: the video is what counts.
  }
  const startedAt = Math.round((await stat(folder)).birthtimeMs);
  const name = recordingName(startedAt);
  const nothing = { after: 'settings', state: 'recording', isRecovered: true, lengths: [], making: null } as const;
  return { name, startedAt, ...nothing, lengths: [] };
};

export const openRecordingStore = (profileDir: string): RecordingStore => {
  const dir = join(profileDir, 'recordings');
  const shelved = (id: RecordingId, about: About): StoredRecording => {
    const folder = join(dir, id);
    return { id, folder, whole: join(folder, 'whole.mp4'), about };
  };

  const write = async ({ folder, about }: StoredRecording): Promise<void> => {
    const path = join(folder, ABOUT);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(about));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  };

  return {
    holds: (path) => existsSync(join(dir, basename(path, '.mp4'))),
    async list() {
      if (!existsSync(dir)) return [];
      const names = (await readdir(dir)).filter((name) => ID.Check(name));
      const found = await Promise.all(
        names.map(async (name) => shelved(name as RecordingId, await readAbout(join(dir, name)))),
      );
      return found.sort((a, b) => a.about.startedAt - b.about.startedAt);
    },
    async begin(id, about) {
      makePrivateDir(dir);
      const recording = shelved(id, about);
      await mkdir(recording.folder, { mode: 0o700 });
      await write(recording);
      return recording;
    },
    async note(recording, change) {
      const changed = shelved(recording.id, { ...recording.about, ...change });
      await write(changed);
      return changed;
    },
    piece: ({ folder }, index) => join(folder, `${index}.mp4`),
    async pieces({ folder }) {
      const numbers = (await readdir(folder)).flatMap((name) => PIECE.exec(name)?.[1] ?? []).map(Number);
      return numbers.sort((a, b) => a - b).map((number) => join(folder, `${number}.mp4`));
    },
    remove: ({ folder }) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    async setAside({ folder }) {
      const aside = `${folder}.damaged`;
      await rename(folder, aside);
      return aside;
    },
  };
};
