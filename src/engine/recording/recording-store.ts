/**
 * The recordings of a profile that are not in the queue yet, a folder each, private to its owner. Promise: a folder is
 * there before its recording begins and goes only when the queue has it or nobody wants it; so that what a crash leaves
 * is found by looking.
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

/** What is known of a recording beside its pictures. */
const About = Type.Object({
  /** With its ending. */
  name: Type.String({ minLength: 1 }),
  /** Milliseconds since 1970-01-01 UTC. */
  startedAt: Type.Integer({ minimum: 0 }),
  /** What becomes of it when it has ended. */
  after: literals('settings', 'review'),
  /** `recording`: it may still be written, or a crash ended it. */
  state: literals('recording', 'ended'),
  isRecovered: Type.Boolean(),
  /** Of each piece, up to the word that ended it; null: as long as it is. Milliseconds. */
  lengths: Type.Array(Nullable(Type.Number({ minimum: 0 }))),
  /** How it was encoded; null: nobody knows any more. */
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
  /** The finished MP4; it may not be there yet. */
  readonly whole: string;
  readonly about: About;
}

export interface RecordingStore {
  /** Whether a file of the spool is a recording's on its way into the queue: it has the recording's id for a name. */
  holds(path: string): boolean;
  /** Oldest first. A folder that tells nothing of itself is there all the same. */
  list(): Promise<readonly StoredRecording[]>;
  begin(id: RecordingId, about: About): Promise<StoredRecording>;
  /** Safe from a power cut when it answers. */
  note(recording: StoredRecording, change: Partial<About>): Promise<StoredRecording>;
  /** Where the next piece is written. */
  piece(recording: StoredRecording, index: number): string;
  /** Those that are there, in their order. */
  pieces(recording: StoredRecording): Promise<readonly string[]>;
  remove(recording: StoredRecording): Promise<void>;
  /** Nothing can be read of it: it is kept for whoever can, and listed no more. Answers where. */
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
    // Torn, or never written: the pictures are what counts.
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
