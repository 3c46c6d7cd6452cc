/** Connection banners and the error list in real Chromium. */

import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandName } from '../../src/ipc/protocol/command-table.ts';
import { connectivityOf } from '../../src/renderer/stores/queue/connectivity.ts';
import { axeViolations } from '../support/audit/page-audit.ts';
import { makeItem, makeState, NOON, SERVER } from '../support/window/app-state.ts';
import { MESSAGE_SCENES, takeMessagesAway } from '../support/window/message-scenes.ts';
import { windowOfFile } from '../support/window/window-of-file.ts';

let page: Page;
windowOfFile((opened) => {
  page = opened;
});

const calls = (command: CommandName) =>
  page.evaluate((name) => window.double.calls.filter((call) => call.command === name).length, command);
const main = () => page.getByRole('main');
const says = (text: string | RegExp) => main().getByText(text).first().waitFor();
const saysNoMore = (text: string | RegExp) => main().getByText(text).first().waitFor({ state: 'detached' });
const spoken = () => page.locator('[aria-live=polite]').allInnerTexts();

/** Two items that could not reach the service for `sinceMs`, and one that has not tried. */
const cutOff = (sinceMs: number) =>
  page.evaluate((age) => {
    const { make, double } = window;
    const failure = { code: 'SERVER_UNREACHABLE', detail: 'inner words' } as const;
    const error = { failure, since: Date.now() - age, retryAt: Date.now() + 90_000 };
    const items = [
      make.makeItem('started', 1, { error }),
      make.makeItem('started', 2, { error }),
      make.makeItem('queued', 3),
    ];
    double.set({ connection: make.connected(), queue: { items, live: {}, paused: false } });
  }, sinceMs);

const clear = () =>
  page.evaluate(() => {
    const { make, double } = window;
    double.set({ connection: make.connected(), queue: { items: [], live: {}, paused: false } });
  });

beforeEach(clear);

