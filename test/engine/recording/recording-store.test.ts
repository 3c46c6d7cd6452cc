/** The metadata of recordings on disk. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordingId } from '../../../src/api/ids.ts';
import { openRecordingStore } from '../../../src/engine/recording/recording-store.ts';
import { itWith } from '../../support/only-on.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inodeOf, watchSyncs } from '../../support/watch-syncs.ts';

const noFailure = (error: Error): never => {
  throw error;
};
const root = temporaryFolder('recording-store');

const PARAMS = {
  ...{ width: 640, height: 480, fps: 30, crf: 23, preset: 'veryfast' },
  ...{ maxBits: 771_360, bufferBits: 385_680, keyFrames: 60, audioBits: 0 },
};
const ENCODER = { name: 'libx264', kind: 'x264' } as const;
const INFO = {
  ...({ name: 'Recording.mp4', startedAt: 7, after: 'review', state: 'recording', isRecovered: false } as const),
  lengths: [null, 1_200],
};

const folderWith = (text: string) => {
  const profile = join(root, randomUUID());
  const id = randomUUID() as string as RecordingId;
  const folder = join(profile, 'recordings', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'about.json'), text);
  return { store: openRecordingStore(profile), id, profile };
};

it.each([
  ['an encoder', { numbers: PARAMS, encoder: ENCODER }, { params: PARAMS, encoder: ENCODER }],
  ['no encoder', null, null],
])(
  'reads the metadata that version 0.1.0 has written, with %s, and keeps it when it changes',
  async (_, making, encoding) => {
    const { store, id } = folderWith(JSON.stringify({ ...INFO, making }));
    const [found] = await store.list(noFailure);
    expect(found).toMatchObject({ id, info: { ...INFO, encoding } });
    if (!found) return;
    await store.note(found, { state: 'ended' });
    expect((await store.list(noFailure))[0]?.info).toEqual({ ...INFO, encoding, state: 'ended' });
  },
);

it.each(['', '{', '[]', '{"making":5}'])('lists a recording whose metadata is damaged: %j', async (text) => {
  const { store, id } = folderWith(text);
  expect(await store.list(noFailure)).toMatchObject([
    { id, info: { state: 'recording', isRecovered: true, encoding: null } },
  ]);
});

it('leaves a recording alone whose metadata cannot be read now, and lists the others', async () => {
  const { store, id, profile } = folderWith('{');
  // Like a file that the system refuses: a folder cannot be read.
  mkdirSync(join(profile, 'recordings', randomUUID(), 'info.json'), { recursive: true });
  const failures: Error[] = [];
  expect(await store.list((error) => void failures.push(error))).toMatchObject([{ id }]);
  expect(failures).toMatchObject([{ code: 'EISDIR' }]);
});

itWith('sync of folders')(
  'is on the disk with the names of its folder and of its metadata, from the start on',
  async () => {
    const profile = temporaryFolder('recording-synced');
    const synced: number[] = [];
    await watchSyncs((inode, kind) => void (kind === 'folder' && synced.push(inode)));
    const folders = () => synced.splice(0);
    const store = openRecordingStore(profile);
    const recording = await store.begin(randomUUID() as string as RecordingId, {
      ...INFO,
      encoding: null,
      lengths: [],
    });
    expect(folders()).toEqual([recording.folder, join(profile, 'recordings'), profile].map(inodeOf));
    await store.note(recording, { state: 'ended' });
    expect(folders()).toEqual([inodeOf(recording.folder)]);
  },
);

itWith('sync of folders')(
  'that is removed counts as discarded on the disk before its first file is deleted',
  async () => {
    const store = openRecordingStore(temporaryFolder('recording-removed'));
    const recording = await store.begin(randomUUID() as string as RecordingId, {
      ...INFO,
      encoding: null,
      lengths: [],
    });
    writeFileSync(store.segmentPath(recording, 0), 'frames');
    const onDisk: unknown[] = [];
    await watchSyncs((inode, kind) => {
      if (kind !== 'folder' || inode !== inodeOf(recording.folder)) return;
      const info: unknown = JSON.parse(readFileSync(join(recording.folder, 'info.json'), 'utf8'));
      onDisk.push([info, readdirSync(recording.folder).sort()]);
    });
    await store.remove(recording);
    expect(onDisk).toEqual([[expect.objectContaining({ isDiscarded: true }), ['0.mp4', 'info.json']]]);
    expect(existsSync(recording.folder)).toBe(false);
    await store.remove(recording);
  },
);
