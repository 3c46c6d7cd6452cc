/** The selection session: the capture equals the frozen screen to the pixel, and no capture is lost. */
import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ShareFields } from '../../../src/api/content.ts';
import { err, failure, ok } from '../../../src/api/errors.ts';
import type { CaptureId, ItemId } from '../../../src/api/ids.ts';
import type { CaptureAction } from '../../../src/engine/capture/capture-interface.ts';
import { publishedAs } from '../../../src/engine/capture/choose-post-capture-actions.ts';
import { createPendingCaptures } from '../../../src/engine/capture/pending-captures.ts';
import type { Engine, EngineDeps, EngineEvent } from '../../../src/engine/engine.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import type { SecretStore } from '../../../src/engine/ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import type { Area, CaptureSessionIn, OpenWindow } from '../../../src/ipc/protocol/capture.ts';
import type { Settings } from '../../../src/ipc/protocol/settings.ts';
import { layBackdrop } from '../../../src/renderer/drawing/backdrop-layout.ts';
import { itemOf, openEngine, until } from '../../support/engine.ts';
import { shownMode } from '../../support/only-on.ts';
import { only } from '../../support/results.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const LEFT = { x: 0, y: 0, width: 60, height: 40 };
/** Beside it and lower, so that two corners of the desktop belong to no display. */
const RIGHT = { x: 60, y: 20, width: 50, height: 40 };
const DESKTOP = { x: 0, y: 0, width: 110, height: 60 };
const WINDOW: OpenWindow = { x: 5, y: 6, width: 30, height: 20, title: 'Letters: draft', hasKeyboard: true };

interface Scene {
  readonly areas?: readonly Area[];
  readonly settings?: Partial<Settings>;
  readonly ports?: Partial<EngineDeps>;
  readonly profileDir?: string;
}

const openScene = async ({ areas = [LEFT, RIGHT], settings = {}, ports = {}, profileDir }: Scene = {}) => {
  const folder = profileDir ?? temporaryFolder('capture-session');
  const screen = paintScreen(areas, [WINDOW]);
  const home = join(folder, 'home');
  const { engine } = await openEngine(folder, { capturer: screen, environment: { HOME: home }, ...ports });
  const updated = engine.settings.update(settings);
  if (!updated.ok) throw new Error(updated.error.detail);
  const events: EngineEvent[] = [];
  engine.on((event) => events.push(event));
  return { engine, screen, events, home, folder };
};

const start = (engine: Engine, request: Parameters<Engine['capture']['start']>[0] = { mode: 'region' }) =>
  engine.capture.start(request, never);

const choosing = (engine: Engine): CaptureSessionIn<'choosing'> => {
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error(`The session is ${capture?.state ?? 'over'}.`);
  return capture;
};
const editing = (engine: Engine): CaptureSessionIn<'editing'> => {
  const { capture } = engine.state();
  if (capture?.state !== 'editing') throw new Error(`The session is ${capture?.state ?? 'over'}.`);
  return capture;
};

const choose = async (engine: Engine, area: Area, way: CaptureAction = null) =>
  engine.capture.choose({ id: choosing(engine).id, area, way }, never).then((reply) => only(reply, 'item'));

const rgbOf = async (path: string) => sharp(path).raw().toBuffer({ resolveWithObject: true });
const itemIn = (engine: Engine, id: ItemId | null) => {
  const item = id && itemOf(engine, id);
  if (!item) throw new Error('It is not in the queue.');
  return item;
};
const given = <T>(result: { ok: true; value: T } | { ok: false; error: { code: string } }): T => {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};

