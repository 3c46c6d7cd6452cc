/** Clicks and keys on a real X screen are shown in the frames of a recording, and change nothing else on the screen. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import { readProperties } from '../../../src/engine/capture/x11/window-properties.ts';
import type { Engine, EngineDeps } from '../../../src/engine/engine.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { connectX, isXError, type XConnection } from '../../../src/engine/x11/x11-connection.ts';
import type { RecordingRequest } from '../../../src/ipc/protocol/recording.ts';
import { until } from '../../support/engine.ts';
import { inState, never, openRecordingEngine, recordPieces, request } from '../../support/screen/recording-fixture.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('input-display');
const AREA = { x: 100, y: 60, width: 400, height: 300 };
const AT = { x: 250, y: 200 };
const COLOURS = { left: [0xff, 0xb0, 0x00], right: [0x3f, 0xa9, 0xff] } as const;
type Colour = keyof typeof COLOURS;
/** Where a ring is looked for, in pixels from a point. */
const AROUND = 30;
/** What the encoding of a video leaves of a colour. */
const ALIKE = 60;

let screen: XScreen;
beforeAll(async () => {
  screen = await openXScreen(800, 600);
  await screen.run('xsetroot', '-solid', '#202830');
});
afterAll(() => screen.close());

const xdotool = (...args: readonly string[]) => screen.run('xdotool', ...args);
const moveTo = (point: { readonly x: number; readonly y: number }) =>
  xdotool('mousemove', String(point.x), String(point.y));

/** The requests of the library that only this test needs. */
interface Tree {
  QueryTree(
    window: number,
    answer: (error: Error | null | undefined, value: { readonly children: readonly number[] }) => boolean,
  ): void;
}

/** One connection per screen, so that looking at its windows changes nothing in `connections`. */
const opened = new Map<XScreen, Promise<XConnection>>();
const connectionTo = (on: XScreen): Promise<XConnection> => {
  const connect = async () => {
    const connected = await connectX(on, never);
    if (!connected.ok) throw new Error(connected.error);
    return connected.value;
  };
  const connection = opened.get(on) ?? connect();
  opened.set(on, connection);
  return connection;
};

/** How many windows of the display of input are on the screen. One that is gone when its name is asked is not. */
const shownWindows = async (on: XScreen = screen): Promise<number> => {
  const x = await connectionTo(on);
  const properties = readProperties(x);
  const { children } = await x.ask<{ children: readonly number[] }>((client, answer) =>
    (client as unknown as Tree).QueryTree(x.screen.root, answer),
  );
  const nameOf = async (window: number): Promise<string | null> => {
    try {
      return await properties.text(window, 'WM_NAME');
    } catch (error) {
      if (isXError(error)) return null;
      throw error;
    }
  };
  const names = await Promise.all(children.map(nameOf));
  return names.filter((name) => name === 'Linkshot input').length;
};

const shown = async (count: number, on: XScreen = screen): Promise<void> => {
  await until(async () => (await shownWindows(on)) === count);
};

/** Of the X server, with all programs. */
const connections = (): number =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((line) => / 03 +\d+ .*X11-unix\/X\d+$/.test(line) && line.endsWith(`/X${screen.display.slice(1)}`)).length;

/** Once it no longer changes: the server closes the connections of programs that have ended one after another. */
const settledConnections = async (): Promise<number> => {
  for (let [count, times] = [connections(), 0]; ; times += 1) {
    if (times === 10) return count;
    // The server answers in between.
    await shownWindows();
    const now = connections();
    if (now !== count) [count, times] = [now, 0];
  }
};

/** How long a ring and a bar with keys are shown; the engine waits this long for nothing else. */
const RING_MS = 400;
const BAR_MS = 1_600;

/** An engine whose rings and bars are shown until `release` is called. */
const openEngine = async (name: string, on: XScreen = screen) => {
  const waiting = new Set<() => void>();
  const held: number[] = [];
  const clock: EngineDeps['clock'] = {
    ...systemClock,
    sleep: (ms, signal) =>
      ms === RING_MS || ms === BAR_MS
        ? new Promise((resolve, reject) => {
            held.push(ms);
            waiting.add(resolve);
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          })
        : systemClock.sleep(ms, signal),
  };
  const engine = await openRecordingEngine(join(root, name), on, { ports: { clock } });
  return {
    engine,
    /** For how long each ring and bar so far was to be shown. */
    held,
    async release() {
      for (const resolve of waiting) resolve();
      waiting.clear();
      await shown(0, on);
    },
  };
};

const start = async (engine: Engine, more: Partial<RecordingRequest>): Promise<void> => {
  expect(await engine.recording.start(request(AREA, more), never)).toMatchObject({ ok: true });
};

/** Waits until what is on the screen now is in the file. */
const recordNow = (engine: Engine): Promise<void> => recordPieces(engine, 4);

