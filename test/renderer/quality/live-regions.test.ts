/** Screen reader announcements of progress: rare, correct, and once per event. */

import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { heardSince, listenFromStart } from '../../support/audit/announcements.ts';
import { eventually } from '../../support/eventually.ts';
import { windowForEachTest } from '../../support/window/window-for-each-test.ts';

let page: Page;
windowForEachTest({
  context: { permissions: ['clipboard-read', 'clipboard-write'] },
  use: (opened) => {
    page = opened;
  },
});

/** Uploading items, and how much of the first is sent; the window has rendered it when this resolves. */
const uploading = (percent: number, items = 1) =>
  page.evaluate(
    async ([done, count]) => {
      const { make, double } = window;
      const queue = Array.from({ length: count }, (_, index) =>
        make.makeItem('started', index + 1, { size: 100 * make.MIB }),
      );
      const [first] = queue;
      const doneBytes = done * make.MIB;
      const live = { activity: 'sending', doneBytes, bytesPerSecond: make.MIB, secondsLeft: 100 - done } as const;
      double.set({ queue: { items: queue, live: first ? { [first.id]: live } : {}, paused: false } });
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    },
    [percent, items] as const,
  );
const heard = async (of: RegExp[]): Promise<void> => {
  const all: string[] = [];
  await eventually(async () => {
    all.push(...(await heardSince(page)));
    expect(all).toEqual(of.map((words) => expect.stringMatching(words)));
  });
};

beforeEach(async () => {
  await listenFromStart(page);
  await page.getByRole('navigation').waitFor();
});

it('nothing is announced at the first paint of any screen', async () => {
  for (const place of ['Library', 'Settings', 'Home']) {
    await heard([]);
    await page.getByRole('navigation').getByRole('link', { name: place }).click();
    await page.locator('nav [aria-current=page]', { hasText: place }).waitFor();
  }
  await uploading(40);
  await page.getByRole('progressbar').first().waitFor();
  await heard([]);
});

it('an upload is announced at each quarter, and when its link is ready', async () => {
  for (const percent of [0, 10, 24, 26, 30, 49, 51, 60, 74, 76, 90, 100]) await uploading(percent);
  await heard([/^25% of the queue/, /^50% of the queue/, /^75% of the queue/]);

  await page.evaluate(() => {
    const { make, double } = window;
    const item = make.makeItem('linked', 1);
    double.set({ queue: { items: [item], live: {}, paused: false } });
    double.emit({
      type: 'linked',
      id: item.id,
      name: item.name,
      url: 'https://share.example.com/1',
      text: 'https://share.example.com/1',
    });
  });
  await page
    .getByText(/shot-1\.png/)
    .first()
    .waitFor();
  await heard([/shot-1\.png/]);
  // Other items that are added or removed do not repeat it.
  await uploading(1, 0);
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await heard([]);
});

it('a quarter is announced once, also where files are added and removed meanwhile, and again with other work', async () => {
  await uploading(10, 2);
  await uploading(60, 2);
  await heard([/^25% of the queue uploaded, 2 items left/]);
  await uploading(60, 3);
  await uploading(90, 3);
  await uploading(90, 2);
  await heard([]);
  await uploading(1, 0);
  await uploading(10, 1);
  await uploading(60, 1);
  await heard([/^50% of the queue uploaded, 1 item left/]);
});

it('a failure is announced once, however often the snapshot comes', async () => {
  await uploading(10);
  for (let times = 0; times < 3; times += 1)
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'SOURCE_CHANGED', detail: 'refused' } as const;
      const error = { failure, since: make.NOON, retryAt: null };
      const item = make.makeItem('started', 1, { error, size: 100 * make.MIB });
      double.set({ queue: { items: [item], live: {}, paused: false } });
    });
  await page.getByRole('alert').waitFor();
  await heard([/changed/]);
  await page.evaluate(() => window.double.set({}));
  await heard([]);
});
