/** The X11 capturer on a real X server with a window manager and a moving window: exact pixels of one instant. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openScreenCapturer } from '../../../src/engine/capture/open-screen-capturer.ts';
import { readProperties } from '../../../src/engine/capture/x11/window-properties.ts';
import type { Pixels, ScreenCapturer } from '../../../src/engine/ports.ts';
import { connectX } from '../../../src/engine/x11/x11-connection.ts';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import { eventually } from '../../support/eventually.ts';
import { openMovingWindows } from '../../support/screen/moving-windows.ts';
import { importPicture, maimPicture, pictureWithPointer } from '../../support/screen/reference-picture.ts';
import type { ScreenProgram } from '../../support/screen/screen-program.ts';
import { openXDesktop, type XDesktop } from '../../support/screen/x-desktop.ts';
import { openXScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WIDTH = 803;
const HEIGHT = 601;
const LEFT = 400;
const WHOLE: Area = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
const never = new AbortController().signal;

const recorderOn = (environment: Record<string, string | undefined>): ScreenCapturer =>
  openScreenCapturer({ platform: 'linux', environment, ffmpeg: async () => null });
const good = <T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
/** Three bytes for each pixel; every alpha is 255. */
const colours = ({ data, width, height }: Pixels): Buffer => {
  const bytes = Buffer.alloc(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    bytes.set(data.subarray(from, from + 3), to);
    if (data[from + 3] !== 255) throw new Error('A pixel that can be seen through.');
  }
  return bytes;
};

let screen: XDesktop;
let recorder: ScreenCapturer;
const programs: ScreenProgram[] = [];
beforeAll(async () => {
  screen = await openXDesktop(WIDTH, HEIGHT);
  recorder = recorderOn(screen.environment);
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.close();
});
afterAll(() => screen.close());

/** One picture between two equal ones of another tool is of the same screen as they. */
const ofTheSameScreen = async <T>(take: () => Promise<T>, reference: () => Promise<Buffer>): Promise<[T, Buffer]> => {
  for (;;) {
    const before = await reference();
    const taken = await take();
    if (before.equals(await reference())) return [taken, before];
  }
};

describe.each(['one screen', 'two screens'])('with a moving window on %s', (layout) => {
  beforeAll(async () => {
    if (layout === 'two screens') await screen.splitAt(LEFT);
  });
  afterAll(async () => {
    if (layout === 'two screens') await screen.join();
  });
  beforeEach(async () => {
    programs.push(await openMovingWindows(screen, 'wander'));
  });
  const hold = () => programs.at(-1)?.stop();

  it('each display is as maim and import see it', async () => {
    hold();
    const look = async () => {
      const frames = good(await recorder.freeze('hide', never));
      const references: Buffer[][] = [];
      for (const { display } of frames)
        references.push([await maimPicture(screen, display), await importPicture(screen, display)]);
      return { frames, references };
    };
    const [{ frames, references }, reference] = await ofTheSameScreen(look, () => maimPicture(screen, WHOLE));
    expect(reference.equals(screen.pixels(WHOLE)), 'a window can be seen').toBe(false);
    expect(frames.map(({ display }) => display)).toEqual(
      layout === 'one screen'
        ? [{ ...WHOLE, number: 1, name: 'screen', scale: 1 }]
        : [
            { x: LEFT, y: 0, width: WIDTH - LEFT, height: HEIGHT, number: 1, name: 'Right', scale: 1 },
            { x: 0, y: 0, width: LEFT, height: HEIGHT, number: 2, name: 'Left', scale: 1 },
          ],
    );
    for (const [index, { display, pixels }] of frames.entries())
      expect(
        references[index]?.map((seen) => seen.equals(colours(pixels))),
        display.name,
      ).toEqual([true, true]);
  });

  it.each([
    ['all of it', WHOLE],
    ['a region across the middle', { x: 301, y: 57, width: 333, height: 211 }],
    ['the last pixels', { x: WIDTH - 1, y: HEIGHT - 3, width: 1, height: 3 }],
  ])('%s is as maim and import see it', async (_, area) => {
    hold();
    const [[pixels, imported], reference] = await ofTheSameScreen(
      async () => [good(await recorder.grab(area, 'hide', never)), await importPicture(screen, area)] as const,
      () => maimPicture(screen, area),
    );
    expect(pixels).toMatchObject({ width: area.width, height: area.height });
    expect(colours(pixels).equals(reference)).toBe(true);
    expect(reference.equals(imported)).toBe(true);
  });

  it('the pointer is where and what ffmpeg sees, soft edges too', async () => {
    hold();
    await screen.run('xdotool', 'mousemove', '402', '300');
    const area = { x: 380, y: 280, width: 60, height: 60 };
    const [pixels, reference] = await ofTheSameScreen(
      async () => good(await recorder.grab(area, 'show', never)),
      () => pictureWithPointer(screen, area),
    );
    expect(colours(pixels).equals(reference)).toBe(true);
    expect(reference.equals(await maimPicture(screen, area)), 'a pointer is in it').toBe(false);
  });

  it('its window is reported with its frame, and is clipped to what is visible', async () => {
    hold();
    // The window manager gives it the keyboard some time after it is seen.
    await eventually(async () => {
      expect(good(await recorder.windows(never))).toMatchObject([{ title: 'Wanderer', hasKeyboard: true }]);
    });
    const id = (await screen.run('xdotool', 'search', '--name', 'Wanderer')).toString().trim().split('\n').at(-1) ?? '';
    // The frame is the window's outermost parent below the root.
    const tree = (await screen.run('xwininfo', '-id', id, '-tree')).toString();
    const frame = /Parent window id: (0x[0-9a-f]+)/.exec(tree)?.[1] ?? '';
    // The window manager may still have moves to carry out that were asked for before the program stopped.
    const [[windows, info]] = await ofTheSameScreen(
      async () =>
        [good(await recorder.windows(never)), (await screen.run('xwininfo', '-id', frame)).toString()] as const,
      () => maimPicture(screen, WHOLE),
    );
    expect(windows).toMatchObject([{ title: 'Wanderer', hasKeyboard: true }]);
    const [window] = windows;
    const [x, y, width, height] = ['Absolute upper-left X', 'Absolute upper-left Y', 'Width', 'Height'].map((label) =>
      Number(new RegExp(`${label}:\\s+(-?\\d+)`).exec(info)?.[1]),
    );
    expect(window).toMatchObject({ x, y, width, height });
  });
});

