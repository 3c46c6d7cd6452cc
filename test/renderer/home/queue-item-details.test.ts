/** Queue item details and queue texts in real Chromium. */

import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { roundRate, smoothSeconds } from '../../../src/renderer/stores/queue/round-speed-and-time.ts';
import { axeViolations } from '../../support/audit/page-audit.ts';
import { untilListening } from '../../support/browser/until-listening.ts';
import { eventually } from '../../support/eventually.ts';
import { callsOf } from '../../support/window/window-for-each-test.ts';
import { windowOfFile } from '../../support/window/window-of-file.ts';

let page: Page;
windowOfFile((opened) => {
  page = opened;
});

const calls = (command: CommandName) => callsOf(page, command);
const dialog = () => page.getByRole('dialog');
const open = async (name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click();
  await dialog().getByRole('heading', { name }).waitFor();
};
const close = async (): Promise<void> => {
  await untilListening(page);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
};
const says = (text: string | RegExp) => dialog().getByText(text).first().waitFor();

const fill = () =>
  page.evaluate(() => {
    const { make, double } = window;
    const { MIB } = make;
    const item = make.makeItem('started', 1, {
      name: 'talk.mp4',
      size: 62 * MIB,
      confirmedBytes: 20 * MIB,
      share: { visibility: 'unlisted', oneTime: true },
    });
    const live = {
      [item.id]: { activity: 'sending', doneBytes: 21 * MIB, bytesPerSecond: MIB, secondsLeft: 41 },
    } as const;
    const next = make.makeItem('queued', 2, { name: 'next.png' });
    const failure = { code: 'NETWORK_FAILED', detail: 'inner words' } as const;
    const kept = { keptBytes: 20 * MIB, size: 62 * MIB, times: 1 };
    double.answer('queue.timeline', ({ id }) => ({
      events:
        id === item.id
          ? [
              { at: Date.now() - 600_000, data: { kind: 'added', by: 'window', size: 62 * MIB } },
              {
                at: Date.now() - 500_000,
                data: { kind: 'interrupted', by: 'network', failure, ...kept, until: Date.now() - 260_000 },
              },
              {
                at: Date.now() - 200_000,
                data: { kind: 'interrupted', by: 'killed', failure: null, ...kept, until: Date.now() - 200_000 },
              },
            ]
          : [],
    }));
    double.set({ connection: make.connected(), queue: { items: [item, next], live, paused: false } });
  });

beforeEach(fill);

