/** Scrolling captures in the engine, from the selection to the queue or the editor. */
import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../../../src/api/errors.ts';
import type { Engine } from '../../../../src/engine/engine.ts';
import type { ScreenCapturer } from '../../../../src/engine/ports.ts';
import { itemOf, openEngine, until } from '../../../support/engine.ts';
import { makePage, viewOf } from '../../../support/screen/scrolling-page.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const never = new AbortController().signal;
const [WIDTH, VIEW] = [240, 200];
const AREA = { x: 0, y: 0, width: WIDTH, height: VIEW };
const page = makePage({ width: WIDTH, height: 480, seed: 4 });
const rgb = async (height: number) =>
  sharp(page.data, { raw: { width: WIDTH, height: page.height, channels: 4 } })
    .extract({ left: 0, top: 0, width: WIDTH, height })
    .removeAlpha()
    .raw()
    .toBuffer();

const openScene = async ({ scrolls = true, editAfterCapture = false, scrollLeadMs = 0 } = {}) => {
  const screen = { top: 0 };
  const pixels = () => viewOf(page, screen.top, { height: VIEW });
  const display = { ...AREA, number: 1, name: 'Display', scale: 1 };
  const capturer: ScreenCapturer = {
    displays: async () => ok([display]),
    windows: async () => ok([{ ...AREA, title: 'Letters', hasKeyboard: true }]),
    freeze: async () => ok([{ display, pixels: pixels() }]),
    grab: async () => ok(pixels()),
    ...(scrolls && {
      scroll: async (_, __, clicks) => {
        screen.top = Math.max(0, Math.min(page.height - VIEW, screen.top + clicks * 40));
        return ok(undefined);
      },
    }),
  };
  const { engine } = await openEngine(temporaryFolder('scrolling'), { capturer, scrollLeadMs });
  engine.settings.update({ editAfterCapture });
  return { engine, screen, capturer };
};

const choose = async (engine: Engine): Promise<void> => {
  expect(await engine.capture.start({ mode: 'region' }, never)).toEqual(ok({}));
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error('The session is not choosing.');
  const chosen = await engine.capture.choose({ id: capture.id, area: AREA, way: 'scroll' }, never);
  expect(chosen).toEqual(ok({ item: null }));
};
const scrolling = (engine: Engine) => {
  const { capture } = engine.state();
  if (capture?.state !== 'scrolling') throw new Error(`The session is ${capture?.state ?? 'over'}.`);
  return capture;
};
const lengthIs = (engine: Engine, length: number) =>
  until(() => {
    const { capture } = engine.state();
    return capture?.state === 'scrolling' && capture.length === length;
  });

it('scrolls the chosen area to its end and shares the picture as any capture', async () => {
  const { engine } = await openScene();
  await choose(engine);
  // The session closes before its picture is in the queue.
  await until(() => engine.state().queue.items.length === 1);
  const [item] = engine.state().queue.items;
  expect(item).toMatchObject({ origin: 'capture', source: { owner: 'spool' } });
  const path = item && itemOf(engine, item.id)?.source.path;
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([WIDTH, page.height]);
  expect(data.equals(await rgb(page.height))).toBe(true);
});

it('opens the editor with what the user scrolled to and stopped', async () => {
  const { engine, screen } = await openScene({ scrolls: false, editAfterCapture: true });
  await choose(engine);
  await lengthIs(engine, VIEW);
  screen.top = 70;
  await lengthIs(engine, VIEW + 70);
  const { id, by } = scrolling(engine);
  expect(by).toBe('user');
  expect(engine.capture.frame(id, 0)?.length).toBe(WIDTH * (VIEW + 70) * 4);
  expect(await engine.capture.stopScrolling({ id })).toEqual(ok({ item: null }));
  expect(engine.state().capture).toMatchObject({ state: 'editing', width: WIDTH, height: VIEW + 70 });
  expect(engine.capture.frame(id, 0)).toBeNull();
  expect(await engine.capture.stopScrolling({ id })).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
});

it('leaves nothing after it is cancelled', async () => {
  const { engine } = await openScene({ scrolls: false });
  await choose(engine);
  await lengthIs(engine, VIEW);
  const { id } = scrolling(engine);
  await engine.capture.cancel();
  expect(engine.state()).toMatchObject({ capture: null, discarded: [], queue: { items: [] } });
  expect(await engine.capture.undoScrolling({ id })).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
  expect(await readdir(engine.spoolDir)).toEqual([]);
});

it('counts down first where the page of the app covers what scrolls', async () => {
  const { engine } = await openScene({ scrollLeadMs: 3_000 });
  await choose(engine);
  expect(engine.state().capture).toMatchObject({ state: 'waiting', purpose: 'scrolling' });
  await until(() => engine.state().queue.items.length === 1);
  expect(engine.state().capture).toBeNull();
});

it('keeps what is joined when the screen can no longer be captured, and says so', async () => {
  const { engine, screen, capturer } = await openScene({ scrolls: false, editAfterCapture: true });
  await choose(engine);
  await lengthIs(engine, VIEW);
  screen.top = 50;
  await lengthIs(engine, VIEW + 50);
  capturer.grab = async () => err(failure('CAPTURE_UNAVAILABLE', 'The screen is locked.'));
  await until(() => engine.state().capture?.state === 'editing');
  expect(engine.state().capture).toMatchObject({ height: VIEW + 50 });
  expect(engine.state().notices).toMatchObject([{ code: 'CAPTURE_UNAVAILABLE' }]);
});
