/**
 * What the doctor tells of a temporary folder, and of a profile: a repair of its database, and files that are lost or
 * left over.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failure, ok } from '../../src/api/errors.ts';
import type { EngineClient } from '../../src/cli/client/engine-client.ts';
import { checkHotkeys, checkProfile, checkSpool, checkVideo } from '../../src/cli/commands/doctor-checks.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import type { PreparedFile } from '../../src/ipc/protocol/prepared-file.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeItem, makeState } from '../support/window/app-state.ts';

const root = temporaryFolder('doctor-checks');
let profiles = 0;

/** A client of an engine in this state, with these files in the spool. */
const clientWith = (change: (spool: string) => Partial<AppState>, files: readonly string[] = []): EngineClient => {
  profiles += 1;
  const spool = join(root, String(profiles));
  mkdirSync(spool, { recursive: true });
  for (const name of files) writeFileSync(join(spool, name), 'bytes');
  const client: Partial<EngineClient> = {
    state: () => makeState(change(spool)),
    kind: () => 'here',
    call: (async () => ok({ path: spool })) as unknown as EngineClient['call'],
  };
  return client as EngineClient;
};

const hotkey = failure('HOTKEY_TAKEN', 'Another program has it.');

it('a temporary folder that cannot be used is told, and ends no check', async () => {
  const file = join(root, 'temporary');
  writeFileSync(file, '');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, file);
  expect(await checkVideo({}, new AbortController().signal)).toMatchObject({
    ...{ check: 'video', state: 'fail' },
    message: expect.stringContaining(`The temporary folder ${file} cannot be used`),
  });
});

describe('the profile', () => {
  it('tells a repair of the database, whatever else is to be told', () => {
    const damage = failure('PROFILE_DAMAGED', 'It was rebuilt.', { params: { movedTo: '/a/damaged', copyOf: null } });
    const client = clientWith(() => ({ notices: [hotkey, damage] }));
    expect(checkProfile(client, root)).toMatchObject({ state: 'warn', message: 'It was rebuilt.' });
  });

  it('is well where only other notices are shown', () => {
    expect(
      checkProfile(
        clientWith(() => ({ notices: [hotkey] })),
        root,
      ),
    ).toMatchObject({ state: 'ok' });
  });
});

describe('the hotkeys', () => {
  it('are told where the desktop refuses them, each with its reason', () => {
    const { hotkeys } = makeState();
    const plain = { bound: null, pressedAt: null };
    const keys = [
      { ...plain, action: 'all', accelerator: 'Alt+F4', state: 'refused', failure: hotkey } as const,
      { ...plain, action: 'screen', accelerator: 'Control+K', state: 'asked', failure: null } as const,
    ];
    expect(checkHotkeys(clientWith(() => ({ hotkeys: { ...hotkeys, keys } })))).toEqual([
      {
        check: 'hotkeys',
        state: 'warn',
        message: hotkey.detail,
        advice: 'The settings show what each hotkey does, and can test it.',
      },
    ]);
    expect(checkHotkeys(clientWith(() => ({})))).toEqual([]);
  });
});

describe('the spool', () => {
  const bodyAt = (path: string, kind: 'video' | 'folder'): PreparedFile =>
    ({ path, name: 'sent', size: 5, made: { kind } }) as unknown as PreparedFile;
  const check = (items: (spool: string) => readonly QueueItem[], files: readonly string[]) =>
    checkSpool(clientWith((spool) => ({ queue: { items: [...items(spool)], live: {}, paused: false } }), files));

  it('misses a converted file, also of a source that is the user’s', async () => {
    const items = (spool: string) => [makeItem('hashed', 1, { body: bodyAt(join(spool, '1.0.mp4'), 'video') })];
    expect(await check(items, [])).toMatchObject({ state: 'fail', message: 'Waiting items are missing 1 file.' });
    expect(await check(items, ['1.0.mp4'])).toMatchObject({ state: 'ok', message: '1 file, 5 bytes' });
  });

  it('misses a source beside what was made of it', async () => {
    const items = (spool: string) => [
      makeItem('hashed', 1, {
        source: { owner: 'spool', path: join(spool, 'shot.mp4') },
        body: bodyAt(join(spool, '1.0.mp4'), 'video'),
      }),
    ];
    expect(await check(items, ['1.0.mp4'])).toMatchObject({ message: 'Waiting items are missing 1 file.' });
  });

  it('does not miss the archive of a folder, which is packed again', async () => {
    const items = (spool: string) => [
      makeItem('posting', 1, { job: { kind: 'folder' }, body: bodyAt(join(spool, '1.0'), 'folder') }),
    ];
    expect(await check(items, [])).toMatchObject({ state: 'ok' });
  });

  it('tells unused files beside finished items, whose own files are removed', async () => {
    const items = (spool: string) => [
      makeItem('linked', 1, { source: { owner: 'spool', path: join(spool, 'shot.png') } }),
    ];
    expect(await check(items, ['left.png'])).toMatchObject({
      state: 'ok',
      message: '1 file, 5 bytes; unused files are removed within a day',
    });
    expect(await check(items, [])).toMatchObject({ state: 'ok', message: '0 files, 0 bytes' });
  });
});
