/** What phones have is used by the window: the camera, and the system's share sheet. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

const PHONE = {
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
  reducedMotion: 'reduce',
} as const;

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

describe('the camera', () => {
  it('is offered where a finger points, and opens as the camera', async () => {
    const { page } = await pages.open(PHONE);
    await SCENES['empty']?.(page);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).tap(),
    ]);
    expect(
      await chooser.element().evaluate((input: HTMLInputElement) => [input.accept, input.getAttribute('capture')]),
    ).toEqual(['image/*', 'environment']);
    await page.context().close();
  });

  it('is not offered to a mouse', async () => {
    const { page } = await pages.open();
    await SCENES['empty']?.(page);
    expect(await page.getByRole('button', { name: 'Choose files' }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Take a photo' }).count()).toBe(0);
    await page.context().close();
  });
});

describe('the share sheet', () => {
  /** Replaces the browser's own sheet, which a test cannot close. */
  const withSheet = (page: Page, answer: 'shared' | 'AbortError' | 'NotAllowedError') =>
    page.addInitScript((how) => {
      const opened: ShareData[] = [];
      Object.assign(window, { opened });
      navigator.canShare = () => true;
      navigator.share = async (data) => {
        opened.push(data ?? {});
        if (how !== 'shared') throw new DOMException('', how);
      };
    }, answer);
  const share = 'Share the link to dashboard.png';
  const opened = (page: Page): Promise<unknown> =>
    page.evaluate(() => (window as unknown as { opened: ShareData[] }).opened);

  it.each(['shared', 'AbortError', 'NotAllowedError'] as const)(
    'gets the link and its name, and the link is copied only if the system refuses (%s)',
    async (answer) => {
      const { page } = await pages.open(PHONE);
      await withSheet(page, answer);
      await page.reload();
      await SCENES['busy']?.(page);
      await page.getByRole('button', { name: share }).tap();
      await expect
        .poll(() => opened(page))
        .toEqual([{ title: 'dashboard.png', url: 'https://share.example.com/s/c8' }]);
      const notice = page.getByText(/^Link to dashboard.png copied/);
      if (answer === 'NotAllowedError') await notice.waitFor();
      else expect(await notice.count()).toBe(0);
      await page.context().close();
    },
  );

  it('has no button in a browser without one', async () => {
    const { page } = await pages.open();
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'canShare', { value: undefined });
    });
    await page.reload();
    await SCENES['busy']?.(page);
    expect(await page.getByRole('button', { name: 'Copy the link to dashboard.png' }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: share }).count()).toBe(0);
    await page.context().close();
  });
});