describe('a chosen area', () => {
  it.each([
    ['on one display', { x: 3, y: 4, width: 21, height: 11 }],
    ['across two displays and outside of them', { x: 50, y: 10, width: 30, height: 30 }],
    ['that is one whole display', RIGHT],
    ['that is the whole desktop', DESKTOP],
  ])('%s is taken exactly, and the session is over', async (_, area) => {
    const { engine, screen } = await openScene();
    expect(await start(engine)).toEqual(ok({}));
    expect(choosing(engine)).toMatchObject({ mode: 'region', purpose: 'picture', windows: [WINDOW], last: null });
    const item = itemIn(engine, given(await choose(engine, area)));
    expect(engine.state().capture).toBeNull();
    expect(item).toMatchObject({ origin: 'capture', source: { owner: 'spool' } });
    expect(statSync(item.source.path).mode & 0o777).toBe(shownMode(0o600));
    const { data, info } = await rgbOf(item.source.path);
    expect(info).toMatchObject({ width: area.width, height: area.height, channels: 3 });
    expect(data.equals(screen.expected(area))).toBe(true);
  });

  it('that reaches beyond the desktop is refused, and the screen stays frozen', async () => {
    const { engine } = await openScene();
    await start(engine);
    const beyond = await choose(engine, { x: 100, y: 0, width: 11, height: 5 });
    expect(beyond).toMatchObject({ ok: false, error: { code: 'CAPTURE_AREA_INVALID' } });
    expect(choosing(engine).id).toBeTruthy();
  });

  it('is what the next session and the mode `last` begin with, also after a restart', async () => {
    const area = { x: 7, y: 8, width: 9, height: 10 };
    const { engine, folder } = await openScene();
    expect(await start(engine, { mode: 'last' })).toMatchObject({ ok: false, error: { code: 'CAPTURE_AREA_INVALID' } });
    await start(engine);
    given(await choose(engine, area));
    await engine.close();
    const { engine: next, screen } = await openScene({ profileDir: folder });
    expect(await start(next, { mode: 'last' })).toEqual(ok({}));
    const [, item] = next.state().queue.items;
    expect((await rgbOf(itemIn(next, item?.id ?? null).source.path)).data.equals(screen.expected(area))).toBe(true);
    await start(next);
    expect(choosing(next).last).toEqual(area);
  });
});

describe('a start', () => {
  it('serves the frozen pixels of each display until the session is over', async () => {
    const { engine } = await openScene();
    await start(engine);
    const { id, displays } = choosing(engine);
    for (const { number, width, height } of displays) {
      const frame = engine.capture.frame(id, number);
      expect(frame?.length).toBe(width * height * 4);
    }
    expect(engine.capture.frame(id, 3)).toBeNull();
    await engine.capture.cancel();
    expect(engine.capture.frame(id, 1)).toBeNull();
    expect(engine.state().capture).toBeNull();
  });

  it('of all screens, and of the screen where there is one, takes the picture at once', async () => {
    const { engine, screen } = await openScene();
    expect(await start(engine, { mode: 'all' })).toEqual(ok({}));
    await start(engine, { mode: 'screen' });
    expect(choosing(engine).mode).toBe('screen');
    await engine.capture.cancel();
    const [all] = engine.state().queue.items;
    expect((await rgbOf(itemIn(engine, all?.id ?? null).source.path)).data.equals(screen.expected(DESKTOP))).toBe(true);

    const { engine: single, screen: one } = await openScene({ areas: [LEFT] });
    expect(await start(single, { mode: 'screen' })).toEqual(ok({}));
    const [item] = single.state().queue.items;
    expect((await rgbOf(itemIn(single, item?.id ?? null).source.path)).data.equals(one.expected(LEFT))).toBe(true);
  });

  it('while a session is open is refused, and its overlay is notified', async () => {
    const { engine, events } = await openScene();
    await start(engine);
    const { id } = choosing(engine);
    expect(await start(engine)).toMatchObject({ ok: false, error: { code: 'CAPTURE_BUSY' } });
    expect(events).toContainEqual({ type: 'recalled' });
    expect(choosing(engine).id).toBe(id);
  });

  it('with a delay waits, can be cancelled, and freezes the screen after the delay', async () => {
    const { engine } = await openScene();
    expect(await start(engine, { mode: 'region', delaySeconds: 60 })).toEqual(ok({}));
    expect(engine.state().capture).toMatchObject({ state: 'waiting', mode: 'region', startsAt: expect.any(Number) });
    await engine.capture.cancel();
    expect(engine.state().capture).toBeNull();
    await start(engine, { mode: 'region', delaySeconds: 1 });
    await until(() => engine.state().capture?.state === 'choosing');
  });

  it('with a delay takes its countdown off the screen before the picture', async () => {
    const clock = sleepingClock();
    const { engine, screen } = await openScene({ ports: { clock } });
    const { freeze } = screen;
    const frozenAt: number[] = [];
    screen.freeze = (...how) => {
      frozenAt.push(clock.now());
      return freeze(...how);
    };
    await start(engine, { mode: 'region', delaySeconds: 1 });
    await clock.advance(700);
    expect(engine.state().capture?.state).toBe('waiting');
    await clock.advance(50);
    expect([engine.state().capture, frozenAt]).toEqual([null, []]);
    await clock.advance(249);
    expect(frozenAt).toEqual([]);
    await clock.advance(1);
    await until(() => engine.state().capture?.state === 'choosing');
    expect(frozenAt).toEqual([1_000]);
  });

  it('that is cancelled while the screen is being frozen shows nothing afterwards', async () => {
    const { engine, screen } = await openScene();
    const { promise, resolve } = Promise.withResolvers<void>();
    screen.gate = promise;
    const started = start(engine);
    await engine.capture.cancel();
    resolve();
    expect(await started).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(engine.state().capture).toBeNull();
    expect(await start(engine)).toEqual(ok({}));
  });
});

