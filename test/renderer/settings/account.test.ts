/** Accounts in the real window: connecting by browser, several accounts, the account's palette, a taken hotkey. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { eventually } from '../../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { callsOf } from '../../support/window/window-for-each-test.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

let pages: RendererPages;
let page: Page;
beforeAll(async () => {
  pages = await startRendererPages();
  ({ page } = await pages.open());
});
afterAll(() => pages.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const calls = (command: CommandName) => callsOf(page, command);
const expectCalls = (command: CommandName, inputs: unknown[]) =>
  eventually(async () => expect(await calls(command)).toEqual(inputs));

it('a connection in the browser needs only the address; a wrong address is reported first', async () => {
  await page.evaluate(() => window.double.set({ connection: { state: 'none' } }));
  await page.getByRole('link', { name: 'Settings' }).click();
  await button('Connect in the browser').click();
  await page.getByText('Enter the address of the server.').waitFor();
  expect(await page.getByText('Enter the API key.').count()).toBe(0);
  await page.getByLabel('Server address').fill('share.example.com');
  await button('Connect in the browser').click();
  await expectCalls('connection.authorize', [{ server: 'https://share.example.com', open: 'browser' }]);
});

it('while it waits the code and the address are shown, and it can be cancelled', async () => {
  await SCENES['authorizing']?.(page);
  await page.getByText('WDJB-MJHT').waitFor();
  await page.getByRole('link', { name: 'https://share.example.com/connect/device' }).waitFor();
  await button('Cancel').click();
  await expectCalls('connection.cancelAuthorize', [{}]);
});

it('a cancelled request leaves its address in the form', async () => {
  await SCENES['authorizing']?.(page);
  const address = 'https://share.example.com';
  await page.getByText('WDJB-MJHT').waitFor();
  await page.evaluate(() => window.double.set({ authorization: null }));
  await eventually(async () => expect(await page.getByLabel('Server address').inputValue()).toBe(address));
  await page.evaluate(() => window.double.set({ connection: { state: 'none' } }));
  await eventually(async () => expect(await page.getByLabel('Server address').inputValue()).toBe(address));
});

it('a refusal is shown where it can be retried, with the address still filled in', async () => {
  await SCENES['refused']?.(page);
  await page.getByText('The connection was denied').waitFor();
  await eventually(async () =>
    expect(await page.getByLabel('Server address').inputValue()).toBe('https://share.example.com'),
  );
});

it('another account can be made the active one, or removed', async () => {
  await SCENES['authorizing']?.(page);
  const input = await page.evaluate(() => ({ id: window.make.CONNECTION }));
  await button('Use the account Work').click();
  await expectCalls('connection.activate', [input]);
  await button('Remove the account Work').click();
  await page.getByText('Its key is removed from this computer.').waitFor();
  await expectCalls('connection.remove', []);
  await button('Remove').click();
  await expectCalls('connection.remove', [input]);
});

it('the colours are those in effect', async () => {
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--hue'));
  await eventually(async () => expect(await accent()).toBe('265'));
  await SCENES['palettes']?.(page);
  await eventually(async () => expect(await accent()).toBe('150'));
});

it('a window that comes to the front asks for fresh limits', async () => {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await eventually(async () => expect((await calls('connection.freshen')).length).toBeGreaterThan(0));
});

it('the storage beside the account follows the state', async () => {
  await page.evaluate(() => {
    const { make, double } = window;
    double.set({ connection: make.connected({ storageUsed: 512 * make.MIB }) });
  });
  await page.getByText('512 MB of 1 GB used').first().waitFor();
});

it('a hotkey that another program uses is reported in the window', async () => {
  await page.evaluate(() => window.double.set({ notices: [{ code: 'HOTKEY_TAKEN', detail: 'Ctrl+Shift+5' }] }));
  await page.getByText('The hotkey can’t be used').waitFor();
});
