/** Capture toasts and the recorder bar in real Chromium. */

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { nameless, overflows, tabStops } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { noise, pngOf } from '../../support/media/pixels.ts';
import { makeScrolling } from '../../support/window/app-state.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { callsOf } from '../../support/window/window-for-each-test.ts';

let pages: RendererPages;
let page: Page;
let problems: string[];

beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const open = async (which: 'index' | 'toast' | 'recorder'): Promise<void> => {
  ({ page, problems } = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'] }, which));
};
const calls = (command: CommandName) => callsOf(page, command);
const asked = (command: CommandName, inputs: unknown[]) =>
  eventually(async () => expect(await calls(command)).toEqual(inputs));
const notice = (name: string) => page.getByRole('listitem', { name: `Capture ${name}` });
const bar = () => page.getByRole('region', { name: 'Recorder' });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
const isGone = (name: string) => eventually(async () => expect(await notice(name).count()).toBe(0));

/** From now on the page's time is stopped, and only advances when the test does it. */
const stopTime = async (): Promise<void> => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
};

const CAPTURE = 'shot-2.png';

interface Capture {
  readonly ageMs?: number;
  readonly by?: 'capture' | 'recording' | 'hand';
  /** Whether it has a thumbnail. */
  readonly isDrawn?: boolean;
  readonly account?: 'connected' | 'removed';
}

/** One capture in the queue, in this state, made this long ago by the page's own time. */
const capture = (
  state: 'started' | 'linked',
  { ageMs = 0, by = 'capture', isDrawn = true, account = 'connected' }: Capture = {},
) =>
  page.evaluate(
    ([of, age, origin, hasThumbnail, owner]) => {
      const { make, double } = window;
      const other = owner === 'removed' && { accountId: 'account-9' as AccountId };
      const facts = { createdAt: Date.now() - age, ...(origin !== 'hand' && { origin }), ...other };
      const item = make.makeItem(of, 2, { ...facts, size: 8 * make.MIB });
      const live = { activity: 'sending', doneBytes: 2 * make.MIB, bytesPerSecond: make.MIB, secondsLeft: 6 } as const;
      double.set({
        queue: { items: [item], live: of === 'started' ? { [item.id]: live } : {}, paused: false },
        thumbnails: hasThumbnail ? [item.id] : [],
      });
    },
    [state, ageMs, by, isDrawn, account] as const,
  );

