/** The scrolling capture that the user watches: by the app or by hand, stopped, taken back, uncertain and full. */
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../../../src/api/errors.ts';
import { createScrollSession } from '../../../../src/engine/capture/scroll/scroll-session.ts';
import { startScrollCapture } from '../../../../src/engine/capture/scroll/start-scroll-capture.ts';
import type { Pixels, ScreenCapturer } from '../../../../src/engine/ports.ts';
import { hurriedClock } from '../../../support/hurried-clock.ts';
import { makePage, viewOf } from '../../../support/screen/scrolling-page.ts';
import { sleepingClock } from '../../../support/sleeping-clock.ts';

const [WIDTH, VIEW, CLICK_ROWS] = [240, 200, 40];
const area = { x: 0, y: 0, width: WIDTH, height: VIEW };
const page = makePage({ width: WIDTH, height: 900, seed: 4 });
const WATCH_MS = 80;

const screenOf = (shown: Pixels) => {
  const screen = { top: 0 };
  const capturer: ScreenCapturer = {
    displays: async () => ok([]),
    windows: async () => ok([]),
    freeze: async () => ok([]),
    grab: async () => ok(viewOf(shown, screen.top, { height: VIEW })),
  };
  const scroll: NonNullable<ScreenCapturer['scroll']> = async (_, __, clicks) => {
    screen.top = Math.max(0, Math.min(shown.height - VIEW, screen.top + clicks * CLICK_ROWS));
    return ok(undefined);
  };
  return { screen, byHand: capturer, byApp: { ...capturer, scroll } };
};
const isShown = (pixels: Pixels, from: Pixels, height: number) =>
  pixels.height === height && Buffer.compare(pixels.data, from.data.subarray(0, height * WIDTH * 4)) === 0;

/** A session by hand whose page the test scrolls. */
const byHand = (shown = page, pixelsMax?: number) => {
  const { screen, byHand: capturer } = screenOf(shown);
  const clock = sleepingClock();
  const seen: string[] = [];
  const session = createScrollSession(
    {
      ...{ clock, capturer, ...(pixelsMax && { pixelsMax }) },
      onChange: () => seen.push(`${session.progress().by} ${session.progress().length}`),
    },
    area,
  );
  const stopping = new AbortController();
  const running = session.run(stopping.signal);
  const show = async (top: number) => {
    screen.top = top;
    await clock.advance(WATCH_MS);
    await clock.advance(0);
  };
  const stop = async () => {
    stopping.abort();
    return running;
  };
  return { session, seen, show, stop };
};

it('scrolls to the end by itself and reports each piece', async () => {
  const { byApp: capturer } = screenOf(page);
  const lengths: number[] = [];
  const session = createScrollSession(
    { clock: hurriedClock(), capturer, onChange: () => lengths.push(session.progress().length) },
    area,
  );
  expect(await session.run(new AbortController().signal)).toEqual(ok(undefined));
  expect(isShown(session.result(), page, page.height)).toBe(true);
  expect(lengths[0]).toBe(VIEW);
  expect(lengths.at(-1)).toBe(page.height);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
});

it('joins what the user scrolls to where the desktop lets no program scroll', async () => {
  const { session, seen, show, stop } = byHand();
  for (const top of [0, 70, 70, 190]) await show(top);
  expect(session.progress()).toMatchObject({ by: 'user', width: WIDTH, length: 390, isExact: true, note: null });
  expect(seen).toEqual(['user 200', 'user 270', 'user 390']);
  await stop();
  expect(isShown(session.result(), page, 390)).toBe(true);
});

it('says what does not fit, keeps what is certain, and goes on when it fits again', async () => {
  const { session, show, stop } = byHand();
  for (const top of [0, 70, 600]) await show(top);
  expect(session.progress()).toMatchObject({ length: 270, note: 'nothing-matches' });
  await show(150);
  expect(session.progress()).toMatchObject({ length: 350, note: null });
  await stop();
  expect(isShown(session.result(), page, 350)).toBe(true);
});