/** Until both a picture and its file are deleted, both must exist. */
const spooled = async (engine: Engine) => (await readdir(engine.spoolDir)).toSorted();

describe('after a capture', () => {
  it('a copy is saved in the pictures folder under the name of the template, and no other file is overwritten', async () => {
    const { engine, home, screen } = await openScene({
      settings: {
        afterCapture: { publish: false, copyPicture: false, save: true },
        nameTemplate: '{title} {width}x{height} {n}',
      },
    });
    await mkdir(join(home, '.config'), { recursive: true });
    await writeFile(join(home, '.config', 'user-dirs.dirs'), 'XDG_PICTURES_DIR="$HOME/Bilder"\n');
    const folder = join(home, 'Bilder', 'Linkshot');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'Letters- draft 30x20 1.png'), 'mine');
    await start(engine, { mode: 'window' });
    expect(await choose(engine, WINDOW)).toEqual(ok(null));
    expect(await readFile(join(folder, 'Letters- draft 30x20 1.png'), 'utf8')).toBe('mine');
    const { data } = await rgbOf(join(folder, 'Letters- draft 30x20 1 (2).png'));
    expect(data.equals(screen.expected({ x: WINDOW.x, y: WINDOW.y, width: 30, height: 20 }))).toBe(true);
    expect(await spooled(engine)).toEqual([]);
  });

  it('a folder that cannot be used is reported, and the picture is published all the same', async () => {
    const { engine, folder } = await openScene({
      settings: { afterCapture: { publish: true, copyPicture: false, save: true } },
    });
    await writeFile(join(folder, 'file'), '');
    given(engine.settings.update({ saveFolder: join(folder, 'file') }));
    await start(engine);
    const item = given(await choose(engine, LEFT));
    expect(itemIn(engine, item).name).toMatch(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
    expect(engine.state().notices).toMatchObject([{ code: 'SAVE_FAILED' }]);
  });

  it('a picture that could not be saved opens in the editor when saving was its only action', async () => {
    const { engine, folder, screen } = await openScene();
    await writeFile(join(folder, 'file'), '');
    given(engine.settings.update({ saveFolder: join(folder, 'file') }));
    await start(engine);
    expect(await choose(engine, LEFT, 'save')).toMatchObject({ ok: false, error: { code: 'SAVE_FAILED' } });
    const path = engine.capture.picture(editing(engine).id) ?? '';
    expect((await rgbOf(path)).data.equals(screen.expected(LEFT))).toBe(true);
  });

  it('the picture is on the clipboard of a host that reaches it', async () => {
    const pictures: Uint8Array[] = [];
    const clipboard = {
      writeText: async () => ok(undefined),
      writePicture: async (png: Uint8Array) => ok(void pictures.push(png)),
    };
    const { engine, screen } = await openScene({ ports: { clipboard } });
    await start(engine);
    expect(await choose(engine, LEFT, 'copy')).toEqual(ok(null));
    const [png] = pictures;
    expect((await sharp(png).raw().toBuffer()).equals(screen.expected(LEFT))).toBe(true);
    expect(await spooled(engine)).toEqual([]);
  });

  it('a page that must put it on the clipboard is notified, and finds it also when the picture is published', async () => {
    const { engine, events, screen } = await openScene({
      settings: { afterCapture: { publish: true, copyPicture: true, save: false } },
    });
    await start(engine);
    const item = itemIn(engine, given(await choose(engine, LEFT)));
    const pictureEvent = events.find((event) => event.type === 'picture');
    const path = pictureEvent?.type === 'picture' ? engine.capture.clipboardPicture(pictureEvent.id) : null;
    expect(path).not.toBe(item.source.path);
    engine.queue.cancel({ ids: [item.id] });
    await until(() => !existsSync(item.source.path));
    expect((await rgbOf(path ?? '')).data.equals(screen.expected(LEFT))).toBe(true);
  });
});

