/** Captures of Wayland desktops against doubles of compositor, grim and portal: layouts, refusals and crashes. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openScreenCapturer } from '../../../src/engine/capture/open-screen-capturer.ts';
import { readSwayTree } from '../../../src/engine/capture/wayland/sway-windows.ts';
import { programsIn } from '../../../src/engine/run-helper-program.ts';
import { askPortal } from '../../../src/engine/wayland/desktop-portal.ts';
import { parseOutputs } from '../../../src/engine/wayland/kwin-outputs.ts';
import { openSessionBus } from '../../../src/engine/wayland/session-bus.ts';
import { desktopName, isWaylandSession } from '../../../src/engine/wayland/session-environment.ts';
import { askDesktop } from '../../../src/engine/wayland-desktop-abilities.ts';
import { isWindows, unless } from '../../support/only-on.ts';
import { type DoubleOutput, openCompositorDouble } from '../../support/screen/compositor-double.ts';
import { openPortalDouble, openTestBus, type PortalDouble } from '../../support/screen/portal-double.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const PLAIN: DoubleOutput = { name: 'DP-1', mode: [4, 2], logical: [0, 0, 4, 2] };
const SHARP: DoubleOutput = { name: 'DP-2', mode: [6, 3], logical: [4, 0, 4, 2] };
const TURNED: DoubleOutput = { name: 'DP-3', mode: [4, 2], transform: 1, logical: [-2, 0, 2, 4] };

type Environment = Readonly<Record<string, string>>;
const capturerIn = (environment: Environment) =>
  openScreenCapturer({ platform: 'linux', environment, ffmpeg: async () => null });
const detailOf = (result: { ok: true } | { ok: false; error: { detail: string } }) =>
  result.ok ? 'done' : result.error.detail;

const compositor = async (
  outputs: readonly DoubleOutput[],
  protocols: readonly string[] = [],
): Promise<Environment> => {
  const double = await openCompositorDouble(temporaryFolder('compositor'), outputs, protocols);
  onTestFinished(double.close);
  return double.environment;
};

it('a Wayland session is known by its variables, and a desktop by its name', () => {
  expect(isWaylandSession({ WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland', DISPLAY: ':0' })).toBe(true);
  expect(isWaylandSession({ WAYLAND_DISPLAY: 'wayland-0' })).toBe(true);
  expect(isWaylandSession({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0', XDG_SESSION_TYPE: 'x11' })).toBe(false);
  expect(desktopName({ XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' })).toBe('GNOME');
  expect(desktopName({ XDG_CURRENT_DESKTOP: 'Hyprland' })).toBe('Hyprland');
  expect(desktopName({})).toBe('This desktop');
});

it('KWin tells its outputs in a text, disabled ones among them', () => {
  const text = `Screens
=======
Number of Screens: 2

Screen 0:
---------
Name: eDP-1
Enabled: 1
Geometry: 0,0,1280x800
Scale: 1.5
Screen 1:
---------
Name: DP-1
Enabled: 0
Geometry: 0,0,0x0
Scale: 1

Compositing
===========`;
  expect(parseOutputs(text)).toEqual([
    { name: 'eDP-1', logical: { x: 0, y: 0, width: 1280, height: 800 }, width: 1920, height: 1200, scale: 1.5 },
  ]);
  expect(parseOutputs('Screens: none')).toEqual([]);
});

describe.skipIf(isWindows)(`by grim${unless('programs of Linux')}`, () => {
  /** Each output has one colour; `-c` makes it darker. Refuses every variable that grim does not need. */
  const GRIM = `[ -z "$LINKSHOT_KEY" ] && [ -z "$DISPLAY" ] || exit 1
[ "$1" = -c ] && shift && dark=yes
[ "$1" = -o ] && [ "$3 $4 $5" = "-t ppm -" ] || exit 1
case $2 in DP-1) size="4 2"; n=8; c=a ;; DP-2) size="6 3"; n=18; c=b ;; DP-3) size="2 4"; n=8; c=c ;; esac
[ -z "$dark" ] || c=D
printf "P6\\n$size\\n255\\n"; i=0; while [ $i -lt $((n * 3)) ]; do printf $c; i=$((i + 1)); done`;
  const withGrim = async (script: string | null): Promise<Environment> => {
    const folder = temporaryFolder('grim');
    if (script !== null) {
      await writeFile(join(folder, 'grim'), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, 'grim'), 0o755);
    }
    return { PATH: script === null ? folder : `${folder}:/usr/bin:/bin`, LINKSHOT_KEY: 'lsk_secret', DISPLAY: ':0' };
  };
  const SCREENCOPY = ['zwlr_screencopy_manager_v1'];

  it('takes each output in its physical pixels, and neighbours of other scales do not overlap', async () => {
    const environment = { ...(await withGrim(GRIM)), ...(await compositor([PLAIN, SHARP, TURNED], SCREENCOPY)) };
    const frames = await capturerIn(environment).freeze('show', never);
    expect(frames).toMatchObject({
      ok: true,
      value: [
        { display: { x: 0, y: 0, width: 4, height: 2, number: 1, name: 'DP-1', scale: 1 } },
        { display: { x: 4, y: 0, width: 6, height: 3, number: 2, name: 'DP-2', scale: 1.5 } },
        { display: { x: -2, y: 0, width: 2, height: 4, number: 3, name: 'DP-3', scale: 1 } },
      ],
    });
    expect(frames.ok && [...(frames.value[0]?.pixels.data ?? [])].slice(0, 4)).toEqual([0x44, 0x44, 0x44, 255]);
    const seam = await capturerIn(environment).grab({ x: 3, y: 0, width: 2, height: 1 }, 'hide', never);
    expect(seam.ok && [...seam.value.data]).toEqual([97, 97, 97, 255, 98, 98, 98, 255]);
  });

  it.each([
    ['grim is missing', null, 'Install grim'],
    ['grim is refused', 'echo "no permission" >&2; exit 1', 'no permission'],
  ])('where %s it is reported', async (_, script, words) => {
    const environment = { ...(await withGrim(script)), ...(await compositor([PLAIN], SCREENCOPY)) };
    const refused = await capturerIn(environment).freeze('hide', never);
    expect(refused).toMatchObject({ ok: false, error: { code: 'CAPTURE_UNAVAILABLE' } });
    expect(detailOf(refused)).toContain(words);
  });

  it('a grim that hangs is killed when the capture is cancelled', async () => {
    const pidFile = join(temporaryFolder('hanging-grim'), 'pid');
    const hangs = `echo $$ > '${pidFile}.part' && mv '${pidFile}.part' '${pidFile}'; exec sleep 600`;
    const environment = { ...(await withGrim(hangs)), ...(await compositor([PLAIN], SCREENCOPY)) };
    const stop = new AbortController();
    const taken = capturerIn(environment).freeze('hide', stop.signal);
    await expect.poll(() => existsSync(pidFile)).toBe(true);
    stop.abort();
    expect(await taken).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('the windows of Sway are in physical pixels, floating and focused ones first', async () => {
    const folder = temporaryFolder('sway');
    const leaf = (id: number, name: string, x: number, more: object = {}) => ({
      ...{ id, name, pid: id, visible: true, focused: false, focus: [], nodes: [], floating_nodes: [] },
      ...{ rect: { x, y: 0, width: 2, height: 1 }, ...more },
    });
    const tree = {
      ...{ id: 1, name: 'root', focused: false, focus: [4, 3, 2], rect: { x: 0, y: 0, width: 8, height: 2 } },
      nodes: [leaf(2, 'behind', 0), leaf(3, 'hidden', 0, { visible: false }), leaf(4, 'typing', 5, { focused: true })],
      floating_nodes: [leaf(5, 'above', 1)],
    };
    const server = createServer((socket) =>
      socket.on('data', () => {
        const body = Buffer.from(JSON.stringify(tree));
        const head = Buffer.alloc(14);
        head.write('i3-ipc');
        head.writeUInt32LE(body.length, 6);
        // In two pieces, as sockets deliver them.
        socket.write(Buffer.concat([head, body.subarray(0, 20)]));
        setImmediate(() => socket.end(body.subarray(20)));
      }),
    ).listen(join(folder, 'sock'));
    onTestFinished(() => void server.close());
    const environment = { ...(await compositor([PLAIN, SHARP], SCREENCOPY)), SWAYSOCK: join(folder, 'sock') };
    expect(await capturerIn(environment).windows(never)).toEqual({
      ok: true,
      value: [
        { x: 1, y: 0, width: 2, height: 1, title: 'above', hasKeyboard: false },
        { x: 6, y: 0, width: 3, height: 2, title: 'typing', hasKeyboard: true },
        { x: 0, y: 0, width: 2, height: 1, title: 'behind', hasKeyboard: false },
      ],
    });
  });

  it('a Sway that does not answer holds up nobody who has cancelled before', async () => {
    const path = join(temporaryFolder('silent-sway'), 'sock');
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await expect(readSwayTree(path, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
  });

  it('a compositor that is not there, or ends, is reported', async () => {
    const folder = temporaryFolder('no-compositor');
    const missing = { WAYLAND_DISPLAY: 'wayland-7', XDG_SESSION_TYPE: 'wayland', XDG_RUNTIME_DIR: folder };
    expect(detailOf(await capturerIn(missing).displays(never))).toContain('does not answer (ENOENT)');
    const server = createServer((socket) => void socket.destroy()).listen(join(folder, 'wayland-7'));
    onTestFinished(() => void server.close());
    expect(detailOf(await capturerIn(missing).freeze('hide', never))).toMatch(
      /does not answer .*Run it inside a desktop/,
    );
  });
});

describe.skipIf(isWindows)(`through the portal${unless('programs of Linux')}`, () => {
  let portal: PortalDouble;
  let picture: string;
  beforeAll(async () => {
    const folder = temporaryFolder('portal');
    portal = await openPortalDouble(folder);
    await mkdir(join(folder, 'a folder'));
    picture = join(folder, 'a folder', 'picture.png');
  });
  afterEach(async () => {
    portal.remembered = null;
    await rm(picture, { force: true });
  });
  afterAll(() => portal.close());

  /** Its upper left pixel is red, the rest is green. */
  const paint = async (width: number, height: number): Promise<void> => {
    const data = Buffer.alloc(width * height * 3, Buffer.from([0, 255, 0]));
    data.set([255, 0, 0]);
    await writeFile(
      picture,
      await sharp(data, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer(),
    );
    portal.answer = { picture };
  };
  const gnome = async (...outputs: readonly DoubleOutput[]): Promise<Environment> => ({
    ...{ PATH: '/nonexistent', XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' },
    ...portal.environment,
    ...(await compositor(outputs)),
  });

  it('takes the whole desktop, cuts it into its outputs, and removes the file of the desktop', async () => {
    const environment = await gnome(PLAIN, { ...PLAIN, name: 'DP-2', logical: [4, 0, 4, 2] });
    await paint(8, 2);
    const frames = await capturerIn(environment).freeze('hide', never);
    expect(frames).toMatchObject({
      ok: true,
      value: [{ display: { x: 0, width: 4 }, pixels: { width: 4 } }, { display: { x: 4, width: 4, number: 2 } }],
    });
    expect(frames.ok && frames.value.map(({ pixels }) => [...pixels.data.slice(0, 4)])).toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
    ]);
    expect(existsSync(picture)).toBe(false);
  });

  it('outputs of different scales are in the pixels of the sharpest, as the picture is', async () => {
    const environment = await gnome(PLAIN, SHARP);
    await paint(12, 3);
    const frames = await capturerIn(environment).freeze('hide', never);
    expect(frames).toMatchObject({
      value: [{ display: { width: 6, height: 3, scale: 1.5 } }, { display: { x: 6, width: 6, height: 3 } }],
    });
  });

  it('a desktop that scales its pictures in another way is captured all the same', async () => {
    const environment = await gnome(PLAIN);
    await paint(8, 4);
    const all = await capturerIn(environment).grab({ x: 0, y: 0, width: 4, height: 2 }, 'hide', never);
    expect(all).toMatchObject({ ok: true, value: { width: 8, height: 4 } });
  });

  it('keeps a file that was there before', async () => {
    const environment = await gnome(PLAIN);
    await paint(4, 2);
    const { utimes } = await import('node:fs/promises');
    await utimes(picture, 1_000_000, 1_000_000);
    expect((await capturerIn(environment).freeze('hide', never)).ok).toBe(true);
    expect(existsSync(picture)).toBe(true);
  });

  it('announces the question of GNOME until it has been answered', async () => {
    const capturer = capturerIn(await gnome(PLAIN));
    expect(await capturer.question?.(never)).toContain('GNOME now asks whether programs may take screenshots');
    portal.remembered = 'yes';
    expect(await capturer.question?.(never)).toBeNull();
  });

  it('reports each refusal with what to do, and the next attempt works', async () => {
    const capturer = capturerIn(await gnome(PLAIN));
    portal.answer = { code: 1 };
    expect(detailOf(await capturer.freeze('hide', never))).toContain('Try again, and allow it');
    portal.answer = { code: 2 };
    expect(detailOf(await capturer.freeze('hide', never))).toContain('linkshot doctor shows what the desktop offers');
    portal.remembered = 'no';
    expect(detailOf(await capturer.freeze('hide', never))).toMatch(/answered with no.*run: busctl --user call/);
    portal.answer = { picture: '/nonexistent.png' };
    expect(detailOf(await capturer.freeze('hide', never))).toContain('cannot be read');
    expect(detailOf(await capturer.grab({ x: 0, y: 0, width: 1, height: 1 }, 'show', never))).toContain(
      'Capture without --pointer',
    );
    expect(detailOf(await capturer.windows(never))).toContain('GNOME tells no program which windows are open');
    await paint(4, 2);
    expect((await capturer.freeze('hide', never)).ok).toBe(true);
  });

  it('a portal that ends before it answers is reported; after it came back the next attempt works', async () => {
    const capturer = capturerIn(await gnome(PLAIN));
    portal.answer = 'end';
    expect(detailOf(await capturer.freeze('hide', never))).toContain('its portal ended before it answered. Try again.');
    expect(detailOf(await capturer.freeze('hide', never))).toContain(
      'Install xdg-desktop-portal and xdg-desktop-portal-gnome',
    );
    await portal.start();
    await paint(4, 2);
    expect((await capturer.freeze('hide', never)).ok).toBe(true);
  });

  it('without a bus names the packages', async () => {
    const environment = { ...(await gnome(PLAIN)), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    expect(detailOf(await capturerIn(environment).freeze('hide', never))).toContain('Install xdg-desktop-portal');
    const odd = { ...environment, DBUS_SESSION_BUS_ADDRESS: 'nonsense' };
    expect(detailOf(await capturerIn(odd).freeze('hide', never))).toContain('Install xdg-desktop-portal');
  });

  it('a cancelled capture closes the question of the desktop', async () => {
    const capturer = capturerIn(await gnome(PLAIN));
    portal.answer = 'nothing';
    const before = portal.closed();
    const asked = portal.asked();
    const stop = new AbortController();
    const taken = capturer.freeze('hide', stop.signal);
    await expect.poll(portal.asked).toBe(asked + 1);
    stop.abort();
    expect(await taken).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    await expect.poll(portal.closed).toBe(before + 1);
  });

  it('a bus that does not answer holds up nobody who cancels', async () => {
    const path = join(temporaryFolder('silent-bus'), 'bus');
    const asked = Promise.withResolvers<void>();
    const server = createServer(() => asked.resolve()).listen(path);
    onTestFinished(() => void server.close());
    const stop = new AbortController();
    const opening = openSessionBus({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }, stop.signal);
    await asked.promise;
    stop.abort(new Error('cancelled'));
    await expect(opening).rejects.toThrow('cancelled');
  });

  it('a bus that freezes holds up nobody who cancels or closes it', async () => {
    const testBus = await openTestBus(temporaryFolder('frozen-bus'));
    onTestFinished(testBus.close);
    const bus = await openSessionBus({ DBUS_SESSION_BUS_ADDRESS: testBus.address }, never);
    if (!bus) throw new Error('There is no bus.');
    testBus.freeze();
    const stop = new AbortController();
    const listening = bus.listen("type='signal'", () => {}, stop.signal);
    stop.abort(new Error('cancelled'));
    await expect(listening).rejects.toThrow('cancelled');
    await bus.close();
  });

  it('a request that is cancelled before the portal has it is not sent, and ends with the reason', async () => {
    const bus = await openSessionBus(portal.environment, never);
    if (!bus) throw new Error('There is no bus.');
    onTestFinished(() => bus.close());
    const stop = new AbortController();
    const listen = async (...watched: Parameters<typeof bus.listen>) => {
      await bus.listen(...watched);
      stop.abort(new Error('cancelled'));
    };
    const before = portal.asked();
    const request = { portal: 'Screenshot', member: 'Screenshot', signature: 's', body: [''], options: {} } as const;
    await expect(askPortal({ ...bus, listen }, request, stop.signal)).rejects.toThrow('cancelled');
    expect(portal.asked()).toBe(before);
  });

  it('tells what the desktop offers, and what to install', async () => {
    const environment = await gnome(PLAIN);
    expect(await askDesktop(environment, programsIn(environment), never)).toMatchObject({
      ...{ name: 'GNOME', screenshots: 'portal', recordings: 'none', windows: false, clipboard: 'page' },
      missing: ['For recordings, install xdg-desktop-portal and xdg-desktop-portal-gnome, and sign in again.'],
      portals: { Screenshot: 2, GlobalShortcuts: null },
    });
    const without = { ...environment, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    expect(await askDesktop(without, programsIn(without), never)).toMatchObject({
      screenshots: 'none',
      missing: [
        'For screenshots and recordings, install xdg-desktop-portal and xdg-desktop-portal-gnome, and sign in again.',
      ],
    });
    const kde = { ...environment, XDG_CURRENT_DESKTOP: 'KDE' };
    expect(await askDesktop(kde, programsIn(kde), never)).toMatchObject({
      recordings: 'none',
      missing: expect.arrayContaining([expect.stringContaining('cannot record KDE Plasma')]),
    });
    const wlroots = {
      ...(await compositor([PLAIN], ['zwlr_screencopy_manager_v1', 'zwlr_data_control_manager_v1'])),
      PATH: '/nonexistent',
    };
    expect(await askDesktop(wlroots, programsIn(wlroots), never)).toMatchObject({
      screenshots: 'none',
      recordings: 'none',
      missing: ['install grim', 'install wf-recorder', 'install wl-clipboard'].map((words) =>
        expect.stringContaining(words),
      ),
    });
    expect(await askDesktop({ DISPLAY: ':0' }, programsIn({}), never)).toBeNull();
  });
});
