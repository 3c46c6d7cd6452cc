/** Every capture mode, from the request to the PNG in the spool, compared pixel by pixel with another tool. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Area, CaptureTarget } from '../../../src/ipc/protocol/capture.ts';
import { itemOf, openEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { only } from '../../support/results.ts';
import { openMovingWindows } from '../../support/screen/moving-windows.ts';
import { maimPicture } from '../../support/screen/reference-picture.ts';
import type { ScreenProgram } from '../../support/screen/screen-program.ts';
import { openXDesktop, type XDesktop } from '../../support/screen/x-desktop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WIDTH = 803;
const HEIGHT = 601;
const LEFT = 400;
const WHOLE: Area = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
const REGION: Area = { x: 301, y: 57, width: 333, height: 211 };
const never = new AbortController().signal;

let desktop: XDesktop;
let wanderer: ScreenProgram;
beforeAll(async () => {
  desktop = await openXDesktop(WIDTH, HEIGHT);
});
afterAll(() => desktop.close());

const good = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
};

const pictureOf = async (engine: Engine, id: ItemId | null) => {
  const source = id && itemOf(engine, id)?.source;
  if (!source) throw new Error('The capture is not in the queue.');
  return sharp(source.path).raw().toBuffer({ resolveWithObject: true });
};

/** A capture for which the other tool sees the same before and after. */
const expectSame = async (engine: Engine, area: Area, take: () => Promise<Result<ItemId | null>>) => {
  for (;;) {
    const before = await maimPicture(desktop, area);
    const { data, info } = await pictureOf(engine, good(await take()));
    if (!before.equals(await maimPicture(desktop, area))) continue;
    expect(info).toMatchObject({ width: area.width, height: area.height, channels: 3 });
    expect(data.equals(before)).toBe(true);
    return;
  }
};

describe.each(['one screen', 'two screens'] as const)('on %s', (layout) => {
  beforeAll(async () => {
    if (layout === 'two screens') await desktop.splitAt(LEFT);
  });
  afterAll(async () => {
    if (layout === 'two screens') await desktop.join();
  });
  const screens: readonly Area[] =
    layout === 'one screen'
      ? [WHOLE]
      : [
          { x: LEFT, y: 0, width: WIDTH - LEFT, height: HEIGHT },
          { x: 0, y: 0, width: LEFT, height: HEIGHT },
        ];

  it.each([
    [1, null],
    [1.25, 120],
    [2, 192],
  ])('of scale %d each mode takes exactly the pixels that maim sees, among windows that move', async (scale, dpi) => {
    await desktop.setDpi(dpi);
    wanderer = await openMovingWindows(desktop, 'wander');
    const { engine } = await openEngine(temporaryFolder('modes'), { environment: desktop.environment });
    const take = (target: CaptureTarget) => () =>
      engine.capture
        .take({ target, pointer: 'hide', delaySeconds: 0, share: {} }, never)
        .then((reply) => only(reply, 'id'));
    wanderer.stop();
    try {
      await expectSame(engine, REGION, take({ mode: 'region', area: REGION }));
      wanderer.goOn();
      good(await engine.capture.start({ mode: 'region' }, never));
      const session = engine.state().capture;
      if (session?.state !== 'choosing') throw new Error('The screen is not frozen.');
      expect(session.displays).toMatchObject(screens.map((area, index) => ({ ...area, number: index + 1, scale })));
      good(only(await engine.capture.choose({ id: session.id, area: REGION, way: 'publish' }, never), 'item'));
      wanderer.stop();
      await expectSame(engine, REGION, take({ mode: 'last' }));
      for (const [index, area] of screens.entries())
        await expectSame(engine, area, take({ mode: 'screen', number: index + 1 }));
      await expectSame(engine, WHOLE, take({ mode: 'all' }));
      const windowOf = async () => {
        good(await engine.capture.start({ mode: 'window' }, never));
        const choosing = engine.state().capture;
        const window = choosing?.state === 'choosing' ? choosing.windows[0] : undefined;
        await engine.capture.cancel();
        if (!window) throw new Error('No window is listed.');
        return window;
      };
      // The window manager gives it the keyboard some time after it is seen.
      await eventually(async () => expect(await windowOf()).toMatchObject({ title: 'Wanderer', hasKeyboard: true }));
      const window = await windowOf();
      await expectSame(engine, window, take({ mode: 'window' }));
    } finally {
      await wanderer.close();
      await desktop.setDpi(null);
    }
  });
});