const stop = async (engine: Engine): Promise<readonly Buffer[]> => {
  expect((await engine.recording.stop({})).ok).toBe(true);
  const frames = await framesOf(engine.recording.file(inState(engine, 'review').id) ?? '');
  await engine.recording.discard({});
  return frames;
};

/** The frames of a video, RGB. */
const framesOf = async (path: string): Promise<readonly Buffer[]> => {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 30 },
  );
  const bytes = AREA.width * AREA.height * 3;
  return Array.from({ length: stdout.length / bytes }, (_, index) =>
    stdout.subarray(index * bytes, (index + 1) * bytes),
  );
};

/** The distances from the point, in whole pixels, at which a frame has the colour. */
const radiiIn = (frame: Buffer, colour: Colour, point: { readonly x: number; readonly y: number }): Set<number> => {
  const radii = new Set<number>();
  const [left, top] = [point.x - AREA.x - AROUND, point.y - AREA.y - AROUND];
  for (let y = top; y <= top + 2 * AROUND; y++)
    for (let x = left; x <= left + 2 * AROUND; x++) {
      const at = (y * AREA.width + x) * 3;
      if (COLOURS[colour].some((part, index) => Math.abs(part - (frame[at + index] as number)) > ALIKE)) continue;
      radii.add(Math.round(Math.hypot(x + AREA.x - point.x, y + AREA.y - point.y)));
    }
  return radii;
};

/** Whether the lower middle of a frame has the light text of a bar; the screen itself is dark. */
const hasBar = (frame: Buffer): boolean => {
  for (let y = AREA.height - 80; y < AREA.height; y++)
    for (let x = 100; x < AREA.width - 100; x++) if ((frame[(y * AREA.width + x) * 3] as number) > 200) return true;
  return false;
};

const has = (frame: Buffer, colour: Colour): boolean => radiiIn(frame, colour, AT).size > 0;