describe('the notice of a capture', () => {
  beforeEach(() => open('index'));

  it('shows its destination and who can open it during the upload, its progress, and then its link', async () => {
    await stopTime();
    await capture('started');
    const words = () => notice(CAPTURE).innerText();
    await eventually(async () => expect(await words()).toContain('To share.example.com · Unlisted'));
    expect((await words()).replaceAll('\u00a0', ' ')).toMatch(/Uploading\s*· 25%\s*· 6 s left/);
    await capture('linked');
    await notice(CAPTURE).getByRole('button', { name: 'Copy the link to shot-2.png' }).waitFor();
    expect(await notice(CAPTURE).getByRole('link').getAttribute('href')).toBe('https://share.example.com/s/c2');
    await notice(CAPTURE).getByRole('button', { name: /Copy/ }).click();
    await eventually(async () =>
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://share.example.com/s/c2'),
    );
  });

  it('names no server where the account of the item was removed', async () => {
    await stopTime();
    for (const state of ['started', 'linked'] as const) {
      await capture(state, { account: 'removed' });
      await notice(CAPTURE).getByText('Unlisted', { exact: true }).waitFor();
    }
  });

  it('asks for its picture once there is one, also after the link', async () => {
    const body = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .webp()
      .toBuffer();
    let requests = 0;
    await stopTime();
    await page.route('**/thumbnails/**', (route) => {
      requests += 1;
      return route.fulfill({ body, contentType: 'image/webp' });
    });
    await capture('linked', { isDrawn: false });
    await notice(CAPTURE).getByText('Link is ready').waitFor();
    expect(requests).toBe(0);
    await capture('linked');
    const width = () =>
      notice(CAPTURE)
        .locator('img')
        .evaluateAll((images) => (images[0] as HTMLImageElement | undefined)?.naturalWidth ?? 0);
    await expect.poll(width).toBe(8);
    expect(requests).toBe(1);
  });

  it('is for captures and recordings of this run alone', async () => {
    await capture('started', { by: 'hand' });
    await page.getByText('shot-2.png').first().waitFor();
    expect(await notice(CAPTURE).count()).toBe(0);
    await capture('started', { ageMs: 3_600_000 });
    expect(await notice(CAPTURE).count()).toBe(0);
    await capture('started', { by: 'recording' });
    await notice(CAPTURE).waitFor();
  });

  it('leaves five seconds after its link is there, not while it uploads and not while the mouse is on it', async () => {
    await stopTime();
    await capture('started');
    await notice(CAPTURE).waitFor();
    await page.clock.fastForward(60_000);
    await notice(CAPTURE).waitFor();
    await notice(CAPTURE).hover();
    await capture('linked');
    await notice(CAPTURE).getByText('Link is ready').waitFor();
    await page.clock.fastForward(60_000);
    await notice(CAPTURE).waitFor();
    await page.mouse.move(2, 2);
    // The timer begins once React has seen the mouse leave.
    await eventually(async () => {
      await page.clock.fastForward(2_500);
      expect(await notice(CAPTURE).count()).toBe(0);
    });
  });

  it('stays while the keyboard is in it, and Esc closes it', async () => {
    await stopTime();
    await capture('linked');
    await notice(CAPTURE).getByRole('button', { name: /Copy/ }).focus();
    await page.clock.fastForward(60_000);
    await notice(CAPTURE).waitFor();
    await page.keyboard.press('Escape');
    await isGone(CAPTURE);
  });

  it('stays while it shows an error, explains what to do, and retries', async () => {
    await stopTime();
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'NETWORK_FAILED', detail: '' } as const;
      const error = { failure, since: Date.now(), retryAt: null };
      const item = make.makeItem('started', 2, { createdAt: Date.now(), origin: 'capture', error });
      double.set({ queue: { items: [item], live: {}, paused: false } });
    });
    await notice(CAPTURE).getByText('Needs your attention').waitFor();
    await page.clock.fastForward(600_000);
    await notice(CAPTURE).getByRole('button', { name: 'Try again' }).click();
    await asked('queue.retry', [{ ids: [await page.evaluate(() => window.make.itemId(2))] }]);
  });

  it.each(['QUOTA_EXCEEDED', 'UPLOAD_FORMAT_UNSUPPORTED', 'ACCOUNT_MISMATCH'] as const)(
    'leads to the window where %s is put right there',
    async (code) => {
      await page.evaluate((known) => {
        const { make, double } = window;
        const error = { failure: { code: known, detail: '' }, since: Date.now(), retryAt: null };
        const item = make.makeItem('started', 2, { createdAt: Date.now(), origin: 'capture', error });
        double.set({ queue: { items: [item], live: {}, paused: false } });
      }, code);
      await notice(CAPTURE).getByRole('button', { name: 'Open Linkshot' }).waitFor();
    },
  );

  it('leads to what was found where the upload waits because of possible secrets', async () => {
    const item = await page.evaluate(() => window.make.itemId(2));
    // The editor opens there.
    pages.captures.set(`${item}/picture`, await pngOf(noise(641, 403, 2)));
    await page.evaluate(() => {
      const { make, double } = window;
      const error = { failure: { code: 'SECRETS_FOUND', detail: '' }, since: Date.now(), retryAt: null } as const;
      const item = make.makeItem('queued', 2, { createdAt: Date.now(), origin: 'capture', error });
      double.set({ queue: { items: [item], live: {}, paused: false } });
    });
    await notice(CAPTURE).getByRole('button', { name: 'Look at it' }).click();
    await asked('capture.review', [{ item }]);
    await page.locator('[data-canvas]').waitFor();
  });

  it('says that its link was copied only where a host has copied it', async () => {
    await stopTime();
    const isLinked = (isCopied: boolean) =>
      page.evaluate((copied) => {
        const { make, double } = window;
        const { isCopied: _, ...item } = make.makeItem('linked', 2, { createdAt: Date.now(), origin: 'capture' });
        double.set({
          capabilities: { ...double.state().capabilities, clipboard: 'host' },
          queue: { items: [copied ? { ...item, isCopied: true } : item], live: {}, paused: false },
        });
      }, isCopied);
    await isLinked(false);
    await notice(CAPTURE).getByText('Link is ready').waitFor();
    expect(await page.getByText('Link copied').count()).toBe(0);
    await isLinked(true);
    await notice(CAPTURE).getByText('Link copied').waitFor();
  });

  it('is the only notification of the link, unless the user has disabled or closed it', async () => {
    const linked = () =>
      page.evaluate(() => {
        const { make, double } = window;
        const { url } = make.makeContent(2);
        double.emit({ type: 'linked', id: make.itemId(2), url, name: 'shot-2.png', text: url });
      });
    await stopTime();
    await capture('linked');
    await linked();
    await notice(CAPTURE).getByText('Link copied').waitFor();
    expect(await page.getByText('Link to shot-2.png copied').count()).toBe(0);
    await button('Close the notification for shot-2.png').click();
    await isGone(CAPTURE);
    await linked();
    await page.getByText('Link to shot-2.png copied').waitFor();
    await page.evaluate(() => {
      const { settings } = window.double.state();
      window.double.set({ settings: { ...settings, toast: 'hide' } });
    });
    await capture('started');
    await page.getByText('Uploading').first().waitFor();
    expect(await page.getByRole('list', { name: 'Captures' }).count()).toBe(0);
  });

  it('changes the link before its publication and after, and explains why where it cannot', async () => {
    await stopTime();
    await page.evaluate(() => {
      const { double, make } = window;
      const id = make.itemId(2);
      const failure = { code: 'ONE_TIME_NOT_PUBLIC', detail: '' } as const;
      double.answer('queue.setShare', () => ({ answers: [{ id, failure: null }] }));
      double.answer('library.update', () => ({ answers: [{ id, item: null, failure }] }));
    });
    const ids = [await page.evaluate(() => window.make.itemId(2))];
    await capture('started');
    await button('Link settings of shot-2.png').click();
    await notice(CAPTURE).getByText('1 week').click();
    await asked('queue.setShare', [{ ids, change: { ttl: 'week' } }]);
    await capture('linked');
    await notice(CAPTURE).getByRole('switch', { name: 'One-time link' }).press('Space');
    await asked('library.update', [{ ids, change: { oneTime: true } }]);
    await notice(CAPTURE).getByRole('alert').waitFor();
    expect(await notice(CAPTURE).getByRole('alert').innerText()).toContain('one-time');
  });

  it('shows each of two quick changes of the link until its own reply', async () => {
    const first = await page.evaluateHandle(() => {
      const reply = Promise.withResolvers<{ answers: never[] }>();
      window.double.answer('library.update', ({ change }) =>
        change.ttl === undefined ? new Promise(() => {}) : reply.promise,
      );
      return reply;
    });
    await stopTime();
    await capture('linked');
    await button('Link settings of shot-2.png').click();
    const radio = (name: string) => notice(CAPTURE).getByRole('radio', { name });
    const shows = (name: string, isChosen: boolean) =>
      eventually(async () => expect(await radio(name).isChecked()).toBe(isChosen));
    await notice(CAPTURE).getByText('1 week').click();
    await notice(CAPTURE).getByText('Private', { exact: true }).click();
    for (const name of ['1 week', 'Private']) await shows(name, true);
    await first.evaluate(({ resolve }) => resolve({ answers: [] }));
    await shows('1 week', false);
    await shows('Private', true);
  });

  it('deletes with an undo', async () => {
    await stopTime();
    await capture('linked');
    await page.evaluate(() => {
      const { double, make } = window;
      const item = make.makeLibraryItem(2);
      const at = Date.now() + 10_000;
      double.answer('library.delete', () => ({
        answers: [{ id: item.id, item: { ...item, deletingAt: at }, failure: null }],
      }));
      double.answer('library.undelete', () => ({ answers: [{ id: item.id, item, failure: null }] }));
    });
    await button('Delete shot-2.png for everyone').press('Enter');
    await notice(CAPTURE)
      .getByText(/Deleting in 10/)
      .waitFor();
    const ids = [await page.evaluate(() => window.make.itemId(2))];
    await asked('library.delete', [{ ids, when: 'after-undo' }]);
    await page.keyboard.press('Enter');
    await asked('library.undelete', [{ ids }]);
    // The keyboard is where it was before.
    await eventually(async () => expect(await focused()).toBe('Delete shot-2.png for everyone'));
  });

  it('keeps the countdown of a deletion whose undo has failed, and offers it again', async () => {
    await stopTime();
    await capture('linked');
    await page.evaluate(() => {
      const { double, make } = window;
      const item = make.makeLibraryItem(2);
      const deletingAt = Date.now() + 10_000;
      double.answer('library.delete', () => ({
        answers: [{ id: item.id, item: { ...item, deletingAt }, failure: null }],
      }));
      double.answer('library.undelete', () => ({ answers: [{ id: item.id, item, failure: null }] }));
      double.failNext('library.undelete', { code: 'APP_FAILED', detail: '' });
    });
    await button('Delete shot-2.png for everyone').click();
    const undo = button(/^Undo/);
    await undo.click();
    await notice(CAPTURE).getByRole('alert').waitFor();
    await notice(CAPTURE)
      .getByText(/Deleting in 10/)
      .waitFor();
    await undo.click();
    await button('Delete shot-2.png for everyone').waitFor();
    expect(await notice(CAPTURE).getByRole('alert').count()).toBe(0);
  });

  it('cancels an unpublished item', async () => {
    await capture('started');
    await notice(CAPTURE).getByRole('button', { name: 'Cancel shot-2.png' }).click();
    await isGone(CAPTURE);
  });

  it('up to three are shown together, those that need the user first, and the others are counted', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'QUOTA_EXCEEDED', detail: '' } as const;
      const now = Date.now();
      const items = [1, 2, 3, 4, 5].map((number) =>
        make.makeItem('started', number, {
          createdAt: now + number,
          origin: 'capture',
          error: number === 1 ? { failure, since: now, retryAt: null } : null,
        }),
      );
      double.set({ queue: { items, live: {}, paused: false } });
    });
    await page.getByText('2 more captures').waitFor();
    const list = page.getByRole('list', { name: 'Captures' });
    const names = await list
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(names).toEqual(['Capture shot-1.png', 'Capture shot-4.png', 'Capture shot-5.png', null]);
  });

  it('those that newer ones have covered leave with them, and do not come back one after the other', async () => {
    await stopTime();
    await page.evaluate(() => {
      const { make, double } = window;
      const made = { createdAt: Date.now(), origin: 'capture' } as const;
      const items = [1, 2, 3, 4, 5].map((number) => make.makeItem('linked', number, made));
      double.set({ queue: { items, live: {}, paused: false } });
    });
    await page.getByText('2 more captures').waitFor();
    await page.clock.fastForward(6_000);
    await eventually(async () => expect(await page.getByRole('listitem', { name: /^Capture / }).count()).toBe(0));
  });

  it('shows where a capture without a link was saved, and closes by itself', async () => {
    await stopTime();
    await page.evaluate(() => {
      const { id } = window.make.makeReview();
      const saved = { copied: true, savedTo: '/home/mira/Pictures/Linkshot/shot.png' };
      window.double.emit({ type: 'kept', id: id as never, name: 'shot.png', ...saved });
    });
    await notice('shot.png').getByText('Image copied and saved').waitFor();
    await notice('shot.png').getByText('/home/mira/Pictures/Linkshot/shot.png').waitFor();
    await eventually(async () => {
      await page.clock.fastForward(2_500);
      expect(await notice('shot.png').count()).toBe(0);
    });
  });

  it('is read out, wholly reached by the keyboard, and never wider than the window', async () => {
    await stopTime();
    await page.setViewportSize({ width: 360, height: 700 });
    await capture('linked');
    await notice(CAPTURE).waitFor();
    await eventually(async () =>
      expect(await page.locator('[aria-live=polite]', { hasText: 'shot-2.png: Link is ready' }).count()).toBe(1),
    );
    const stops = await tabStops(page);
    expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
    const names = stops.map(({ name }) => name);
    for (const name of [
      'Close the notification for shot-2.png',
      'Copy the link to shot-2.png',
      'Link settings of shot-2.png',
      'Delete shot-2.png for everyone',
    ])
      expect(names).toContain(name);
    expect(await nameless(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
  });
});