it('takes the last piece back, which does not come back until the user scrolls', async () => {
  const { session, show, stop } = byHand();
  for (const top of [0, 70, 150]) await show(top);
  session.undo();
  expect(session.progress()).toMatchObject({ length: 270, canUndo: false });
  for (const top of [150, 150]) await show(top);
  expect(session.progress().length).toBe(270);
  await show(170);
  expect(session.progress()).toMatchObject({ length: 370, canUndo: true });
  await stop();
  expect(isShown(session.result(), page, 370)).toBe(true);
});

it('lets the user scroll once a piece is taken back while the app scrolls', async () => {
  const { screen, byApp: capturer } = screenOf(page);
  const clock = sleepingClock();
  const session = createScrollSession({ clock, capturer, onChange: () => {} }, area);
  const stopping = new AbortController();
  const running = session.run(stopping.signal);
  for (let at = 0; session.progress().length < 280 && at < 50; at++) await clock.advance(60);
  session.undo();
  const { length } = session.progress();
  const { top } = screen;
  for (let at = 0; at < 50; at++) await clock.advance(60);
  expect(session.progress()).toMatchObject({ by: 'user', length });
  expect(screen.top).toBe(top);
  stopping.abort();
  await running;
  expect(isShown(session.result(), page, length)).toBe(true);
});

it('waits for the user at the largest accepted picture', async () => {
  const { session, show, stop } = byHand(page, WIDTH * 300);
  for (const top of [0, 70, 150, 230]) await show(top);
  expect(session.progress()).toMatchObject({ by: 'ended', length: 270, note: 'full' });
  expect(await stop()).toEqual(ok(undefined));
  expect(isShown(session.result(), page, 270)).toBe(true);
});

it('lets the user go on where the app cannot join', async () => {
  const { byApp: capturer } = screenOf(page);
  let looks = 0;
  // From the tenth look on, another page is shown.
  const other = makePage({ width: WIDTH, height: 900, seed: 77 });
  const grab: ScreenCapturer['grab'] = async (...input) =>
    looks++ < 10 ? capturer.grab(...input) : ok(viewOf(other, 0, { height: VIEW }));
  const session = createScrollSession({ clock: hurriedClock(), capturer: { ...capturer, grab }, onChange }, area);
  const stopping = new AbortController();
  const states: string[] = [];
  function onChange() {
    const { by, note } = session.progress();
    states.push(`${by} ${note}`);
    if (by === 'user' && note !== null) stopping.abort();
  }
  await session.run(stopping.signal);
  expect(states.at(-1)).toBe('user nothing-matches');
  expect(isShown(session.result(), page, session.progress().length)).toBe(true);
});

it('shows the last rows of the picture in its preview', async () => {
  const { session, show, stop } = byHand();
  for (const top of [0, 120, 240, 360]) await show(top);
  const { width, height, data } = session.preview();
  // Narrower than the preview, so that each pixel is as it was.
  expect({ width, height }).toEqual({ width: WIDTH, height: 480 });
  expect(Buffer.compare(data, viewOf(page, 80, { height: 480 }).data)).toBe(0);
  await stop();
});

it('keeps the picture, to stop again, when it cannot be saved', async () => {
  const { byHand: capturer } = screenOf(page);
  const clock = sleepingClock();
  const full = err(failure('DISK_FULL', 'The disk is full.'));
  const answers = [full, ok({ item: null })];
  const kept: number[] = [];
  const capture = startScrollCapture(
    {
      ...{ clock, capturer, onChange: () => {}, begun: () => {}, failed: () => {} },
      async keep({ height }) {
        kept.push(height);
        return answers.shift() ?? full;
      },
    },
    { id: '0b0e7a52-5f0a-4c0f-9f43-1de1c3f4b001' as never, area, delayMs: 250 },
    new AbortController().signal,
  );
  expect(await capture.stop()).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
  await clock.advance(250);
  await clock.advance(0);
  expect(await capture.stop()).toBe(full);
  expect(capture.shown()).toMatchObject({ state: 'scrolling', by: 'ended', length: VIEW });
  expect(await capture.stop()).toEqual(ok({ item: null }));
  expect(kept).toEqual([VIEW, VIEW]);
});