describe('a capture without a selection', () => {
  const PASSWORD = { password: 'quiet otter 7' };
  const take = (engine: Engine, share: ShareFields) =>
    engine.capture.take({ target: { mode: 'screen', number: 1 }, pointer: 'hide', delaySeconds: 0, share }, never);
  const openLocked = (set: SecretStore['set'], profileDir?: string) =>
    openScene({ ports: { secrets: { ...createMemoryKeyStore(), set } }, ...(profileDir && { profileDir }) });

  it('that cannot be queued is in the editor, also after a restart, and the error says so', async () => {
    const locked = async () => err(failure('KEY_STORE_FAILED', 'The key store is locked.'));
    const { engine, folder, screen } = await openLocked(locked);
    const taken = await take(engine, PASSWORD);
    expect(taken).toMatchObject({ error: { code: 'KEY_STORE_FAILED', params: { keptIn: 'editor' } } });
    expect(engine.state().queue.items).toEqual([]);
    const path = engine.capture.picture(editing(engine).id) ?? '';
    expect((await rgbOf(path)).data.equals(screen.expected(LEFT))).toBe(true);
    await engine.close();
    const { engine: next } = await openScene({ profileDir: folder });
    expect(next.capture.picture(editing(next).id)).toBe(path);
  });

  it('with a password is saved at the next start where the app ended before it was queued', async () => {
    const begun = Promise.withResolvers<void>();
    const { engine, folder, home, screen } = await openLocked(() => {
      begun.resolve();
      return new Promise(() => {});
    });
    void take(engine, PASSWORD);
    await begun.promise;
    expect(engine.state().capture).toBeNull();
    await engine.close();
    const { engine: next } = await openScene({ profileDir: folder });
    const saved = join(home, 'Pictures', 'Linkshot');
    await until(async () => existsSync(saved) && (await readdir(next.spoolDir)).length === 0);
    const [name = ''] = await readdir(saved);
    expect((await rgbOf(join(saved, name))).data.equals(screen.expected(LEFT))).toBe(true);
    expect(next.state()).toMatchObject({ capture: null, queue: { items: [] } });
  });

  it('belongs to its item alone where the app ended when it was just queued', async () => {
    const { engine, folder } = await openScene();
    const { id } = given(await take(engine, PASSWORD));
    const { path } = itemIn(engine, id).source;
    await engine.close();
    const profile = openProfile(folder, systemClock);
    if (!profile.ok) throw new Error(profile.error.detail);
    const captureId = () => systemRandom.uuid() as string as CaptureId;
    const entryOf = (name: string, at: string) =>
      publishedAs({ id: captureId(), name, path: at, width: 60, height: 40, takenAt: 0 }, PASSWORD);
    const captures = createPendingCaptures(profile.value, folder);
    captures.put(entryOf('queued.png', path));
    const later = `${path}.later.png`;
    await copyFile(path, later);
    captures.put(entryOf('later.png', later));
    await captures.written();
    profile.value.close();
    const { engine: next, home } = await openScene({ profileDir: folder });
    // Captures are resumed in their order.
    await until(() => !existsSync(later));
    expect(await readdir(join(home, 'Pictures', 'Linkshot'))).toEqual(['later.png']);
    expect(itemIn(next, id).source.path).toBe(path);
    expect(existsSync(path)).toBe(true);
  });

  it('is not taken with link settings that the queue refuses', async () => {
    const { engine, screen } = await openScene();
    screen.grab = async () => {
      throw new Error('It was taken.');
    };
    const refused = await take(engine, { visibility: 'public', oneTime: true });
    expect(refused).toMatchObject({ error: { code: 'ONE_TIME_NOT_PUBLIC' } });
    expect(await readdir(engine.spoolDir)).toEqual([]);
  });
});