describe('the details of a queue item', () => {
  it('open with Enter on its name and give the keyboard back to it', async () => {
    const name = page.getByRole('button', { name: 'talk.mp4', exact: true });
    await name.focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('heading', { name: 'talk.mp4' }).waitFor();
    await close();
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('show kind, destination, sharing and progress, also in parts', async () => {
    await open('talk.mp4');
    await says(/Uploading/);
    await says('10 of 31 parts');
    await says('Video, 62 MB');
    await says('Mira Lindqvist, share.example.com');
    await says('Anyone with the link, once.');
    await close();
  });

  it('show who will be able to open it, with the password that no page knows, by its own settings and those of the account', async () => {
    const set = (share: object, guarded: boolean) =>
      page.evaluate(
        ([wish, isGuarded]) => {
          const { make, double } = window;
          const item = make.makeItem('queued', 1, { name: 'talk.mp4', share: wish });
          double.set({ queue: { items: [item], live: {}, paused: false }, guarded: isGuarded ? [item.id] : [] });
        },
        [share, guarded] as const,
      );
    await set({}, false);
    await open('talk.mp4');
    await says('Anyone with the link.');
    await set({ ttl: 'week', title: 'The talk' }, true);
    await says('Anyone with the link and the password, for a week.');
    await says('title “The talk”');
    await set({ visibility: 'public' }, true);
    await says('Anyone with the password.');
    await set({ visibility: 'private' }, false);
    await says('Only you.');
    await close();
  });

  it('show the events as sentences, and are updated live', async () => {
    await open('talk.mp4');
    await says('Interrupted: no network for 4 min');
    await says('20 MB of 62 MB was kept.');
    await says('10 of 31 parts were kept.');
    await page.evaluate(() => {
      const { double } = window;
      double.answer('queue.timeline', () => ({ events: [{ at: Date.now(), data: { kind: 'published' } }] }));
      const { queue } = double.state();
      double.set({ queue: { ...queue, items: queue.items.map((item) => ({ ...item, intent: 'pause' })) } });
    });
    await says('Link created');
    await close();
  });

  it('show an error in full, with what helps', async () => {
    await page.evaluate(() => {
      const { double, make } = window;
      const { queue } = double.state();
      const error = {
        failure: { code: 'SOURCE_CHANGED', detail: 'inner words' },
        since: make.NOON,
        retryAt: null,
      } as const;
      double.set({ queue: { ...queue, live: {}, items: queue.items.map((item) => ({ ...item, error })) } });
    });
    await open('talk.mp4');
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => calls('queue.retry')).toHaveLength(1);
    await close();
  });

  it('pause and cancel it, and close when it is deleted', async () => {
    await open('talk.mp4');
    await dialog().getByRole('button', { name: 'Pause' }).click();
    await dialog().getByRole('button', { name: 'Resume' }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel upload' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await calls('queue.cancel')).toHaveLength(1);
  });

  it('have no fault that axe finds', async () => {
    await open('talk.mp4');
    await says('Interrupted: no network for 4 min');
    expect(await axeViolations(page)).toEqual([]);
    await close();
  });
});

it('the title of the window shows that something needs the user, once nothing runs', async () => {
  await page.evaluate(() => {
    const { double, make } = window;
    const error = { failure: { code: 'QUOTA_EXCEEDED', detail: '' }, since: make.NOON, retryAt: null } as const;
    const items = [make.makeItem('started', 1, { error }), make.makeItem('linked', 2)];
    double.set({ queue: { items, live: {}, paused: false } });
  });
  await expect.poll(() => page.title()).toBe('1 needs attention – Linkshot');
});

describe('the queue', () => {
  it('sums up the running items, with numbers of constant width', async () => {
    await page
      .getByText(/\d+%, 2 items left/)
      .first()
      .waitFor();
    await page.getByRole('progressbar', { name: 'Overall progress' }).waitFor();
  });

  it('announces its progress at quarters only', async () => {
    const said = () => page.locator('[aria-live=polite]').allInnerTexts();
    const reach = (part: number) =>
      page.evaluate((share) => {
        const { double, make } = window;
        const { queue } = double.state();
        const [item] = queue.items;
        if (!item) return;
        const doneBytes = Math.round(item.size * share);
        const live = {
          [item.id]: { activity: 'sending', doneBytes, bytesPerSecond: make.MIB, secondsLeft: 20 },
        } as const;
        double.set({ queue: { ...queue, live } });
      }, part);
    await reach(0.4);
    await reach(0.55);
    await expect.poll(said).toContain('50% of the queue uploaded, 2 items left.');
    await reach(0.6);
    await page
      .getByText(/^5\d%, 2 items left/)
      .first()
      .waitFor();
    expect((await said()).filter((text) => text.includes('of the queue'))).toEqual([
      '50% of the queue uploaded, 2 items left.',
    ]);
  });

  it('moves an entry by keyboard from its More button as well', async () => {
    const rows = page.getByRole('list', { name: 'Queue' }).getByRole('listitem');
    await page.getByRole('button', { name: 'More actions for next.png' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(async () => (await rows.first().innerText()).split('\n')[0]).toBe('next.png');
    expect(await page.getByRole('menu').count()).toBe(0);
  });
});

it('a finished item leads to its own page', async () => {
  await page.evaluate(() => {
    const { double, make } = window;
    double.set({ queue: { items: [make.makeItem('linked', 8, { name: 'dashboard.png' })], live: {}, paused: false } });
  });
  await page.getByRole('button', { name: /^dashboard\.png: settings/ }).click();
  await eventually(async () => expect(await page.evaluate(() => location.hash)).toContain('#item/'));
  await page.evaluate(() => {
    location.hash = '#home';
  });
});

describe('measured numbers', () => {
  it('are rounded for display', () => {
    expect(roundRate(1_048_576)).toBe(1_048_576);
    expect(roundRate(3.43 * 1_048_576) / 1_048_576).toBeCloseTo(3.4);
    expect(roundRate(847 * 1024) / 1024).toBeCloseTo(850);
    expect([4, 12, 61, 130].map(smoothSeconds)).toEqual([4, 15, 75, 180]);
  });
});