describe('a window of the host', () => {
  const heights = () => calls('app.panel') as Promise<{ panel: string; height: number | null }[]>;
  const height = async () => (await heights()).at(-1)?.height ?? null;

  it('reports the height of the toasts to the host, and when there are none', async () => {
    await open('toast');
    await stopTime();
    await eventually(async () => expect(await heights()).toContainEqual({ panel: 'toast', height: null }));
    await capture('linked');
    await notice(CAPTURE).waitFor();
    await eventually(async () => expect(await height()).toBeGreaterThan(80));
    const closed = await height();
    await button('Link settings of shot-2.png').click();
    await eventually(async () => expect(await height()).toBeGreaterThan((closed ?? 0) + 100));
    await button('Close the notification for shot-2.png').click();
    await eventually(async () => expect(await height()).toBeNull());
  });

  it('shows actions that failed in the toast', async () => {
    await open('toast');
    await stopTime();
    await capture('linked');
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, clipboard: 'host', panels: true } });
      double.failNext('link.copy', { code: 'APP_FAILED', detail: '' });
    });
    await button('Copy the link to shot-2.png').click();
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  });

  it.each([
    ['API_KEY_REVOKED', 'Connect again', 'settings'],
    ['QUOTA_EXCEEDED', 'Open Linkshot', 'home'],
  ] as const)('leads from %s to where the window puts it right', async (code, name, screen) => {
    await open('toast');
    await page.evaluate((known) => {
      const { make, double } = window;
      const error = { failure: { code: known, detail: '' }, since: Date.now(), retryAt: null };
      const item = make.makeItem('started', 2, { createdAt: Date.now(), origin: 'capture', error });
      double.set({ queue: { items: [item], live: {}, paused: false } });
    }, code);
    await notice(CAPTURE).getByRole('button', { name }).click();
    await asked('app.show', [{ screen }]);
  });

  it('holds the bar of a recording, and the page of the app then does not', async () => {
    await open('recorder');
    await page.evaluate(() => window.double.set({ recording: window.make.makeRunning(Date.now()) }));
    await button('Stop').waitFor();
    await eventually(async () =>
      expect(await heights()).toContainEqual({ panel: 'recorder', height: expect.any(Number) }),
    );
    await page.evaluate(() => window.double.set({ recording: null }));
    await eventually(async () => expect(await height()).toBeNull());
    await page.context().close();

    await open('index');
    await page.evaluate(() => {
      const { double, make } = window;
      double.set({
        capabilities: { ...double.state().capabilities, panels: true },
        recording: make.makeRunning(Date.now()),
      });
    });
    await eventually(async () => expect(await page.title()).toContain('Recording'));
    expect(await button('Stop').count()).toBe(0);
  });
});