describe('a chosen area that is pinned', () => {
  type Pinned = Parameters<NonNullable<EngineDeps['pin']>>[0];
  const openPinning = (pin: NonNullable<EngineDeps['pin']>, scene: Scene = {}) =>
    openScene({ ...scene, ports: { pin } });

  it('is handed over with its place on the desktop, and nothing of it stays on the disk', async () => {
    const pinned: Pinned[] = [];
    const pin = async (image: Pinned) => ok(void pinned.push(image));
    const { engine, screen, events } = await openPinning(pin);
    await start(engine);
    const area = { x: 3, y: 4, width: 21, height: 11 };
    expect(await choose(engine, area, 'pin')).toEqual(ok(null));
    const [image] = pinned;
    expect(image).toMatchObject({ area, name: expect.stringMatching(/\.png$/) });
    expect((await sharp(image?.png).raw().toBuffer()).equals(screen.expected(area))).toBe(true);
    expect(await spooled(engine)).toEqual([]);
    expect([engine.state().capture, engine.state().queue.items]).toEqual([null, []]);
    // It is seen: no message says so.
    expect(events.filter(({ type }) => type === 'kept')).toEqual([]);
  });

  it('stays in the editor where it cannot be pinned, and in a host without pins', async () => {
    const refuse = async () => err(failure('APP_FAILED', 'made by the test'));
    for (const { engine } of [await openPinning(refuse), await openScene()]) {
      await start(engine);
      expect((await choose(engine, LEFT, 'pin')).ok).toBe(false);
      expect(existsSync(engine.capture.picture(editing(engine).id) ?? '')).toBe(true);
    }
  });

  it('is saved at the next start where the app ended before it was pinned', async () => {
    const begun = Promise.withResolvers<void>();
    const never = async (): Promise<never> => {
      begun.resolve();
      return new Promise(() => {});
    };
    const { engine, folder, home, screen } = await openPinning(never);
    await start(engine);
    void choose(engine, LEFT, 'pin');
    await begun.promise;
    await engine.close();
    const { engine: next } = await openScene({ profileDir: folder });
    const saved = join(home, 'Pictures', 'Linkshot');
    await until(() => existsSync(saved));
    await expect.poll(() => spooled(next)).toEqual([]);
    const [name = ''] = await readdir(saved);
    expect((await rgbOf(join(saved, name))).data.equals(screen.expected(LEFT))).toBe(true);
  });
});