describe('clicks in a recording', () => {
  it('are rings around the pointer for a moment: one at the left button, two at the right one', async () => {
    const { engine, release } = await openEngine('rings');
    await moveTo(AT);
    await start(engine, { clicks: 'show' });
    for (const button of ['1', '3']) {
      await xdotool('click', button);
      await shown(1);
      await recordNow(engine);
      await release();
    }
    await recordNow(engine);
    const frames = await stop(engine);
    const left = frames.filter((frame) => has(frame, 'left'));
    const right = frames.filter((frame) => has(frame, 'right'));
    expect([left.length > 0, right.length > 0]).toEqual([true, true]);
    expect([frames[0], frames.at(-1)].map((frame) => frame && radiiIn(frame, 'left', AT).size)).toEqual([0, 0]);
    const radii = (found: readonly Buffer[], colour: Colour) => radiiIn(found[found.length >> 1] as Buffer, colour, AT);
    const [one, two] = [radii(left, 'left'), radii(right, 'right')];
    expect([one.has(18), one.has(10), Math.max(...one) < 24]).toEqual([true, false, true]);
    expect([two.has(18), two.has(10), Math.max(...two) < 24]).toEqual([true, true, true]);
  });

  it('are not shown without the option, at the wheel, and outside of the recorded area', async () => {
    const { engine, release } = await openEngine('none');
    await moveTo(AT);
    await start(engine, {});
    await xdotool('click', '1');
    await recordNow(engine);
    const without = await stop(engine);
    await start(engine, { clicks: 'show' });
    await xdotool('click', '4', 'click', '5');
    await moveTo({ x: 30, y: 30 });
    await xdotool('click', '1');
    await moveTo(AT);
    // Presses are handled in order, so what came before is decided when this one is shown.
    await xdotool('click', '3');
    await shown(1);
    await recordNow(engine);
    const frames = await stop(engine);
    await release();
    expect([...without, ...frames].filter((frame) => has(frame, 'left'))).toEqual([]);
    expect(without.filter((frame) => has(frame, 'right'))).toEqual([]);
    expect(frames.filter((frame) => has(frame, 'right')).length).toBeGreaterThan(0);
  });

  it('reach the window below a ring, which has the focus before and after', async () => {
    const { engine, release } = await openEngine('through');
    const clicked: string[] = [];
    const program = spawn('xev', ['-geometry', '300x200+200+150', '-event', 'button'], {
      env: { ...screen.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void program.kill('SIGKILL'));
    program.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => clicked.push(...(text.match(/ButtonPress/g) ?? [])));
    // It has its name before it is on the screen, and only then it can have the focus.
    const window = (await xdotool('search', '--sync', '--onlyvisible', '--name', 'Event Tester')).toString().trim();
    await xdotool('windowfocus', '--sync', window);
    await moveTo(AT);
    await start(engine, { clicks: 'show' });
    await xdotool('click', '1');
    await shown(1);
    // Now the ring, which is 18 pixels wide, is below the pointer.
    await moveTo({ x: AT.x + 18, y: AT.y });
    await xdotool('click', '3');
    await shown(2);
    await until(() => clicked.length === 2);
    expect((await xdotool('getwindowfocus')).toString().trim()).toBe(window);
    await release();
    await stop(engine);
  });

  it('are gone from the screen when the recording pauses, stops or is discarded', async () => {
    const { engine } = await openEngine('gone');
    await moveTo(AT);
    await start(engine, {});
    await engine.recording.discard({});
    await shown(0);
    const before = await settledConnections();
    const click = async () => {
      await xdotool('click', '1');
      await shown(1);
    };
    await start(engine, { clicks: 'show' });
    await click();
    await until(() => connections() >= before + 2);
    expect(await engine.recording.pause()).toEqual(ok({}));
    await shown(0);
    await until(() => connections() === before);
    expect(await engine.recording.resume()).toEqual(ok({}));
    await click();
    expect((await engine.recording.stop({})).ok).toBe(true);
    await shown(0);
    await engine.recording.discard({});
    await start(engine, { clicks: 'show' });
    await click();
    await engine.recording.discard({});
    await shown(0);
    await until(() => connections() === before);
  });

  it('end with the X server: what was recorded is kept', async () => {
    const other = await openXScreen(800, 600);
    onTestFinished(() => other.close());
    const { engine } = await openEngine('ended', other);
    await start(engine, { clicks: 'show' });
    await other.run('xdotool', 'mousemove', String(AT.x), String(AT.y), 'click', '1');
    await shown(1, other);
    await recordNow(engine);
    await other.close();
    await until(() => engine.state().recording?.state === 'review');
    expect(engine.state().notices.map(({ code }) => code)).toEqual(['RECORDING_INTERRUPTED']);
    await engine.recording.discard({});
  });

  it('without the RECORD extension are reported once as missing, and the recording goes on', async () => {
    const other = await openXScreen(800, 600, { testExtensions: 'absent' });
    onTestFinished(() => other.close());
    const { engine } = await openEngine('without', other);
    await start(engine, { clicks: 'show' });
    expect(engine.state().notices).toMatchObject([
      { code: 'INPUT_NOT_SHOWN', detail: expect.stringContaining('no RECORD extension') },
    ]);
    engine.app.dismissNotices();
    await recordNow(engine);
    await engine.recording.pause();
    await engine.recording.resume();
    await recordNow(engine);
    expect(engine.state().notices).toEqual([]);
    expect((await stop(engine)).length).toBeGreaterThan(0);
  });
});

describe('keys in a recording', () => {
  it('are shown in a bar at its bottom for a moment: shortcuts and special keys', async () => {
    const { engine, held, release } = await openEngine('keys');
    await start(engine, { keys: 'show' });
    for (const keys of ['ctrl+shift+k', 'Return']) {
      await xdotool('key', keys);
      await shown(1);
      await recordNow(engine);
      await release();
      await recordNow(engine);
    }
    const bars = (await stop(engine)).map(hasBar);
    expect(held).toEqual([BAR_MS, BAR_MS]);
    // None, the first one, none, the second one, none.
    const changes = bars.filter((bar, index) => index === 0 || bar !== bars[index - 1]);
    expect(changes).toEqual([false, true, false, true, false]);
  });

  it('that are typed are never shown, nor are clicks without their own option', async () => {
    const { engine, held, release } = await openEngine('typed');
    await moveTo(AT);
    await start(engine, { keys: 'show' });
    await xdotool('type', 'hunter2 Password! q');
    await xdotool('key', 'shift+x', 'key', 'Caps_Lock', 'key', 'y', 'key', 'Caps_Lock', 'click', '1');
    await recordNow(engine);
    // Presses are handled in order, so what came before is decided when this one is shown.
    await xdotool('key', 'ctrl+k');
    await shown(1);
    expect(held).toEqual([BAR_MS]);
    await release();
    await stop(engine);
  });

  it('are replaced by the next ones', async () => {
    const { engine, held, release } = await openEngine('newest');
    await start(engine, { keys: 'show' });
    await xdotool('key', 'ctrl+c');
    await until(() => held.length === 1);
    await xdotool('key', 'F5');
    await until(() => held.length === 2);
    await shown(1);
    await release();
    await stop(engine);
  });

  it('are not shown without the option', async () => {
    const { engine, held, release } = await openEngine('no-keys');
    await moveTo(AT);
    await start(engine, { clicks: 'show' });
    await xdotool('key', 'ctrl+k', 'key', 'Return', 'click', '1');
    await shown(1);
    expect(held).toEqual([RING_MS]);
    await release();
    await stop(engine);
  });
});
