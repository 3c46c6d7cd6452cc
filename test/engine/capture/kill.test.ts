/** However the process ends, a screenshot is in the editor or in the queue exactly once, with its drawing. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CaptureId, ItemId } from '../../../src/api/ids.ts';
import { KEPT_MS } from '../../../src/engine/capture/discarded-captures.ts';
import { createPendingCaptures, type PendingCapture } from '../../../src/engine/capture/pending-captures.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { SINGLE_ACTION } from '../../../src/ipc/protocol/capture.ts';
import { openEngine, until } from '../../support/engine.ts';
import { openTestHost } from '../../support/open-host.ts';
import { must } from '../../support/results.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drawing } from '../../support/window/drawing.ts';

const CAPTURES = fileURLToPath(new URL('../../support/processes/capture-process.ts', import.meta.url));
const DRAWS = fileURLToPath(new URL('../../support/processes/draft-process.ts', import.meta.url));
const AREA = { x: 0, y: 0, width: 64, height: 48 };
const never = new AbortController().signal;
const expected = paintScreen([AREA]).expected(AREA);
const rgbOf = (path: string) => sharp(path).raw().toBuffer();

/** Runs the process until it has said so many words, and kills it some time later; answers what it said. */
const runUntilKilled = async (profileDir: string, words: number, laterMs: number, script = CAPTURES) => {
  const child = spawn(process.execPath, [script, profileDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  const gone = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    said.push(line);
    if (said.length === words) setTimeout(() => child.kill('SIGKILL'), laterMs);
  });
  await Promise.all([gone, once(lines, 'close')]);
  return said;
};

const openScene = (profileDir: string) => openEngine(profileDir, { capturer: paintScreen([AREA]), environment: {} });

/** A picture in the editor of a profile whose process has ended. */
const leaveEditing = async (): Promise<{ readonly profileDir: string; readonly path: string }> => {
  const profileDir = temporaryFolder('capture-left');
  const { engine } = await openScene(profileDir);
  await engine.capture.start({ mode: 'region', delaySeconds: 0 }, never);
  const { capture } = engine.state();
  if (capture?.state === 'choosing') await engine.capture.choose({ id: capture.id, area: AREA, way: 'edit' }, never);
  const editing = engine.state().capture;
  const path = editing?.state === 'editing' ? engine.capture.picture(editing.id) : null;
  await engine.close();
  if (path === null) throw new Error('The picture is not with the editor.');
  return { profileDir, path };
};

describe('a process that is killed', () => {
  it('while the picture is with the editor offers it again, pixel by pixel', async () => {
    const profileDir = temporaryFolder('capture-killed');
    const [taken = ''] = await runUntilKilled(profileDir, 1, 0);
    const { engine } = await openScene(profileDir);
    // It may have got as far as the queue before the signal came.
    const where = () => {
      const { capture, queue } = engine.state();
      return capture?.state === 'editing' ? engine.capture.picture(capture.id) : queue.items[0]?.source.path;
    };
    await until(() => Boolean(where()));
    const path = where();
    expect(taken).toMatch(/^taken /);
    expect((await rgbOf(path ?? '')).equals(expected)).toBe(true);
  });

  it('at any moment has lost no picture and published none twice', async () => {
    const profileDir = temporaryFolder('capture-killed-often');
    const random = seededRandom(5);
    let before = 0;
    for (let kills = 0; kills < 6; kills++) {
      const said = await runUntilKilled(profileDir, 1 + Math.floor(random() * 4), Math.floor(random() * 12));
      const counted = (word: string) => said.filter((line) => line.startsWith(word)).length;
      const { engine: first } = await openScene(profileDir);
      const inEditor = (engine: Engine) => (engine.state().capture?.state === 'editing' ? 1 : 0);
      // Items that were being queued continue in the queue.
      await until(() => first.state().queue.items.length + inEditor(first) - before >= counted('taken'));
      await first.close();

      const { engine } = await openScene(profileDir);
      const { items } = engine.state().queue;
      expect(items.length - before).toBeGreaterThanOrEqual(counted('finished'));
      // The last one may be further than it could say.
      expect(items.length - before + inEditor(engine)).toBeLessThanOrEqual(counted('taken') + 1);
      expect(new Set(items.map(({ source }) => source.path)).size).toBe(items.length);
      for (const { source } of items) expect((await rgbOf(source.path)).equals(expected)).toBe(true);
      // The next run begins with an empty editor.
      await engine.capture.cancel();
      expect(engine.state().capture).toBeNull();
      before = items.length;
      await engine.close();
    }
  });

  it('between the fact and the name of the file finds the whole picture', async () => {
    const { profileDir, path } = await leaveEditing();
    renameSync(path, `${path}.part`);
    const host = await openTestHost(profileDir);
    expect(host.engine.state().capture?.state).toBe('editing');
    expect((await rgbOf(path)).equals(expected)).toBe(true);
    await host.close();
  });
});