it('windows are listed from front to back, without minimised ones, those on another desktop or outside', async () => {
  const open = async (title: string, x: number) => {
    const program = await openMovingWindows(screen, 'wander');
    programs.push(program);
    program.stop();
    const ids = (await screen.run('xdotool', 'search', '--name', 'Wanderer')).toString().trim().split('\n');
    const id = ids.at(-1) ?? '';
    await screen.run('xdotool', 'set_window', '--name', title, id, 'windowmove', '--sync', id, String(x), '200');
    return id;
  };
  const titles = async () => good(await recorder.windows(never)).map(({ title }) => title);
  const first = await open('First', 10);
  await open('Second', 200);
  await open('Third', 400);
  await eventually(async () => expect(await titles()).toEqual(['Third', 'Second', 'First']));
  await screen.run('xdotool', 'windowactivate', first);
  await eventually(async () => expect(await titles()).toEqual(['First', 'Third', 'Second']));
  await eventually(async () => {
    const withKeyboard = good(await recorder.windows(never)).filter(({ hasKeyboard }) => hasKeyboard);
    expect(withKeyboard).toMatchObject([{ title: 'First' }]);
  });
  await screen.run('xdotool', 'windowminimize', first);
  await eventually(async () => expect(await titles()).toEqual(['Third', 'Second']));
  await screen.run('xdotool', 'search', '--name', 'Second', 'set_desktop_for_window', '1');
  await eventually(async () => expect(await titles()).toEqual(['Third']));
  await screen.run('xdotool', 'search', '--name', 'Third', 'windowmove', '750', '200');
  await eventually(async () => {
    const [third] = good(await recorder.windows(never));
    expect(third && third.x + third.width).toBe(WIDTH);
  });
});

it('while windows change all the time, all displays are of one instant', async () => {
  await screen.splitAt(LEFT);
  programs.push(await openMovingWindows(screen, 'twins'));
  const seen = new Set<string>();
  // A busy machine may keep the windows from changing for many rounds.
  for (let round = 0; round < 40 || seen.size < 2; round++) {
    const frames = good(await recorder.freeze('hide', never));
    const [left, right] = ['Left', 'Right'].map((name) => {
      const frame = frames.find(({ display }) => display.name === name);
      if (!frame) throw new Error(name);
      const at = { x: name === 'Left' ? 100 : 540, y: 90 };
      const index = (at.y * frame.pixels.width + (at.x - frame.display.x)) * 4;
      return Buffer.from(frame.pixels.data.subarray(index, index + 3)).toString('hex');
    });
    expect(left).toBe(right);
    seen.add(left as string);
  }
  await screen.join();
});