describe('the bar', () => {
  beforeEach(() => open('index'));

  const running = (since: 'now' | null) =>
    page.evaluate(
      (begun) => window.double.set({ recording: window.make.makeRunning(begun === 'now' ? Date.now() : null) }),
      since,
    );
  const runningId = () => page.evaluate(() => window.make.makeRunning(null).id);

  it('counts down to a capture, which can be cancelled', async () => {
    await stopTime();
    await page.evaluate(() =>
      window.double.set({
        capture: { state: 'waiting', mode: 'region', purpose: 'picture', startsAt: Date.now() + 5_000 },
      }),
    );
    await bar().getByRole('timer').getByText('Capture in 5').waitFor();
    await page.clock.fastForward(2_000);
    await bar().getByRole('timer').getByText('Capture in 3').waitFor();
    await bar().getByRole('button', { name: 'Cancel' }).click();
    await asked('capture.cancel', [{}]);
    await eventually(async () => expect(await button('Cancel').count()).toBe(0));
  });

  it('Escape cancels the countdown, wherever the focus is', async () => {
    await page.evaluate(() =>
      window.double.set({
        capture: { state: 'waiting', mode: 'region', purpose: 'picture', startsAt: Date.now() + 60_000 },
      }),
    );
    await bar().getByRole('timer').waitFor();
    await page.keyboard.press('Escape');
    await asked('capture.cancel', [{}]);
  });

  describe('of a scrolling capture', () => {
    const panel = () => page.getByRole('region', { name: 'Scrolling capture' });
    const show = async (change: Parameters<typeof makeScrolling>[0] = {}) => {
      await page.evaluate((given) => window.double.set({ capture: window.make.makeScrolling(given) }), change);
      await panel().waitFor();
    };
    const { id } = makeScrolling();

    beforeEach(() => CAPTURE_SCENES['scrolling']?.(page));

    it('shows the end of the picture and its size, and follows it', async () => {
      await panel().getByText('Scrolling…').waitFor();
      await panel().getByText('900 × 5,400').waitFor();
      const body = Buffer.alloc(320 * 7 * 4, 255);
      await page.route('**/captures/*/0', (route) => route.fulfill({ contentType: 'application/octet-stream', body }));
      await show({ length: 5_700, revision: 2 });
      await panel().getByText('900 × 5,700').waitFor();
      await eventually(async () => expect(await panel().locator('canvas').getAttribute('height')).toBe('7'));
    });

    it('is stopped, taken back and cancelled by its buttons', async () => {
      await panel().getByRole('button', { name: 'Undo the last piece' }).click();
      await asked('capture.undoScrolling', [{ id }]);
      await panel().getByRole('button', { name: 'Cancel' }).click();
      await asked('capture.cancel', [{}]);
      await show();
      await panel().getByRole('button', { name: 'Stop' }).click();
      await asked('capture.stopScrolling', [{ id }]);
    });

    it('is stopped by Enter and cancelled by Escape, wherever the focus is', async () => {
      await page.keyboard.press('Enter');
      await asked('capture.stopScrolling', [{ id }]);
      await show();
      await page.keyboard.press('Escape');
      await asked('capture.cancel', [{}]);
    });

    it('cannot be stopped before there is a picture, nor while it is saved', async () => {
      await show({ width: 0, length: 0, canUndo: false });
      await panel().getByText('The capture begins…').waitFor();
      await show({ by: 'saving' });
      await panel().getByText('Saving the image…').waitFor();
      expect(await panel().getByRole('button', { disabled: true }).count()).toBe(3);
      await page.keyboard.press('Enter');
      expect(await calls('capture.stopScrolling')).toEqual([]);
    });

    it('says in one sentence what is uncertain', async () => {
      await show({ by: 'ended', isExact: false });
      await panel().getByText('Some parts may not be joined exactly: check the image.').waitFor();
      await show({ by: 'user', note: 'nothing-matches' });
      await panel()
        .getByText(/doesn’t fit the image, so it isn’t added/)
        .waitFor();
      await show({ by: 'ended', note: 'full' });
      await panel().getByText('The image has reached the largest accepted size.').waitFor();
    });
  });

  it('counts down to a recording, which can be cancelled', async () => {
    await page.evaluate(() => {
      const { id } = window.make.makeRunning(null);
      const area = { x: 0, y: 0, width: 10, height: 10 };
      window.double.set({ recording: { state: 'countdown', id, area, startsAt: Date.now() + 60_000 } });
    });
    await bar()
      .getByRole('timer')
      .getByText(/Recording in/)
      .waitFor();
    await bar().getByRole('button', { name: 'Cancel' }).click();
    await asked('recording.discard', [{ id: await runningId() }]);
  });

  it('shows time, size against the limits and audio, and the title shows that it records', async () => {
    await stopTime();
    await running('now');
    const words = async () => (await bar().innerText()).replace(/\s+/g, ' ');
    await eventually(async () => expect(await words()).toContain('0:42 of 1:00:00 8.4 MB of 100 MB'));
    await bar().getByRole('img', { name: 'With system audio' }).waitFor();
    await page.clock.fastForward(20_000);
    await eventually(async () => expect(await words()).toContain('1:02'));
    await eventually(async () => expect(await page.title()).toBe('● Recording – Linkshot'));
  });

  it('pauses, continues and stops', async () => {
    await running('now');
    await bar().getByRole('button', { name: 'Pause' }).click();
    await asked('recording.pause', [{}]);
    await running(null);
    await button('Resume').click();
    await asked('recording.resume', [{}]);
    await button('Stop').click();
    await asked('recording.stop', [{}]);
  });

  it('asks once before it discards', async () => {
    await running('now');
    await button('Discard the recording').press('Enter');
    await bar().getByText('Discard permanently?').waitFor();
    expect(await calls('recording.discard')).toEqual([]);
    // Keeping it is what the keyboard is at; then it is where it was before.
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await focused()).toBe('Discard the recording'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await asked('recording.discard', [{ id: await runningId() }]);
    await eventually(async () => expect(await page.title()).toBe('Linkshot'));
  });

  it('discards by a double click what it showed, and nothing else', async () => {
    await running('now');
    // The first press is not answered before the second.
    await page.evaluate(() => window.double.answer('recording.discard', () => new Promise(() => {})));
    await button('Discard the recording').press('Enter');
    await page.getByRole('button', { name: 'Discard', exact: true }).dblclick();
    const id = await runningId();
    await asked('recording.discard', [{ id }, { id }]);
  });

  it('discards nothing by a second press at the same place', async () => {
    await running('now');
    await button('Discard the recording').dblclick();
    await button('Discard the recording').waitFor();
    expect(await calls('recording.discard')).toEqual([]);
  });

  it('is placed above the screen content, never on it', async () => {
    await running('now');
    for (const width of [480, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(async () => {
        const own = await bar().locator('> *').boundingBox();
        const screen = await page.getByRole('main').boundingBox();
        expect((own?.y ?? 0) + (own?.height ?? 0)).toBeLessThanOrEqual(screen?.y ?? 0);
      });
    }
  });

  it('shows that the segments are being joined', async () => {
    await page.evaluate(() =>
      window.double.set({ recording: { state: 'finishing', id: window.make.makeRunning(null).id } }),
    );
    await bar().getByText('Finishing the recording…').waitFor();
  });
});