describe('a process that is killed while the user draws', () => {
  it('has the last saved drawing or the one being saved, and never a part of one', async () => {
    const random = seededRandom(9);
    for (let kills = 0; kills < 3; kills++) {
      const profileDir = temporaryFolder('draft-killed');
      const said = await runUntilKilled(profileDir, 2 + Math.floor(random() * 40), Math.floor(random() * 5), DRAWS);
      const kept = Number(said.at(-1)?.split(' ')[1]);
      const { engine } = await openScene(profileDir);
      const { capture } = engine.state();
      const draft = capture?.state === 'editing' ? must(await engine.capture.draft({ id: capture.id })).draft : null;
      expect(draft?.drawing.marks).toHaveLength(7);
      expect([kept, kept + 1]).toContain(draft?.drawing.nextId);
    }
  });

  it('has the picture that was discarded before, with its annotations, for the rest of its hour', async () => {
    const profileDir = temporaryFolder('discarded-killed');
    const [first = ''] = await runUntilKilled(profileDir, 2, 0, DRAWS);
    const id = first.replace('discarded ', '');
    // Uses the clock of the killed process: a faster one may be an hour ahead of it by now.
    const ports = { capturer: paintScreen([AREA]), environment: {}, clock: systemClock };
    const { engine } = await openEngine(profileDir, ports);
    expect(engine.state().discarded).toMatchObject([{ id }]);
    await engine.capture.cancel();
    const [, older] = engine.state().discarded;
    if (!older || !engine.capture.restore({ id: older.id }).ok) throw new Error('It did not come back.');
    expect(older.id).toBe(id);
    expect((await rgbOf(engine.capture.picture(older.id) ?? '')).equals(expected)).toBe(true);
    expect(must(await engine.capture.draft({ id: older.id })).draft?.drawing.marks).toHaveLength(7);
    await engine.capture.cancel();
    await engine.close();

    // An hour later it is deleted completely.
    await runUntilKilled(profileDir, 2, 0, DRAWS);
    const later = { ...systemClock, now: () => Date.now() + KEPT_MS };
    const { engine: next } = await openEngine(profileDir, {
      capturer: paintScreen([AREA]),
      environment: {},
      clock: later,
    });
    const { capture } = next.state();
    const editing = capture?.state === 'editing' ? capture.id : '';
    await until(() => readdirSync(next.spoolDir).every((name) => name.startsWith(editing)));
    expect(next.state().discarded).toEqual([]);
  });
});

describe('a picture with the editor', () => {
  it('is not deleted by the cleanup of the spool, however old it is', async () => {
    const { profileDir, path } = await leaveEditing();
    const orphan = join(profileDir, 'spool', 'orphan.png');
    writeFileSync(orphan, 'unused');
    const longAgo = Date.now() / 1000 - 10 * 24 * 60 * 60;
    for (const file of [path, orphan]) utimesSync(file, longAgo, longAgo);
    const { engine } = await openScene(profileDir);
    await until(() => !existsSync(orphan));
    expect(readdirSync(join(profileDir, 'spool'))).toEqual([basename(path)]);
    expect(engine.state().capture?.state).toBe('editing');
  });

  it('does not become an item when the list of uploads was damaged', async () => {
    const { profileDir, path } = await leaveEditing();
    // What was drawn on it is no picture of its own.
    writeFileSync(`${path}.drawing`, JSON.stringify(drawing(AREA)));
    for (const name of readdirSync(profileDir).filter((one) => /^profile\.sqlite(-wal|-shm)$/.test(one)))
      renameSync(join(profileDir, name), join(profileDir, `${name}.aside`));
    writeFileSync(join(profileDir, 'profile.sqlite'), 'no database at all, and long enough to be looked at by anybody');
    const { engine } = await openScene(profileDir);
    const { capture, queue } = engine.state();
    expect(queue.items).toEqual([]);
    const id = capture?.state === 'editing' ? capture.id : ('' as CaptureId);
    expect(engine.capture.picture(id)).toBe(path);
    expect(must(await engine.capture.draft({ id })).draft).toEqual(drawing(AREA));
  });
});

it('a screenshot that cannot be finished is reported, and does not keep the next ones', async () => {
  const profileDir = temporaryFolder('capture-resume');
  const saveFolder = temporaryFolder('capture-resume-saved');
  const { engine } = await openScene(profileDir);
  engine.settings.update({ saveFolder });
  const { spoolDir } = engine;
  await engine.close();
  const opened = openProfile(profileDir, systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const pending = createPendingCaptures(opened.value, profileDir);
  const leave = (name: string, status: PendingCapture['status']) => {
    const path = join(spoolDir, name);
    const size = { width: AREA.width, height: AREA.height };
    pending.put({ id: randomUUID() as string as CaptureId, path, name, ...size, takenAt: 0, status });
    return path;
  };
  // A folder cannot be deleted as a file is.
  mkdirSync(leave('first.png', { is: 'kept', item: randomUUID() as string as ItemId }));
  const picture = join(spoolDir, 'second.png');
  writeFileSync(picture, 'a picture');
  leave('second.png', { is: 'going', picture, after: SINGLE_ACTION.save, share: {} });
  await pending.written();
  opened.value.close();
  const again = (await openScene(profileDir)).engine;
  await until(() => existsSync(join(saveFolder, 'second.png')));
  expect(again.state().notices).toMatchObject([{ code: 'APP_FAILED' }]);
});
