/** Files added while the editor is open: the editor stays in front and shows their progress. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { untilListening } from '../../support/browser/until-listening.ts';
import { noise } from '../../support/media/pixels.ts';
import { type EditorPage, openEditor } from '../../support/window/editor-page.ts';
import { dragOver, drop, paste } from '../../support/window/page-gestures.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

const PICTURE = noise(641, 403, 1);
const PHOTO = { files: [{ name: 'photo.png', type: 'image/png', size: 10 }] } as const;

let pages: RendererPages;
let editor: EditorPage;
beforeAll(async () => {
  pages = await startRendererPages();
  editor = await openEditor(pages, PICTURE);
});
afterAll(async () => {
  expect(editor.problems).toEqual([]);
  await pages.close();
});
beforeEach(async () => {
  await editor.page.evaluate(() => {
    const { double } = window;
    double.set({ capture: null, queue: { items: [], live: {}, paused: false } });
  });
  await editor.show(PICTURE);
  await canvas().focus();
});

const canvas = () => editor.page.getByRole('application', { name: 'Image' });
const behind = (count: number) =>
  editor.page.getByRole('button', { name: `${count} ${count === 1 ? 'upload' : 'uploads'} in the background` });

it('a dropped file is shared behind the editor, which reports it and links to it', async () => {
  const { page } = editor;
  await editor.key('r', 'Enter');
  await dragOver(page, PHOTO);
  await page.getByText('The file gets its own link. The image in the editor isn’t changed.').waitFor();
  await drop(page, PHOTO);
  await behind(1).waitFor();
  expect(await canvas().isVisible()).toBe(true);
  // One is being added, and one is uploading.
  await page.evaluate(() => {
    const { double, make } = window;
    double.set({
      queue: { items: [make.makeItem('started', 1), make.makeItem('linked', 2)], live: {}, paused: false },
    });
  });
  await behind(2).click();
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  expect(await editor.marks()).toEqual(['Rectangle 1']);
  await page.evaluate(() => {
    const { double } = window;
    for (const offer of [...double.offers]) offer.settle({ ok: true, value: 'src-photo' as never });
    double.set({ queue: { items: [], live: {}, paused: false } });
  });
  await editor.page.getByRole('button', { name: /in the background/ }).waitFor({ state: 'detached' });
});

it('a page is not left without a question while a file behind the editor is only in its hands', async () => {
  const { page } = editor;
  const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await asks()).toBe(false);
  await drop(page, PHOTO);
  await behind(1).waitFor();
  await expect.poll(asks).toBe(true);
  await page.evaluate(() => {
    for (const offer of [...window.double.offers]) offer.settle({ ok: true, value: 'src-photo' as never });
  });
  await expect.poll(asks).toBe(false);
});

it('what waits for the user there is shown, too', async () => {
  await editor.page.evaluate(() => {
    const { double, make } = window;
    const error = { failure: { code: 'SOURCE_MISSING', detail: '' }, since: make.NOON, retryAt: null } as const;
    double.set({ queue: { items: [make.makeItem('queued', 1, { error })], live: {}, paused: false } });
  });
  await editor.page.getByRole('button', { name: '1 upload in the background needs your input' }).waitFor();
});

it('a text that is pasted is written on the picture', async () => {
  await paste(editor.page, { data: { 'text/plain': 'From the clipboard' } });
  await expect
    .poll(() => editor.page.getByRole('textbox', { name: 'Text on the image' }).inputValue())
    .toBe('From the clipboard');
  await editor.key('Escape');
  expect(await editor.marks()).toEqual(['Text “From the clipboard”']);
});

it('an address that is pasted is written on the picture like any text', async () => {
  const address = 'https://example.com/manual';
  await paste(editor.page, { data: { 'text/uri-list': `${address}\r\n`, 'text/plain': address } });
  await expect.poll(() => editor.page.getByRole('textbox', { name: 'Text on the image' }).inputValue()).toBe(address);
  await editor.key('Escape');
});

it('a text that is pasted while a dialog is open is not written behind it', async () => {
  const { page } = editor;
  const before = await editor.marks();
  await page.getByRole('button', { name: /Link settings$/ }).click();
  await page.getByRole('dialog').waitFor();
  await paste(page, { data: { 'text/plain': 'Behind the dialog' } });
  expect(await page.locator('textarea').count()).toBe(0);
  await editor.key('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await editor.marks()).toEqual(before);
});

it('a pasted picture is not shared, not even while the user edits a text, and the editor reports it', async () => {
  const { page } = editor;
  for (const keys of [[], ['t', 'Enter']]) {
    await editor.key(...keys);
    await paste(page, PHOTO);
    await page.getByText('Nothing was pasted').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
  }
  expect(await page.evaluate(() => window.double.offers.length)).toBe(0);
  await editor.key('Escape');
});

it('cells of a table that are pasted into a text are left to its field, although there is a picture of them, too', async () => {
  const { page } = editor;
  await editor.key('t', 'Enter');
  const isTaken = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['pixels'], 'image.png', { type: 'image/png' }));
    clipboardData.setData('text/plain', 'a\tb');
    const how = { bubbles: true, cancelable: true, clipboardData };
    return !document.activeElement?.dispatchEvent(new ClipboardEvent('paste', how));
  });
  expect(isTaken).toBe(false);
  await untilListening(page);
  expect(await page.getByText('Nothing was pasted').count()).toBe(0);
  expect(await page.evaluate(() => window.double.offers.length)).toBe(0);
  await editor.key('Escape');
});

it('the link that was chosen is still chosen after a look at the window', async () => {
  const { page } = editor;
  await page.getByRole('button', { name: /Link settings$/ }).click();
  await page
    .getByRole('dialog')
    .locator('label')
    .filter({ has: page.locator('input[value=private]') })
    .click();
  await editor.key('Escape');
  await page.getByRole('button', { name: 'Back, and continue later' }).click();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  expect((await editor.finished()).share).toEqual({ visibility: 'private' });
});
