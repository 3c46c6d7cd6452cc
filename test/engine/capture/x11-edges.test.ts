/** X11 at its edges: a remote server, turned displays, a display that is unplugged. */
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import type { Result } from '../../../src/api/errors.ts';
import { openScreenCapturer } from '../../../src/engine/capture/open-screen-capturer.ts';
import type { Pixels, ScreenCapturer } from '../../../src/engine/ports.ts';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import { itemOf, openEngine } from '../../support/engine.ts';
import { only } from '../../support/results.ts';
import { openXScreen, type XScreen, type XScreenOptions } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WIDTH = 803;
const HEIGHT = 601;
const LEFT = 400;
const never = new AbortController().signal;

const open = async (options: XScreenOptions = {}): Promise<XScreen> => {
  const screen = await openXScreen(WIDTH, HEIGHT, options);
  onTestFinished(() => screen.close());
  return screen;
};
const capturerOn = ({ environment }: XScreen): ScreenCapturer =>
  openScreenCapturer({ platform: 'linux', environment, ffmpeg: async () => null });
const good = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
};
const monitor = (screen: XScreen, name: string, { x, y, width, height }: Area, output: string) =>
  screen.run('xrandr', '--setmonitor', name, `${width}/100x${height}/100+${x}+${y}`, output);
/** Three bytes for each pixel. */
const colours = ({ data, width, height }: Pixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .raw()
    .toBuffer();
const isAsPainted = async (screen: XScreen, pixels: Pixels, area: Area): Promise<boolean> =>
  (await colours(pixels)).equals(screen.pixels(area));

it('a server that is reached by TCP, and shares no memory, gives the same pixels', async () => {
  const screen = await open({ isRemote: true });
  expect(screen.display).toMatch(/^127\.0\.0\.1:\d+$/);
  expect((await screen.run('xdpyinfo')).toString()).not.toContain('MIT-SHM');
  const [frame] = good(await capturerOn(screen).freeze('hide', never));
  if (!frame) throw new Error('There is no display.');
  expect(await isAsPainted(screen, frame.pixels, { x: 0, y: 0, width: WIDTH, height: HEIGHT })).toBe(true);
});

it('a display that stands upright beside a lower one has its own pixels, and nothing of the gap', async () => {
  const screen = await open();
  const upright = { x: 0, y: 0, width: 301, height: HEIGHT };
  const flat = { x: 301, y: 150, width: WIDTH - 301, height: 333 };
  await monitor(screen, 'Upright', upright, 'screen');
  await monitor(screen, 'Flat', flat, 'none');
  const frames = good(await capturerOn(screen).freeze('hide', never));
  expect(frames.map(({ display }) => display)).toMatchObject([upright, flat]);
  for (const { display, pixels } of frames) expect(await isAsPainted(screen, pixels, display), display.name).toBe(true);
});

it('a display that is unplugged while the screen is frozen costs nothing; later captures know that it is gone', async () => {
  const screen = await open();
  await monitor(screen, 'Left', { x: 0, y: 0, width: LEFT, height: HEIGHT }, 'screen');
  await monitor(screen, 'Right', { x: LEFT, y: 0, width: WIDTH - LEFT, height: HEIGHT }, 'none');
  const { engine } = await openEngine(temporaryFolder('x11-edges'), { environment: screen.environment });
  good(await engine.capture.start({ mode: 'region' }, never));
  const session = engine.state().capture;
  if (session?.state !== 'choosing') throw new Error('The screen is not frozen.');
  await screen.run('xrandr', '--delmonitor', 'Right');
  const area = { x: LEFT + 50, y: 60, width: 211, height: 101 };
  const id = good(only(await engine.capture.choose({ id: session.id, area, way: 'publish' }, never), 'item'));
  const source = id && itemOf(engine, id)?.source;
  if (!source) throw new Error('The capture is not in the queue.');
  expect((await sharp(source.path).raw().toBuffer()).equals(screen.pixels(area))).toBe(true);

  const target = { mode: 'screen', number: 2 } as const;
  const taken = await engine.capture.take({ target, pointer: 'hide', delaySeconds: 0, share: {} }, never);
  expect(taken).toMatchObject({ ok: false, error: { code: 'CAPTURE_AREA_INVALID' } });
  good(await engine.capture.start({ mode: 'region' }, never));
  const next = engine.state().capture;
  expect(next?.state === 'choosing' && next.displays).toMatchObject([{ name: 'Left', width: LEFT }]);
  await engine.capture.cancel();
});
