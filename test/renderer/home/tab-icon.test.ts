/** The tab icon matches the title: progress, a call for attention, or the plain logo. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { windowOfFile } from '../../support/window/window-of-file.ts';

let page: Page;
windowOfFile(
  (opened) => {
    page = opened;
  },
  // With reduced motion the ring moves in quarters.
  { reducedMotion: 'no-preference' },
);

const icon = () => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '');
/** How much of the ring is drawn, in percent. */
const ring = async (): Promise<number> => {
  const [, drawn = '0', all = '1'] =
    /stroke-dasharray="([\d.]+) ([\d.]+)"/.exec(decodeURIComponent(await icon())) ?? [];
  return Math.round((Number(drawn) / Number(all)) * 100);
};
const title = () => page.title();

/** Of the first of two files of 50 MB so much is sent. */
const send = (megabytes: number) =>
  page.evaluate((sent) => {
    const { double, make } = window;
    const item = make.makeItem('started', 1, { size: 50 * make.MIB, confirmedBytes: sent * make.MIB });
    double.set({ queue: { items: [item], live: {}, paused: false } });
  }, megabytes);

it('shows the percentage of the title as a ring, keeps it when files are added, and returns to the plain icon', async () => {
  const plain = await icon();
  expect(plain).toMatch(/\/icon\.svg$/);
  await send(20);
  await expect.poll(title).toBe('40% · 1 left – Linkshot');
  await expect.poll(ring).toBe(40);

  await page.evaluate(() => {
    const { double, make } = window;
    const { items } = double.state().queue;
    const added = make.makeItem('queued', 2, { size: 500 * make.MIB });
    double.set({ queue: { items: [...items, added], live: {}, paused: false } });
  });
  await expect.poll(title).toBe('40% · 2 left – Linkshot');
  expect(await ring()).toBe(40);
  // The browser draws it: an icon that cannot be read would have no size.
  const size = await page.evaluate(
    async (address) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      return picture.naturalWidth;
    },
    await icon(),
  );
  expect(size).toBe(32);

  await page.evaluate(() => window.double.set({ queue: { items: [], live: {}, paused: false } }));
  await expect.poll(icon).toBe(plain);
  expect(await title()).toBe('Linkshot');
});

it('marks that something needs the user', async () => {
  const plain = await icon();
  await page.evaluate(() => {
    const { double, make } = window;
    const error = { failure: { code: 'DISK_FULL', detail: '' }, since: make.NOON, retryAt: null } as const;
    double.set({ queue: { items: [make.makeItem('queued', 1, { error })], live: {}, paused: false } });
  });
  await expect.poll(title).toBe('1 needs attention – Linkshot');
  await expect.poll(icon).toContain('data:image/svg+xml');
  expect(await ring()).toBe(0);
  await page.evaluate(() => window.double.set({ queue: { items: [], live: {}, paused: false } }));
  await expect.poll(icon).toBe(plain);
});

it('moves in quarters with reduced motion', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await send(20);
  await expect.poll(title).toBe('40% · 1 left – Linkshot');
  await expect.poll(ring).toBe(25);
  await send(30);
  await expect.poll(ring).toBe(50);
});