describe('a picture that only a page can put on the clipboard', () => {
  const offered = async (how: Scene = {}) => {
    const scene = await openScene(how);
    await start(scene.engine);
    expect(await choose(scene.engine, LEFT, 'copy')).toEqual(ok(null));
    const pictureEvent = scene.events.find((event) => event.type === 'picture');
    if (pictureEvent?.type !== 'picture') throw new Error('No page was notified.');
    return { ...scene, id: pictureEvent.id, saved: join(scene.home, 'Pictures', 'Linkshot') };
  };

  it('is deleted once a page has copied it', async () => {
    const { engine, folder, id, saved } = await offered();
    expect(existsSync(engine.capture.clipboardPicture(id) ?? '')).toBe(true);
    engine.capture.copied({ id });
    await engine.close();
    const { engine: next } = await openScene({ profileDir: folder });
    expect(await spooled(next)).toEqual([]);
    expect(existsSync(saved)).toBe(false);
  });

  it('is sent to a page that comes late, until one has fetched it; of several only the newest', async () => {
    const { engine, id } = await offered();
    expect(engine.capture.pendingCopy()).toBe(id);
    await start(engine);
    await choose(engine, LEFT, 'copy');
    const newest = engine.capture.pendingCopy();
    expect(newest).not.toBe(id);
    engine.capture.clipboardPicture(newest ?? id);
    // An older one must not replace it on the clipboard.
    expect(engine.capture.pendingCopy()).toBeNull();
  });

  it('is saved when a page has fetched it and was not allowed to copy it in time', async () => {
    const clock = sleepingClock();
    const { engine, id, saved, screen } = await offered({ ports: { clock } });
    engine.capture.clipboardPicture(id);
    await clock.advance(2 * 60_000);
    await expect.poll(() => spooled(engine)).toEqual([]);
    const [name = ''] = await readdir(saved);
    expect((await rgbOf(join(saved, name))).data.equals(screen.expected(LEFT))).toBe(true);
    expect(engine.capture.clipboardPicture(id)).toBeNull();
  });

  it.each([
    ['no page came', false],
    ['the browser of a page did not allow copying it', true],
  ])('is saved in the end when %s', async (_, isFetched) => {
    const { engine, folder, id, saved, screen } = await offered();
    if (isFetched) engine.capture.clipboardPicture(id);
    await engine.close();
    const { engine: next } = await openScene({ profileDir: folder });
    await until(() => existsSync(saved));
    await expect.poll(() => spooled(next)).toEqual([]);
    const [name = ''] = await readdir(saved);
    expect((await rgbOf(join(saved, name))).data.equals(screen.expected(LEFT))).toBe(true);
    expect(next.state().capture).toBeNull();
  });
});

