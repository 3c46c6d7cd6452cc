/** The journey of a capture that waits until the user has looked at it: from the queue to the editor and to its upload. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/audit/page-audit.ts';
import { noise, pngOf } from '../../support/media/pixels.ts';
import { CAPTURE, openEditor } from '../../support/window/editor-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { showWaitingCapture, WAITING } from '../../support/window/waiting-capture.ts';

const PICTURE = noise(641, 403, 1);

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
  pages.captures.set(`${WAITING}/picture`, await pngOf(PICTURE));
});
afterAll(() => pages.close());

const opened: { readonly page: Page; readonly problems: string[] }[] = [];
afterEach(async () => {
  for (const { page, problems } of opened.splice(0)) {
    expect(problems).toEqual([]);
    await page.context().close();
  }
});

const openQueue = async (rule: 'ask' | 'require'): Promise<Page> => {
  const window = await pages.open();
  opened.push(window);
  await showWaitingCapture(window.page, rule);
  return window.page;
};
const bar = (page: Page) => page.getByRole('region', { name: 'Find secrets' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const isHeldOnce = (page: Page) =>
  bar(page)
    .getByText(/or press Share again to send it as it is/)
    .waitFor();
const finished = (page: Page) =>
  page.evaluate(
    () =>
      window.double.calls.filter(({ command }) => command === 'capture.finish').map(({ input }) => input) as object[],
  );
/** Once something was edited. */
const handOver = (page: Page) =>
  page
    .waitForFunction(() => window.double.offers.length === 1)
    .then(() =>
      page.evaluate(() => window.double.offers[0]?.settle({ ok: true, value: 'src-edited-picture' as never })),
    );

describe('a capture that waits in the queue', () => {
  it('is opened with its proposals, and uploaded once each was decided about by one key', async () => {
    const page = await openQueue('require');
    await page.getByText('Needs your look: 2 places look secret').waitFor();
    expect(await page.getByRole('button', { name: 'Upload as it is' }).count()).toBe(0);
    await press(page, 'Look at it');
    await bar(page).getByText('2 places look secret. 1 of 2: an email address.').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Hide') ?? false);
    expect(await axeViolations(page)).toEqual([]);
    await press(page, 'Share');
    await bar(page).getByText('Decide about each place before you share it.').waitFor();
    await press(page, 'Share');
    expect(await finished(page)).toEqual([]);
    await bar(page)
      .getByRole('button', { name: /^Hide \(/ })
      .focus();
    await page.keyboard.down('y');
    await bar(page).getByText('2 of 2: a bank card.').waitFor();
    // A key that is held decides about one place.
    await page.keyboard.down('y');
    await page.keyboard.up('y');
    await page.keyboard.press('n');
    await bar(page).getByText('1 of 2 places hidden.').waitFor();
    await press(page, 'Share');
    await handOver(page);
    await expect
      .poll(() => finished(page))
      .toMatchObject([
        { id: WAITING, picture: 'src-edited-picture', isReviewed: true, share: { visibility: 'private' } },
      ]);
  });

  it('keeps waiting when the user goes back, and is uploaded as it is where that is allowed', async () => {
    const page = await openQueue('ask');
    await press(page, 'Look at it');
    await bar(page).getByText('1 of 2: an email address.').waitFor();
    expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0);
    await press(page, 'Back: the capture keeps waiting in the queue');
    await page.getByText('Needs your look: 2 places look secret').waitFor();
    await press(page, 'Look at it');
    await press(page, 'Share');
    await isHeldOnce(page);
    await press(page, 'Share');
    await expect.poll(() => finished(page)).toMatchObject([{ id: WAITING, picture: null, isReviewed: true }]);
    await press(page, 'Upload as it is');
    await page.getByText('Needs your look: 2 places look secret').waitFor({ state: 'detached' });
  });

  it('that the user has edited is uploaded without the edits only after a question', async () => {
    const page = await openQueue('ask');
    const approvals = () =>
      page.evaluate(() =>
        window.double.calls.filter(({ command }) => command === 'queue.approve').map(({ input }) => input),
      );
    const ids = [WAITING];
    for (const answer of ['Don’t upload', 'Upload without edits']) {
      await page.evaluate(() => window.double.failNext('queue.approve', { code: 'DRAWING_NOT_APPLIED', detail: '' }));
      await press(page, 'Upload as it is');
      await page.getByRole('alertdialog', { name: 'Upload it without your edits?' }).waitFor();
      await press(page, answer);
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    }
    await page.getByText('Needs your look: 2 places look secret').waitFor({ state: 'detached' });
    expect(await approvals()).toEqual([{ ids }, { ids }, { ids, isUnedited: true }]);
  });

  it.each([
    ['a double click', (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).dblclick()],
    [
      'a key that is held',
      async (page: Page) => {
        await page.keyboard.down('Control');
        for (let turn = 0; turn < 3; turn++) await page.keyboard.down('u');
      },
    ],
  ])('is not sent as it is by %s', async (_, share) => {
    const page = await openQueue('ask');
    await press(page, 'Look at it');
    await bar(page).getByText('1 of 2: an email address.').waitFor();
    await share(page);
    await isHeldOnce(page);
    expect(await finished(page)).toEqual([]);
  });

  it('that cannot be checked is uploaded by the rule only after the user says to have looked', async () => {
    const page = await openQueue('require');
    await page.evaluate(() => {
      window.double.failNext('vision.findSecrets', { code: 'TEXT_NOT_READ', detail: 'It took too long.' });
    });
    await press(page, 'Look at it');
    await bar(page)
      .getByText(/The image couldn’t be checked/)
      .waitFor();
    await press(page, 'Share');
    await bar(page).getByText('Decide about each place before you share it.').waitFor();
    expect(await finished(page)).toEqual([]);
    await press(page, 'I’ve looked at it');
    await press(page, 'Share');
    await expect.poll(() => finished(page)).toMatchObject([{ isReviewed: true }]);
  });
});

describe('a capture in the editor', () => {
  it('is checked without taking the keyboard from what the user draws', async () => {
    const editor = await openEditor(pages, PICTURE, { settings: { checkBeforeUpload: 'off' } });
    opened.push(editor);
    const { page } = editor;
    expect(await page.evaluate(() => window.double.calls.some(({ command }) => command === 'vision.findSecrets'))).toBe(
      false,
    );
    await page.evaluate((id) => {
      const at = { x: 40, y: 60, width: 160, height: 30, confidence: 90 };
      window.double.answer('vision.findSecrets', () => ({ found: [{ kind: 'email', ...at }], missing: [] }));
      const { settings } = window.double.state();
      window.double.set({ settings: { ...settings, checkBeforeUpload: 'require' } });
      return id;
    }, CAPTURE);
    await bar(page).getByText('1 place looks secret. 1 of 1: an email address.').waitFor();
    await editor.key('a', 'y');
    await bar(page).getByText('1 of 1: an email address.').waitFor();
    expect(await editor.marks()).toEqual([]);
    await press(page, 'Share');
    await bar(page).getByText('Decide about each place before you share it.').waitFor();
    await editor.key('y');
    await bar(page).getByText('1 of 1 place hidden.').waitFor();
  });
});