it('between displays it is black, and an area may reach beyond the desktop', async () => {
  await screen.run('xrandr', '--setmonitor', 'Left', '300/100x300/100+0+0', 'screen');
  await screen.run('xrandr', '--setmonitor', 'Right', '300/100x300/100+400+0', 'none');
  const pixels = colours(good(await recorder.grab({ x: 290, y: 290, width: 120, height: 20 }, 'hide', never)));
  const outside = colours(good(await recorder.grab({ x: -5, y: -5, width: 10, height: 10 }, 'hide', never)));
  await screen.join();
  const at = (bytes: Buffer, width: number, x: number, y: number) =>
    bytes.subarray((y * width + x) * 3, (y * width + x) * 3 + 3);
  expect(at(pixels, 120, 9, 9)).toEqual(screen.pixels({ x: 299, y: 299, width: 1, height: 1 }));
  expect(at(pixels, 120, 110, 9)).toEqual(screen.pixels({ x: 400, y: 299, width: 1, height: 1 }));
  for (const [x, y] of [
    [10, 9],
    [109, 9],
    [9, 10],
    [110, 10],
  ] as const)
    expect(at(pixels, 120, x, y)).toEqual(Buffer.alloc(3));
  expect(at(outside, 10, 4, 5)).toEqual(Buffer.alloc(3));
  expect(at(outside, 10, 5, 5)).toEqual(screen.pixels({ x: 0, y: 0, width: 1, height: 1 }));
});

it('the scale is that of the X resources', async () => {
  for (const [dpi, scale] of [
    [120, 1.25],
    [192, 2],
    [null, 1],
  ] as const) {
    await screen.setDpi(dpi);
    expect(good(await recorder.displays(never))).toMatchObject([{ number: 1, scale, width: WIDTH }]);
  }
});

it.each([16, 30])('a screen of %i bits has the colours that import sees', async (depth) => {
  const other = await openXScreen(101, 37, { depth });
  const area = { x: 0, y: 0, width: 101, height: 37 };
  const taken = colours(good(await recorderOn(other.environment).grab(area, 'hide', never)));
  const reference = await importPicture(other, area);
  await other.close();
  expect(taken.equals(reference)).toBe(true);
});

it('names have the numbers that the server assigned, even where a process knows two servers', async () => {
  const names = ['LINKSHOT_ONE', 'LINKSHOT_TWO'];
  for (const order of [names, names.toReversed()]) {
    const other = await openXScreen(64, 48);
    for (const name of order) await other.run('xprop', '-root', '-f', name, '8s', '-set', name, `is ${name}`);
    const x = good(await connectX({ display: other.display, environment: other.environment }, never));
    const { text } = readProperties(x);
    for (const name of names) expect(await text(x.screen.root, name)).toBe(`is ${name}`);
    await x.close();
    await other.close();
  }
});

describe('reports', () => {
  const refusal = async (environment: Record<string, string | undefined>) => {
    const taken = await recorderOn(environment).freeze('hide', never);
    expect(taken).toMatchObject({ ok: false, error: { code: 'CAPTURE_UNAVAILABLE' } });
    return taken.ok ? '' : taken.error.detail;
  };

  it('that there is no screen, no server, or no name of one', async () => {
    expect(await refusal({})).toContain('DISPLAY is not set');
    expect(await refusal({ DISPLAY: ':9999' })).toContain('There is no X server at :9999');
    expect(await refusal({ DISPLAY: 'nonsense' })).toContain('nonsense, which names no screen');
  });

  it('that the server refuses the connection, after reading the cookie from XAUTHORITY', async () => {
    const authority = join(temporaryFolder('authority'), 'cookies');
    await writeFile(authority, '');
    const setup = await openXScreen(16, 16);
    await setup.run('xauth', '-f', authority, 'add', `${setup.display}`, '.', '0123456789abcdef0123456789abcdef');
    const { display } = setup;
    await setup.close();
    const guarded = await openXScreen(16, 16, { display, authority });
    const granted = await recorderOn({ DISPLAY: display, XAUTHORITY: authority }).displays(never);
    const refused = await refusal({ DISPLAY: display, XAUTHORITY: '/nonexistent' });
    await guarded.close();
    expect(good(granted)).toHaveLength(1);
    expect(refused).toContain(`The X server ${display} refuses Linkshot`);
    await rm(authority);
  });

  it('that the server shows a palette', async () => {
    const old = await openXScreen(16, 16, { depth: 8 });
    const words = await refusal(old.environment);
    await old.close();
    expect(words).toContain('colour palette');
  });

  it('that the server died, and works again after its restart', async () => {
    const other = await openXScreen(64, 48);
    const { display } = other;
    const recorder = recorderOn(other.environment);
    expect(good(await recorder.displays(never))).toMatchObject([{ width: 64 }]);
    await other.close();
    const gone = await recorder.displays(never);
    expect(gone).toMatchObject({ ok: false, error: { code: 'CAPTURE_UNAVAILABLE' } });
    expect(gone.ok ? '' : gone.error.detail).toMatch(/ended meanwhile|There is no X server/);
    const again = await openXScreen(80, 48, { display });
    expect(good(await recorder.displays(never))).toMatchObject([{ width: 80 }]);
    await again.close();
  });

  it('that it was cancelled', async () => {
    expect(await recorder.freeze('hide', AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    });
  });
});