it('saves one picture for all who stop it, also while it saves by itself', async () => {
  const { byHand: capturer, byApp } = screenOf(page);
  const id = '0b0e7a52-5f0a-4c0f-9f43-1de1c3f4b001' as never;
  const saved = ok({ item: null });
  let kept = 0;
  const ends = { onChange: () => {}, begun: () => {}, failed: () => {} };
  const never = new AbortController().signal;

  const clock = sleepingClock();
  const saving = Promise.withResolvers<typeof saved>();
  const keep = () => {
    kept += 1;
    return saving.promise;
  };
  const stopped = startScrollCapture({ ...ends, clock, capturer, keep }, { id, area, delayMs: 0 }, never);
  await clock.advance(0);
  await clock.advance(0);
  const stops = [stopped.stop(), stopped.stop()];
  await clock.advance(0);
  stops.push(stopped.stop());
  saving.resolve(saved);
  expect(await Promise.all(stops)).toEqual([saved, saved, saved]);
  expect(kept).toBe(1);

  const byItself = Promise.withResolvers<typeof saved>();
  const begun = Promise.withResolvers<void>();
  const keepLater = () => {
    begun.resolve();
    return byItself.promise;
  };
  const deps = { ...ends, clock: hurriedClock(), capturer: byApp, keep: keepLater };
  const complete = startScrollCapture(deps, { id, area, delayMs: 0 }, never);
  await begun.promise;
  expect(complete.shown()).toMatchObject({ by: 'saving' });
  const asked = complete.stop();
  byItself.resolve(saved);
  expect(await asked).toEqual(saved);
});

it('is settled once its picture is saved, and keeps the picture after an error that nobody expects', async () => {
  const { byApp: capturer } = screenOf(page);
  const saving = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  const kept: number[] = [];
  const capture = startScrollCapture(
    {
      ...{ clock: hurriedClock(), capturer, onChange: () => {}, begun: () => {} },
      failed: ({ code, detail }, isEmpty) => void failures.push([code, detail, isEmpty]),
      keep({ height }) {
        kept.push(height);
        begun.resolve();
        return kept.length === 1 ? saving.promise : Promise.resolve(ok({ item: null }));
      },
    },
    { id: '0b0e7a52-5f0a-4c0f-9f43-1de1c3f4b001' as never, area, delayMs: 0 },
    new AbortController().signal,
  );
  await begun.promise;
  let isSettled = false;
  const settled = capture.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  saving.reject(new Error('The spool is gone.'));
  await settled;
  expect(failures).toEqual([['APP_FAILED', 'The spool is gone.', false]]);
  expect(capture.shown()).toMatchObject({ state: 'scrolling', by: 'ended', length: page.height });
  expect(await capture.stop()).toEqual(ok({ item: null }));
  expect(kept).toEqual([page.height, page.height]);
});

it('keeps what is joined when the screen fails in a way that nobody expects', async () => {
  const { byHand: capturer } = screenOf(page);
  const clock = sleepingClock();
  const failures: unknown[] = [];
  const capture = startScrollCapture(
    {
      ...{ clock, capturer, onChange: () => {}, begun: () => {} },
      failed: ({ code }, isEmpty) => void failures.push([code, isEmpty]),
      keep: async () => ok({ item: null }),
    },
    { id: '0b0e7a52-5f0a-4c0f-9f43-1de1c3f4b001' as never, area, delayMs: 0 },
    new AbortController().signal,
  );
  await clock.advance(0);
  await clock.advance(0);
  capturer.grab = () => Promise.reject(new Error('The screen is gone.'));
  await clock.advance(WATCH_MS);
  await clock.advance(0);
  expect(failures).toEqual([['APP_FAILED', false]]);
  expect(capture.shown()).toMatchObject({ state: 'scrolling', by: 'ended', length: VIEW });
  expect(await capture.stop()).toEqual(ok({ item: null }));
});
