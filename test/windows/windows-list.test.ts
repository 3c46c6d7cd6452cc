/**
 * Windows and monitors on a virtual screen under Windows: which are listed, their bounds to the pixel, and that
 * `capture --window` takes the focused one; also on a screen of twice the scale.
 */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endWine,
  IS_WINDOWS,
  runWindowsProgram,
  type WindowsProcess,
  windowsPath,
} from '../../scripts/windows/windows-process.ts';
import type { Display, OpenWindow } from '../../src/ipc/protocol/capture.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import type { ShownWindow } from './programs/shown-windows.ts';
import {
  endAll,
  kept,
  linkshotSucceeds,
  onDriveC,
  says,
  startProgram,
  startServer,
  textFile,
  type WindowsServer,
} from './support/linkshot.ts';

const [WIDTH, HEIGHT] = [1280, 800];
const whole = [0, 0, WIDTH, HEIGHT] as const;
const tools = [640, 400, 640, 400] as const;
const FRONT = { x: 301, y: 203, width: 320, height: 241 };
const BACK = { x: 100, y: 100, width: 600, height: 400 };
const sides = ({ x, y, width, height }: typeof FRONT) => [x, y, width, height] as const;
const WINDOWS: readonly ShownWindow[] = [
  { title: 'beyond the screen', area: [-50, 700, 200, 300] },
  { title: 'hidden', area: whole, state: 'hidden' },
  { title: 'minimized', area: whole, state: 'minimized' },
  { title: 'back', area: sides(BACK), colour: 'white' },
  { title: 'tool', area: tools, state: 'tool' },
  { title: 'transparent', area: tools, state: 'transparent' },
  { title: 'передо всеми', area: sides(FRONT), colour: 'black' },
];
const LISTED = [
  { ...FRONT, title: 'передо всеми', hasKeyboard: true },
  { ...BACK, title: 'back', hasKeyboard: false },
  { x: 0, y: 700, width: 150, height: 100, title: 'beyond the screen', hasKeyboard: false },
];
/** The corners of the two windows, and points beside them. */
const POINTS: readonly (readonly [x: number, y: number])[] = [
  [FRONT.x, FRONT.y],
  [FRONT.x - 1, FRONT.y],
  [FRONT.x + FRONT.width - 1, FRONT.y + FRONT.height - 1],
  [FRONT.x + FRONT.width, FRONT.y + FRONT.height - 1],
  [BACK.x, BACK.y],
  [BACK.x - 1, BACK.y],
];

// The scale is changed in the registry, and Windows applies that after signing in again.
describe.skipIf(IS_WINDOWS)('under Wine, on a screen of its own,', () => {
  let screen: XScreen;

  beforeAll(async () => {
    screen = await openXScreen(WIDTH, HEIGHT);
  });
  afterAll(() => screen.close());

  const environment = () => ({ DISPLAY: screen.display });

  const look = async () => {
    const { code, stdout, stderr } = await startProgram('list-windows', [], { env: environment() }).done;
    expect(code, stderr).toBe(0);
    const { windows, displays } = JSON.parse(stdout) as { readonly windows: unknown; readonly displays: unknown };
    return {
      windows: windows as { readonly ok: true; readonly value: readonly OpenWindow[] },
      displays: displays as { readonly ok: true; readonly value: readonly Display[] },
    };
  };

  const topmost = (windows: readonly OpenWindow[], x: number, y: number): string =>
    windows.find((each) => x >= each.x && y >= each.y && x < each.x + each.width && y < each.y + each.height)?.title ??
    '';

  describe.each([1, 2])('on a screen of the scale %i', (scale) => {
    let shown: WindowsProcess;
    let server: WindowsServer;

    beforeAll(async () => {
      const key = [
        'HKCU\\Control Panel\\Desktop',
        '/v',
        'LogPixels',
        '/t',
        'REG_DWORD',
        '/d',
        String(96 * scale),
        '/f',
      ];
      expect((await runWindowsProgram('reg.exe', ['add', ...key])).code).toBe(0);
      endWine();
      const list = windowsPath(textFile('shown windows.json', JSON.stringify(WINDOWS)));
      const env = { ...environment(), AT: JSON.stringify(POINTS) };
      shown = kept(startProgram('shown-windows', [list], { env }));
      await says(shown, /\}\n/);
      server = await startServer({ data: onDriveC(`desk-data-${scale}`).windows });
    });
    afterAll(async () => {
      await endAll();
      await runWindowsProgram('reg.exe', ['delete', 'HKCU\\Control Panel\\Desktop', '/v', 'LogPixels', '/f']);
      endWine();
    });

    const readOutput = () =>
      JSON.parse(shown.stdout()) as { readonly found: readonly string[]; readonly colour: number };

    it('lists the visible windows, the frontmost first, in physical pixels', async () => {
      const { windows, displays } = await look();
      expect(displays).toMatchObject({
        ok: true,
        value: [{ x: 0, y: 0, width: WIDTH, height: HEIGHT, number: 1, scale }],
      });
      expect(windows).toEqual({ ok: true, value: LISTED });
    });

    it('finds the same window below a point as Windows does', async () => {
      const { windows } = await look();
      const { found } = readOutput();
      expect(POINTS.map(([x, y]) => topmost(windows.value, x, y))).toEqual(found);
      expect(new Set(found)).toEqual(new Set(['передо всеми', 'back', '']));
    });

    it('takes the window with the keyboard, whole and nothing else', async () => {
      const { windows: profile } = onDriveC(`desk profile ${scale}`);
      await linkshotSucceeds(['capture', '--window'], { profile, ...server }, { env: environment() });
      const items = await server.published();
      expect(items).toHaveLength(1);
      const picture = sharp(await server.media(items[0]?.id ?? ''));
      expect(await picture.metadata()).toMatchObject({ width: FRONT.width, height: FRONT.height });
      const { channels } = await picture.stats();
      const { colour } = readOutput();
      const parts = [colour & 255, (colour >> 8) & 255, colour >> 16];
      expect(channels.slice(0, 3).map(({ min, max }) => [min, max])).toEqual(parts.map((part) => [part, part]));
      // The window behind it is white.
      expect(colour).not.toBe(0xffffff);
    });
  });
});
