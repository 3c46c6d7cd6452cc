/** Settings and banners in real Chromium. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../src/ipc/protocol/command-table.ts';
import { eventually } from '../support/eventually.ts';
import { makeChoosing } from '../support/window/frozen-desktop.ts';
import { callsOf, windowForEachTest } from '../support/window/window-for-each-test.ts';

let page: Page;
windowForEachTest({
  use: (opened) => {
    page = opened;
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const go = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);

describe('the settings', () => {
  it('take effect at once and are stored', async () => {
    await go('Settings');
    await page.getByText('Dark', { exact: true }).click();
    await eventually(async () => expect(await page.locator('html').getAttribute('data-theme')).toBe('dark'));
    await page.getByText('Copy the link when it’s ready').click();
    await page.getByText('Private', { exact: true }).click();
    await page.getByText('Русский').click();
    await page.getByRole('heading', { name: 'Настройки' }).waitFor();
    await eventually(async () => expect(await page.locator('html').getAttribute('lang')).toBe('ru'));
    await eventually(async () =>
      expect(await calls('settings.update')).toEqual([
        { theme: 'dark' },
        { copyLink: false },
        { visibility: 'private' },
        { language: 'ru' },
      ]),
    );
  });

  it('show server, account, key and the space in binary units', async () => {
    await go('Settings');
    const card = (name: string) => page.getByRole('region', { name });
    const account = await card('Server and account').innerText();
    for (const fact of ['https://share.example.com', 'Connected', 'Mira Lindqvist', '@mira', 'Free', 'keychain'])
      expect(account).toContain(fact);
    const meter = page.getByRole('meter', { name: 'Storage used' });
    await eventually(async () =>
      expect((await meter.getAttribute('aria-valuetext'))?.replaceAll('\u00a0', ' ')).toBe('327 MB of 1 GB used'),
    );
  });

  it('validate address and key before a request, and focus the invalid field', async () => {
    await page.evaluate(() => window.double.set({ connection: { state: 'none' } }));
    await button('Connect').click();
    await eventually(async () => expect(await focused()).toBe('server'));
    await page.keyboard.type('http://share.example.com');
    await page.keyboard.press('Enter');
    await isShown(/so that nobody can intercept the key/);
    await isShown('Enter the API key.');
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'Server address' }).getAttribute('aria-invalid')).toBe('true'),
    );
    await eventually(async () => expect(await calls('connection.connect')).toEqual([]));

    await page.getByLabel('Server address').fill('share.example.com');
    await page.getByLabel('API key', { exact: true }).fill(' lsk_secret ');
    await page.evaluate(() => window.double.failNext('connection.connect', { code: 'API_KEY_INVALID', detail: '' }));
    await page.keyboard.press('Enter');
    await isShown('The server doesn’t recognise this API key');
    await eventually(async () => expect(await focused()).toBe('key'));
    await eventually(async () =>
      expect(await calls('connection.connect')).toEqual([{ server: 'https://share.example.com', key: 'lsk_secret' }]),
    );
  });

  it('forget the typed key once it was accepted', async () => {
    await go('Settings');
    await page.getByText('Connect to another server').click();
    await page.getByLabel('Server address').fill('https://other.example.com');
    const key = page.getByLabel('API key', { exact: true });
    await key.fill('lsk_secret');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await key.inputValue()).toBe(''));
  });
});

describe('what must be known everywhere', () => {
  it('a lost key explains what to do and links to the form', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'API_KEY_REVOKED' as const, detail: '' };
      double.set({ connection: { state: 'failed', server: make.SERVER, account: make.makeAccount(), failure } });
    });
    await isShown('The API key was revoked');
    await button('Connect again').click();
    await eventually(async () => expect(await focused()).toBe('key'));
  });

  it('an unreachable server can be asked again', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'SERVER_UNREACHABLE' as const, detail: '' };
      double.set({ connection: { state: 'failed', server: make.SERVER, account: null, failure } });
    });
    await isShown(/ isn’t responding$/);
    await button('Try now').click();
    await eventually(async () => expect(await calls('connection.refresh')).toHaveLength(1));
  });

  it('a try-out explains that its links work on this computer only, and links to the form', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const { server, account } = make.connected() as { server: string; account: ReturnType<typeof make.makeAccount> };
      double.set({ connection: { state: 'connected', server, account, keyPlace: 'embedded' } });
    });
    await isShown('links only work on this computer');
    await button('Connect to a server').click();
    await eventually(async () => expect(await focused()).toBe('server'));
  });

  it('a notice stays until it is dismissed', async () => {
    await page.evaluate(() => window.double.set({ notices: [{ code: 'PROFILE_DAMAGED', detail: '' }] }));
    await isShown('The queue was damaged');
    await go('Library');
    await isShown('The queue was damaged');
    await button('Dismiss').click();
    await eventually(async () => expect(await page.getByText('The queue was damaged').count()).toBe(0));
  });

  it('a refused command is shown and stays until it is dismissed', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ queue: { items: [make.makeItem('queued', 1)], live: {}, paused: false } });
      double.failNext('queue.pauseAll', { code: 'DISK_FULL', detail: '' });
    });
    await button('Pause all').click();
    await isShown('This computer’s disk is full');
  });

  it('a page whose host has exited shows that, and recovers when it is back', async () => {
    await page.evaluate(() => window.double.setLink('down'));
    await isShown('Linkshot isn’t responding');
    await page.evaluate(() => window.double.setLink('up'));
    await eventually(async () => expect(await page.getByText('Linkshot isn’t responding').count()).toBe(0));
  });

  it('a banner that comes or goes while a button is pressed does not lose the press', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ queue: { items: [make.makeItem('queued', 1)], live: {}, paused: false } });
    });
    const toggle = page.getByRole('button', { name: /^(Pause|Resume) all$/ });
    const topOfButton = async () => (await toggle.boundingBox())?.y ?? Number.NaN;
    const press = async () => {
      await toggle.hover();
      await page.mouse.down();
    };
    const banner = page.getByText('Linkshot isn’t responding');
    const alone = await topOfButton();

    await press();
    await page.evaluate(() => window.double.setLink('down'));
    await banner.waitFor({ state: 'attached' });
    expect(await topOfButton()).toBe(alone);
    await page.mouse.up();
    await eventually(async () => expect(await calls('queue.pauseAll')).toHaveLength(1));
    await eventually(async () => expect(await topOfButton()).toBeGreaterThan(alone));

    await press();
    await page.evaluate(() => window.double.setLink('up'));
    await banner.waitFor({ state: 'detached' });
    expect(await topOfButton()).toBeGreaterThan(alone);
    await page.mouse.up();
    await eventually(async () => expect(await calls('queue.resumeAll')).toHaveLength(1));
    await eventually(async () => expect(await topOfButton()).toBe(alone));
  });

  it('a host that has exited leaves neither a running clock nor an open capture, and is trusted again when it is back', async () => {
    const state = await page.evaluate((capture) => {
      const { double, make } = window;
      const capabilities = { ...double.state().capabilities, overlay: 'windows' as const };
      double.set({ capabilities, capture, recording: make.makeRunning(Date.now()) });
      return double.state();
    }, makeChoosing());
    const stop = page.getByRole('region', { name: 'Recorder' }).getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Region/ }).isDisabled()).toBe(true);
    await page.evaluate(() => window.double.setLink('down'));
    await stop.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: /^Region/ }).isDisabled()).toBe(false);
    await page.evaluate((again) => {
      window.double.set(again);
      window.double.setLink('up');
    }, state);
    await stop.waitFor();
  });

  it('the title names the screen of the page, and an opened item', async () => {
    await page.evaluate(() => window.double.setLibrary([window.make.makeLibraryItem(0, { title: 'Northern lights' })]));
    for (const [screen, title] of [
      ['Library', 'Library – Linkshot'],
      ['Settings', 'Settings – Linkshot'],
      ['Home', 'Linkshot'],
    ] as const) {
      await go(screen);
      await expect.poll(() => page.title()).toBe(title);
    }
    await go('Library');
    await page.getByRole('link', { name: 'Northern lights' }).first().click();
    await expect.poll(() => page.title()).toBe('Northern lights – Linkshot');
  });

  it('the address keeps the screen, so that reload, back and forward work', async () => {
    await go('Library');
    await go('Settings');
    await page.goBack();
    await page.getByRole('heading', { name: 'Library' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Library' }).waitFor();
  });
});