describe('a service that cannot be reached', () => {
  it('is shown once for all items, with what was kept, when it continues, and a button to retry now', async () => {
    await cutOff(60_000);
    await says('share.example.com isn’t responding');
    await says('3 items are waiting and will continue automatically.');
    await says(/Retrying in (2|1)\smin/);
    expect(await main().locator('p').filter({ hasText: 'isn’t responding' }).count()).toBe(1);
    await main().getByRole('button', { name: 'Try now' }).click();
    await expect.poll(() => calls('queue.retry')).toBe(1);
    expect(await calls('connection.refresh')).toBe(1);
    // Until one of them gets anywhere, nothing is better than before.
    await says(/Trying now/);
    await page.evaluate(() => {
      const { double } = window;
      const { queue } = double.state();
      double.set({ queue: { ...queue, items: queue.items.map((item) => ({ ...item, confirmedBytes: 9 })) } });
    });
    await saysNoMore('share.example.com isn’t responding');
  });

  it('is shown on every screen, and disappears by itself', async () => {
    await cutOff(60_000);
    await page.evaluate(() => {
      location.hash = '#library';
    });
    await says('share.example.com isn’t responding');
    await clear();
    await saysNoMore('share.example.com isn’t responding');
    await page.evaluate(() => {
      location.hash = '#home';
    });
  });

  it('is not shown while the gap is short', async () => {
    // Four seconds after this begin it would be.
    await cutOff(-60_000);
    await says('Retrying soon');
    expect(await main().getByText('isn’t responding').count()).toBe(0);
  });

  it('is announced politely once, and so is its end', async () => {
    await cutOff(60_000);
    await expect
      .poll(spoken)
      .toContain('share.example.com isn’t responding. 3 items are waiting and will continue automatically.');
    await clear();
    await expect.poll(spoken).toContain('Back online.');
  });

  it('is not announced as over by a pause', async () => {
    await cutOff(60_000);
    await expect
      .poll(spoken)
      .toContain('share.example.com isn’t responding. 3 items are waiting and will continue automatically.');
    await page.evaluate(() => {
      const { double } = window;
      double.set({ queue: { ...double.state().queue, paused: true } });
    });
    await saysNoMore('isn’t responding');
    await clear();
    expect((await spoken()).join(' ')).not.toContain('Back online.');
  });

  it('is the network where this computer has none', async () => {
    await cutOff(60_000);
    await page.context().setOffline(true);
    await says('No internet connection');
    await page.context().setOffline(false);
    await says('share.example.com isn’t responding');
  });

  it('is distinguished from a refused key, and from a pause by the user', () => {
    const away = { code: 'SERVER_UNREACHABLE', detail: '' } as const;
    const queue = { items: [makeItem('queued', 1)], live: {}, paused: false };
    const failed = (code: 'SERVER_UNREACHABLE' | 'API_KEY_REVOKED') =>
      ({ state: 'failed', server: SERVER, account: null, failure: { code, detail: '' } }) as const;
    const { connection, accounts } = makeState();
    expect(connectivityOf({ accounts, connection: failed('SERVER_UNREACHABLE'), queue }, 'there')).toMatchObject({
      kind: 'service',
      waiting: 1,
      nextAt: null,
    });
    expect(connectivityOf({ accounts, connection: failed('SERVER_UNREACHABLE'), queue }, 'none').kind).toBe('network');
    // To a server on this computer no network is needed.
    for (const [server, kind] of [
      ['http://localhost:4180', 'service'],
      ['http://127.0.0.1:4180', 'service'],
      ['https://localhost.example.com', 'network'],
    ] as const) {
      const connection = { ...failed('SERVER_UNREACHABLE'), server };
      expect(connectivityOf({ accounts, connection, queue }, 'none').kind).toBe(kind);
    }
    expect(connectivityOf({ accounts, connection: failed('API_KEY_REVOKED'), queue }, 'none')).toMatchObject({
      kind: 'refused',
      needs: 'key',
    });
    expect(connectivityOf({ accounts, connection, queue: { ...queue, paused: true } }, 'there')).toEqual({
      kind: 'paused',
      waiting: 1,
    });
    expect(connectivityOf({ accounts, connection, queue }, 'none').kind).toBe('up');
    const error = { failure: away, since: NOON, retryAt: NOON + 9_000 };
    expect(
      connectivityOf(
        { accounts, connection, queue: { ...queue, items: [makeItem('started', 1, { error })] } },
        'there',
      ),
    ).toMatchObject({ kind: 'service', since: NOON, nextAt: NOON + 9_000 });
    // What needs the user does not continue by itself.
    const stuck = makeItem('queued', 2, { error: { failure: away, since: NOON, retryAt: null } });
    const both = [makeItem('started', 1, { error }), stuck];
    expect(connectivityOf({ accounts, connection, queue: { ...queue, items: both } }, 'there')).toMatchObject({
      waiting: 1,
    });
  });

  it('is named by the account whose items wait, which may not be the active one', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'SERVER_UNREACHABLE', detail: 'inner words' } as const;
      const error = { failure, since: Date.now() - 60_000, retryAt: Date.now() + 90_000 };
      const account = { ...make.makeAccount(), user: { ...make.makeAccount().user, id: 'account-2' as never } };
      const other = { ...make.connected(), server: 'https://other.example.com', account } as never;
      const items = [make.makeItem('started', 1, { accountId: account.user.id, error }), make.makeItem('queued', 2)];
      double.set({
        connection: make.connected(),
        accounts: [{ id: make.CONNECTION, isActive: false, connection: other, readAt: make.NOON }],
        queue: { items, live: {}, paused: false },
      });
    });
    await says('other.example.com isn’t responding');
    await says('1 item is waiting and will continue automatically.');
    const cutOffDots = () => page.getByRole('banner').locator('[class*=away]').count();
    expect(await cutOffDots()).toBe(0);
    await page.evaluate(() => window.double.set({ accounts: [] }));
    // Its account was removed: the banner is about no item, so the row says what happened.
    await saysNoMore('isn’t responding');
    await main().getByRole('listitem').filter({ hasText: 'The server can’t be found' }).waitFor();
  });

  it('is shown at its items while the queue is paused, which hides the banner', async () => {
    await cutOff(60_000);
    await says('share.example.com isn’t responding');
    expect(await page.getByRole('banner').locator('[class*=away]').count()).toBe(1);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ queue: { ...double.state().queue, paused: true } });
    });
    const rows = main().getByRole('listitem').filter({ hasText: 'The server can’t be found' });
    await expect.poll(() => rows.count()).toBe(2);
    const words = await rows.first().innerText();
    expect(words).toContain('Queue is paused');
    // Nothing is tried before the user resumes.
    expect(words).not.toMatch(/Retrying|Try now|Try again/);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('is distinguished from one that accepts no more requests for now', async () => {
    const rest = (untilMs: number | null) =>
      page.evaluate((ms) => {
        const { make, double } = window;
        double.set({ connection: { ...make.connected(), ...(ms !== null && { restsUntil: Date.now() + ms }) } });
      }, untilMs);
    await rest(50_000);
    await says('Too many requests');
    await says(/Uploads continue automatically in \d+\ss\./);
    await expect.poll(spoken).toContain('Too many requests');
    expect(await axeViolations(page)).toEqual([]);
    await rest(null);
    await saysNoMore('Too many requests');
    // The service was never unreachable, so no recovery is shown.
    expect(await spoken()).not.toContain('Back online.');
  });

  it('has no fault that axe finds', async () => {
    await cutOff(60_000);
    await says('share.example.com isn’t responding');
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe('a queue that the user has paused', () => {
  it('is shown on the other screens, where it can be resumed', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ queue: { items: [make.makeItem('queued', 1)], live: {}, paused: true } });
      location.hash = '#library';
    });
    await says('The queue is paused');
    await says('1 item is waiting until you resume.');
    await main().getByRole('button', { name: 'Resume all' }).click();
    await saysNoMore('The queue is paused');
    await page.evaluate(() => {
      location.hash = '#home';
    });
  });
});