describe('the editor', () => {
  const opened = async (scene: Scene = {}) => {
    const all = await openScene({ ...scene, settings: { editAfterCapture: true, ...scene.settings } });
    await start(all.engine);
    expect(await choose(all.engine, LEFT)).toEqual(ok(null));
    return { ...all, session: editing(all.engine), original: all.engine.capture.picture(editing(all.engine).id) ?? '' };
  };
  const PUBLISH = { publish: true, copyPicture: false, save: false };
  /** As the intake leaves it. */
  const edited = async (engine: Engine, width: number, height: number, name = 'edited.png') => {
    const path = join(engine.spoolDir, name);
    await sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png()
      .toFile(path);
    return path;
  };

  it('has the picture as it was taken, and returns it unchanged', async () => {
    const { engine, screen, session, original } = await opened();
    expect(session).toMatchObject({ width: 60, height: 40, name: expect.stringMatching(/^Screenshot .*\.png$/) });
    const share = { visibility: 'private' } as const;
    const finished = given(
      only(await engine.capture.finish({ id: session.id, picture: null, after: PUBLISH, share }, never), 'item'),
    );
    const item = itemIn(engine, finished);
    expect(item).toMatchObject({ source: { path: original }, share, name: session.name });
    expect((await rgbOf(item.source.path)).data.equals(screen.expected(LEFT))).toBe(true);
    expect(engine.state().capture).toBeNull();
  });

  it('passes on the annotated picture, and keeps the original until that is published or cancelled', async () => {
    const { engine, session, original } = await opened();
    const picture = await edited(engine, 50, 40);
    const request = { id: session.id, picture, after: PUBLISH, share: {} };
    const item = itemIn(engine, given(only(await engine.capture.finish(request, never), 'item')));
    expect(item.source.path).toBe(picture);
    expect(engine.state().capture).toBeNull();
    expect(existsSync(original)).toBe(true);
    engine.queue.cancel({ ids: [item.id] });
    await until(() => !existsSync(original) && !existsSync(picture));
  });

  it('offers a page the edited picture where publishing fails, and the original stays as it was', async () => {
    const { engine, session, original, screen } = await opened();
    const { id } = session;
    const request = {
      id,
      after: { ...PUBLISH, copyPicture: true },
      share: { oneTime: true, visibility: 'public' },
    } as const;
    const finish = async (picture: string | null) =>
      only(await engine.capture.finish({ ...request, picture }, never), 'item');
    // The first copy is the original itself, by another name.
    expect(await finish(null)).toMatchObject({ error: { code: 'ONE_TIME_NOT_PUBLIC' } });
    expect(await finish(await edited(engine, 60, 40))).toMatchObject({ error: { code: 'ONE_TIME_NOT_PUBLIC' } });
    const red = (await rgbOf(await edited(engine, 60, 40))).data;
    expect((await rgbOf(engine.capture.clipboardPicture(id) ?? '')).data.equals(red)).toBe(true);
    expect((await rgbOf(engine.capture.picture(id) ?? '')).data.equals(screen.expected(LEFT))).toBe(true);
    expect((await rgbOf(original)).data.equals(screen.expected(LEFT))).toBe(true);
  });

  it('passes on a picture that the largest background surrounds', async () => {
    const { engine, session } = await opened();
    const backdrop = { fill: 'white', padding: 'large', corners: 'round', shadow: 'soft', titleBar: 'dark' } as const;
    const { size } = layBackdrop(backdrop, session);
    const picture = await edited(engine, size.width, size.height);
    const request = { id: session.id, picture, after: PUBLISH, share: {} };
    const item = itemIn(engine, given(only(await engine.capture.finish(request, never), 'item')));
    expect(item.source.path).toBe(picture);
  });

  it.each([
    ['is wider than the capture with any background', async (engine: Engine) => edited(engine, 75, 40)],
    ['is higher than the capture with any background', async (engine: Engine) => edited(engine, 60, 151)],
    [
      'is not a PNG',
      async (engine: Engine) => {
        const path = join(engine.spoolDir, 'edited.png');
        await sharp({ create: { width: 6, height: 4, channels: 3, background: 'red' } })
          .jpeg()
          .toFile(path);
        return path;
      },
    ],
    [
      'breaks off',
      async (engine: Engine) => {
        const path = await edited(engine, 60, 40);
        const bytes = await readFile(path);
        await writeFile(path, bytes.subarray(0, bytes.length - 40));
        return path;
      },
    ],
  ])('keeps the picture when what comes back %s', async (_, make) => {
    const { engine, session, original } = await opened();
    const picture = await make(engine);
    const finished = only(
      await engine.capture.finish({ id: session.id, picture, after: PUBLISH, share: {} }, never),
      'item',
    );
    expect(finished).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
    expect(editing(engine).id).toBe(session.id);
    expect(await spooled(engine)).toEqual([basename(original)]);
  });

  it('finishes once: a discard and a second finish that come meanwhile change nothing', async () => {
    const copied: Uint8Array[] = [];
    const clipboard = {
      writeText: async () => ok(undefined),
      writePicture: async (png: Uint8Array) => ok(void copied.push(png)),
    };
    const { engine, session, original, screen } = await opened({ ports: { clipboard } });
    const { id } = session;
    const [picture, late] = [await edited(engine, 50, 40), await edited(engine, 40, 30, 'late.png')];
    const after = { publish: true, copyPicture: true, save: false };
    // The first is reading the picture when the others come: nothing is awaited between them.
    const first = engine.capture.finish({ id, picture, after, share: {} }, never);
    const discard = engine.capture.cancel();
    const second = engine.capture.finish({ id, picture: late, after: PUBLISH, share: {} }, never);
    expect(editing(engine).id).toBe(id);
    expect(engine.state().discarded).toEqual([]);

    await discard;
    expect(await second).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
    const item = itemIn(engine, given(only(await first, 'item')));
    expect(item.source.path).toBe(picture);
    expect(engine.state()).toMatchObject({ capture: null, discarded: [], queue: { items: [{ id: item.id }] } });
    expect(copied).toHaveLength(1);
    expect(existsSync(late)).toBe(false);
    expect((await rgbOf(original)).data.equals(screen.expected(LEFT))).toBe(true);
  });

  describe('copies what is edited', () => {
    const copying = async () => {
      const copied: Buffer[] = [];
      /** The clipboard is free. */
      let free: Promise<unknown> = Promise.resolve();
      const clipboard = {
        writeText: async () => ok(undefined),
        writePicture: async (png: Uint8Array) => {
          await free;
          copied.push(await sharp(png).raw().toBuffer());
          return ok(undefined);
        },
      };
      const all = await opened({ ports: { clipboard } });
      const occupy = () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        free = promise;
        return resolve;
      };
      return { ...all, copied, occupy, clipboard };
    };

    it('and leaves it in the editor: nothing is uploaded or saved, and no file is left', async () => {
      const { engine, session, original, screen, copied, home } = await copying();
      const { id } = session;
      expect(await engine.capture.copy({ id, picture: null })).toEqual(ok({}));
      expect(await engine.capture.copy({ id, picture: await edited(engine, 50, 40) })).toEqual(ok({}));
      expect(copied[0]?.equals(screen.expected(LEFT))).toBe(true);
      expect(copied[1]).toHaveLength(50 * 40 * 3);
      expect(editing(engine)).toEqual(session);
      expect(engine.state().queue.items).toEqual([]);
      expect(existsSync(join(home, 'Pictures'))).toBe(false);
      expect(await spooled(engine)).toEqual([basename(original)]);
    });

    it('in the order of the changes, and before what Copy puts there at the end', async () => {
      const { engine, session, screen, copied, occupy } = await copying();
      const { id } = session;
      const release = occupy();
      const first = engine.capture.copy({ id, picture: null });
      const second = engine.capture.copy({ id, picture: await edited(engine, 50, 40) });
      const after = { publish: false, copyPicture: true, save: false };
      const last = await edited(engine, 40, 30, 'last.png');
      const finished = engine.capture.finish({ id, picture: last, after, share: {} }, never);
      const late = engine.capture.copy({ id, picture: await edited(engine, 20, 10, 'late.png') });
      release();
      expect(await first).toEqual(ok({}));
      // One that had not begun is not worth the wait.
      expect(await second).toMatchObject({ error: { code: 'CAPTURE_GONE' } });
      expect(await finished).toMatchObject({ ok: true });
      expect(await late).toMatchObject({ error: { code: 'CAPTURE_GONE' } });
      expect(copied[0]?.equals(screen.expected(LEFT))).toBe(true);
      expect(copied.map(({ length }) => length / 3)).toEqual([60 * 40, 40 * 30]);
      expect(await spooled(engine)).toEqual([]);
    });

    it('and reports where that fails; the next copy works', async () => {
      const { engine, session, original, copied, clipboard } = await copying();
      const { id } = session;
      const write = clipboard.writePicture;
      const why = err(failure('APP_FAILED', 'made by the test'));
      clipboard.writePicture = async () => why as never;
      expect(await engine.capture.copy({ id, picture: await edited(engine, 50, 40) })).toEqual(why);
      clipboard.writePicture = write;
      expect(await engine.capture.copy({ id, picture: await edited(engine, 75, 40) })).toMatchObject({
        error: { code: 'COMMAND_INVALID' },
      });
      expect(await engine.capture.copy({ id, picture: await edited(engine, 50, 40) })).toEqual(ok({}));
      expect(copied).toHaveLength(1);
      expect(await spooled(engine)).toEqual([basename(original)]);
    });

    it('only where the host can, else the page does', async () => {
      const { engine, session, original } = await opened();
      const picture = await edited(engine, 50, 40);
      expect(await engine.capture.copy({ id: session.id, picture })).toMatchObject({
        error: { code: 'COMMAND_INVALID' },
      });
      expect(await spooled(engine)).toEqual([basename(original)]);
    });
  });

  it('shows it again after a restart', async () => {
    const { engine, folder, session, screen } = await opened();
    await engine.close();
    const { engine: next } = await openScene({ profileDir: folder });
    expect(editing(next)).toEqual(session);
    expect((await rgbOf(next.capture.picture(session.id) ?? '')).data.equals(screen.expected(LEFT))).toBe(true);
    expect(await start(next)).toMatchObject({ ok: false, error: { code: 'CAPTURE_BUSY' } });
  });
});