describe('what went wrong', () => {
  const fail = async (detail = 'inner words') => {
    const before = await page.locator('[data-message]').count();
    await page.evaluate((words) => {
      const { make, double } = window;
      double.set({
        queue: { items: [make.makeItem('queued', 1), make.makeItem('queued', 2)], live: {}, paused: false },
      });
      double.failNext('queue.pauseAll', { code: 'DISK_FULL', detail: words });
    }, detail);
    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.locator('[data-message]').nth(before).waitFor();
  };
  const entry = () => page.getByRole('button', { name: /^Messages, / });
  const toast = () => page.locator('[data-message]');

  it('is still found after its message was closed, with its details folded away', async () => {
    expect(await entry().count()).toBe(0);
    await fail();
    await toast().getByRole('button', { name: 'Dismiss' }).click();
    await toast().waitFor({ state: 'detached' });
    await entry().click();
    const list = page.getByRole('dialog', { name: 'Messages' });
    await list.getByText('This computer’s disk is full').first().waitFor();
    expect(await list.getByText('inner words').isVisible()).toBe(false);
    await list.getByText('Technical details').click();
    await list.getByText('inner words').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await list.getByRole('button', { name: /^Dismiss: / }).click();
    await list.waitFor({ state: 'detached' });
    await entry().waitFor({ state: 'detached' });
  });

  it('names a file of any name in two lines, and keeps the whole name at hand', async () => {
    await MESSAGE_SCENES['messages']?.(page);
    const row = page.getByRole('dialog').getByRole('listitem').nth(1);
    const short = row.getByTitle(/^Recording of the planning meeting/);
    const whole = (await short.getAttribute('title')) ?? '';
    expect(whole.length).toBeGreaterThan(200);
    expect(await short.locator('[aria-hidden]').innerText()).toMatch(/^Recording of the planning.+….+\(2\)\.mp4$/);
    // Screen readers get the full text, and everyone finds it in the details.
    expect(await row.ariaSnapshot()).toContain(whole);
    await row.getByText(whole, { exact: true }).last().waitFor();
    const lines = await short.evaluate((it) => it.getClientRects().length);
    expect(lines).toBeLessThanOrEqual(2);
    await row.getByRole('button', { name: `Dismiss: The video isn’t supported, ${whole}` }).click();
    await expect.poll(() => page.getByRole('dialog').getByTitle(whole).count()).toBe(0);
    await takeMessagesAway(page);
  });

  it('is reached with F6, which also leads back; and a message that leaves gives the keyboard back', async () => {
    await fail();
    const origin = page.getByRole('button', { name: 'Pause all' });
    await origin.focus();
    const isIn = () => toast().evaluate((it) => it.contains(document.activeElement));
    const isBack = () => origin.evaluate((it) => it === document.activeElement);
    await page.keyboard.press('F6');
    await expect.poll(isIn).toBe(true);
    await page.keyboard.press('F6');
    await expect.poll(isBack).toBe(true);
    await page.keyboard.press('F6');
    await expect.poll(isIn).toBe(true);
    await page.keyboard.press('Enter');
    await toast().waitFor({ state: 'detached' });
    await expect.poll(isBack).toBe(true);
  });
});

describe('a deletion that can be undone', () => {
  it('waits for as long as the keyboard focus is in it', async () => {
    await page.clock.install();
    /** The page's time only advances while the test checks. */
    const inItsTime = <T>(read: () => Promise<T>) =>
      expect.poll(async () => {
        await page.clock.runFor(50);
        return read();
      });
    await page.evaluate(() => {
      const { make, double } = window;
      double.setLibrary([make.makeLibraryItem(1)]);
      let asked = 0;
      double.answer('library.delete', ({ ids }) => {
        asked += 1;
        // Long enough to reach the message at first, then as short as the test may be.
        const deletingAt = Date.now() + (asked === 1 ? 8_000 : 1_000);
        return {
          answers: ids.map((id) => ({ id, item: { ...make.makeLibraryItem(1), id, deletingAt }, failure: null })),
        };
      });
      location.hash = '#library';
    });
    await page.getByRole('listitem').first().waitFor();
    await page.keyboard.press('Control+a');
    await main().getByText('1 selected').first().waitFor();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await page.keyboard.press('Delete');
    const undo = page.locator('[data-message]').getByRole('button', { name: 'Undo' });
    await inItsTime(() => undo.count()).toBe(1);
    await page.keyboard.press('F6');
    await inItsTime(() => undo.evaluate((it) => it === document.activeElement)).toBe(true);
    // More time is requested immediately and again, and the first extension has expired by then.
    await inItsTime(() => calls('library.delete')).toBeGreaterThan(2);
    expect(await undo.count()).toBe(1);
    await page.keyboard.press('F6');
    await inItsTime(() => undo.count()).toBe(0);
  });
});
