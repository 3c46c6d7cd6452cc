/** The other settings in real Chromium: links, presets, privacy, storage, diagnostics, licences. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { eventually } from '../../support/eventually.ts';
import { watchForText } from '../../support/window/passing-text.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { callsOf } from '../../support/window/window-for-each-test.ts';

let pages: RendererPages;
let page: Page;
let problems: string[];
beforeAll(async () => {
  pages = await startRendererPages();
  ({ page, problems } = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
  await page.evaluate(() => {
    const { double } = window;
    const { capabilities } = double.state();
    double.set({ capabilities: { ...capabilities, overlay: 'page', fileManager: true, tryOut: true } });
    location.hash = '#settings';
  });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});
afterEach(() => expect(problems).toEqual([]));
afterAll(() => pages.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const card = (name: string) => page.getByRole('region', { name, exact: true });
const settings = () => page.evaluate(() => window.double.state().settings);
const inputs = (command: CommandName) => callsOf(page, command);
const eventuallySet = (name: string, value: unknown) =>
  eventually(async () => expect((await settings())[name as 'theme']).toEqual(value));

describe('links', () => {
  it('are copied in a format whose example follows the typed text', async () => {
    const form = card('Copied link format');
    const example = form.getByRole('figure');
    await example.getByText('https://share.example.com/s/k3v9qa7x').waitFor();
    await form.getByText('Markdown', { exact: true }).click();
    await example.getByText('![Quarterly report](https://share.example.com/api/media/k3v9qa7x)').waitFor();
    await form.getByText('Custom', { exact: true }).click();
    const own = form.getByRole('textbox', { name: 'Custom format' });
    await own.fill('<{url}> {title}');
    await example.getByText('<https://share.example.com/s/k3v9qa7x> Quarterly report').waitFor();
    const isConfirmed = await watchForText(page, '[aria-live]', 'Saved');
    await own.press('Enter');
    await eventuallySet('linkTemplate', '<{url}> {title}');
    await isConfirmed();
    await own.fill(' ');
    await form.getByText('Enter a format.').waitFor();
    await own.press('Enter');
    await eventuallySet('linkTemplate', '<{url}> {title}');
  });

  it('are uploaded as many at once as is chosen, and videos are made to fit as is chosen', async () => {
    await card('Sharing').getByText('3', { exact: true }).click();
    await eventuallySet('itemsAtOnce', 3);
    await card('Video').getByText('Smaller file', { exact: true }).click();
    await eventuallySet('fit', 'smaller');
  });

  it('and the window have the colours that are chosen, or those of the account', async () => {
    await card('Appearance').getByText('Forest').click();
    await eventually(async () => expect(await page.locator('html').getAttribute('data-palette')).toBe('forest'));
    await card('Appearance').getByText('Account default').click();
    await eventuallySet('palette', null);
  });
});

describe('presets', () => {
  const presets = () => card('Presets');

  it('are made from a sentence and a button where there are none', async () => {
    await presets().getByText('No presets yet').waitFor();
    await button('New preset').click();
    await button('Save').click();
    await presets().getByText('Enter a name.').waitFor();
    await presets().getByRole('textbox', { name: 'Name' }).fill('For customers');
    await presets().getByText('Private', { exact: true }).click();
    await presets().getByText('1 week', { exact: true }).click();
    await presets().getByRole('switch', { name: 'Allow downloads' }).press('Space');
    await button('Save').click();
    await presets().getByText('Private · for 1 week · no downloads').waitFor();
    expect((await settings()).presets).toMatchObject([
      { name: 'For customers', link: { visibility: 'private', ttl: 'week', allowDownload: false } },
    ]);
  });

  it('are validated while typing by the rules of the service', async () => {
    await button('New preset').click();
    await presets().getByRole('textbox', { name: 'Name' }).fill('for CUSTOMERS');
    await presets().getByRole('textbox', { name: 'View limit' }).fill('many');
    await button('Save').click();
    await presets().getByText('Another preset already has this name.').waitFor();
    await presets().getByText('Enter a whole number from 1 to 1,000,000.').waitFor();
    await presets().getByRole('textbox', { name: 'View limit' }).fill('1000001');
    await presets().getByText('Enter a whole number from 1 to 1,000,000.').waitFor();
    await presets().getByRole('textbox', { name: 'Name' }).fill('Once');
    await presets().getByRole('textbox', { name: 'View limit' }).fill('5');
    await page.evaluate(() => window.double.failNext('preset.save', { code: 'ONE_TIME_NOT_PUBLIC', detail: '' }));
    await button('Save').click();
    await presets().getByRole('alert').waitFor();
    await button('Save').click();
    await presets().getByText('5 views').waitFor();
  });

  it('can be changed, set as the default for new items, and deleted with an undo', async () => {
    await button('Edit the preset Once').click();
    await presets().getByText('Never', { exact: true }).click();
    await presets().getByRole('switch', { name: 'One-time link' }).press('Space');
    await button('Save').click();
    await presets().getByText('Never expires · one-time link · 5 views', { exact: true }).waitFor();
    await button('Preset for new items: No preset').click();
    await page.getByRole('menuitemradio', { name: 'Once' }).click();
    const id = (await settings()).presets.find(({ name }) => name === 'Once')?.id;
    await eventuallySet('defaultPreset', id);
    await button('Delete the preset Once').click();
    await presets().getByText('Once was deleted.').waitFor();
    await eventuallySet('defaultPreset', null);
    await button('Undo: restore the preset Once').click();
    await presets().getByText('one-time link · 5 views').waitFor();
    await eventuallySet('defaultPreset', id);
  });
});

describe('space', () => {
  it('of the account is shown by type, and asks to connect where there is no account', async () => {
    const server = card('Server storage');
    await server.getByRole('meter', { name: 'Storage used' }).waitFor();
    await page.evaluate(() => window.double.set({ connection: { state: 'none' } }));
    await server.getByText('Connect an account to see its storage.').waitFor();
    await page.evaluate(() => window.double.set({ connection: window.make.connected() }));
    await server.getByText('Images 140').waitFor();
  });

  it('of this computer is shown by purpose; unneeded data can be cleared', async () => {
    const here = card('Storage on this computer');
    await here.getByText('Pending files').waitFor();
    await button('Clear: Damaged files').click();
    await here.getByText('Damaged files', { exact: true }).waitFor({ state: 'detached' });
    await button('Clear: Thumbnails').click();
    await eventually(async () => expect(await button('Clear: Thumbnails').isDisabled()).toBe(true));
    expect(await inputs('profile.clear')).toEqual([{ what: 'leftovers' }, { what: 'thumbnails' }]);
  });
});

describe('traces on this computer', () => {
  it('are cleared only after a confirmation that names what is kept', async () => {
    const traces = card('Data on this computer');
    await traces.getByText('128 links stored here.').waitFor();
    await button('Clear history').click();
    await traces.getByText('Remove 128 links from this computer?').waitFor();
    await eventually(async () =>
      expect(await button('Keep them').evaluate((it) => it === document.activeElement)).toBe(true),
    );
    await page.keyboard.press('Escape');
    await traces.getByText('Remove 128 links from this computer?').waitFor({ state: 'detached' });
    const before = (await inputs('profile.clear')).length;
    await button('Clear history').click();
    await button('Clear').click();
    await traces.getByText('No links are stored here.').waitFor();
    await button('Clear region').click();
    await traces.getByText('No region is stored.').waitFor();
    expect((await inputs('profile.clear')).slice(before)).toEqual([{ what: 'history' }, { what: 'lastRegion' }]);
  });

  it('keep pictures without their location, unless the user turns that off', async () => {
    await page.getByRole('switch', { name: 'Remove location and camera data from images' }).press('Space');
    await eventuallySet('stripMetadata', false);
  });
});

describe('for the day something is odd', () => {
  it('the report is read before it is copied', async () => {
    const advanced = card('Advanced');
    await advanced.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('region', { name: 'Report' }).getByText('Queue: none').waitFor();
    await button('Copy report').click();
    await eventually(async () =>
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Linkshot 0.1.0'),
    );
  });

  it('all settings are as at first with one press, and as before with the next', async () => {
    const backdrop = { fill: 'ocean', padding: 'large', corners: 'round', shadow: 'soft', titleBar: 'none' } as const;
    await page.evaluate((preset) => {
      const { double } = window;
      const more = { itemsAtOnce: 1, nameTemplate: 'mine {n}', backdropPresets: [preset] };
      double.set({ settings: { ...double.state().settings, ...more } });
    }, backdrop);
    const { presets } = await settings();
    await page.evaluate(() => window.double.failNext('settings.update', { code: 'DISK_FULL', detail: '' }));
    await button('Reset').click();
    await page.getByText('This computer’s disk is full').first().waitFor();
    expect(await page.getByText('Settings were reset.').count()).toBe(0);
    await button('Reset').click();
    await eventuallySet('nameTemplate', 'Screenshot {date} {time}');
    await eventuallySet('presets', presets);
    await eventuallySet('backdropPresets', [backdrop]);
    await page.getByText('Settings were reset.').waitFor();
    // What the user adds after the reset is no part of it.
    const later = { ...backdrop, padding: 'small' } as const;
    await page.evaluate((added) => {
      const { double } = window;
      const { settings } = double.state();
      double.set({ settings: { ...settings, backdropPresets: [...settings.backdropPresets, added] } });
    }, later);
    await card('Advanced').getByRole('button', { name: 'Undo' }).click();
    await eventuallySet('nameTemplate', 'mine {n}');
    await eventuallySet('itemsAtOnce', 1);
    await eventuallySet('backdropPresets', [backdrop, later]);
  });

  it('settings that are reset by two presses before the host answers are as before with Undo', async () => {
    await page.evaluate(() => {
      const { double } = window;
      double.set({ settings: { ...double.state().settings, nameTemplate: 'mine {n}' } });
    });
    const held = await page.evaluateHandle(() => {
      const { double } = window;
      const answered = Promise.withResolvers<void>();
      const call = double.call.bind(double);
      double.call = async (command, input) => {
        const answer = await call(command, input);
        if (command === 'settings.update') await answered.promise;
        return answer;
      };
      return { answer: answered.resolve, restore: () => Object.assign(double, { call }) };
    });
    await button('Reset').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await held.evaluate(({ answer, restore }) => {
      restore();
      answer();
    });
    await page.getByText('Settings were reset.').waitFor();
    await card('Advanced').getByRole('button', { name: 'Undo' }).click();
    await eventuallySet('nameTemplate', 'mine {n}');
  });

  it('folders are shown and chosen in windows of the system, where the host has them', async () => {
    await button('Open folder: Profile folder').click();
    await page.getByRole('switch', { name: 'Save it to a folder' }).press('Space');
    await button('Choose…').click();
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe('/home/mira/Pictures/chosen'),
    );
    await button('Open folder: Folder').click();
    await eventually(async () =>
      expect(await inputs('profile.openFolder')).toEqual([{ folder: 'profile' }, { folder: 'captures' }]),
    );
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, fileManager: false } });
    });
    await button('Copy path').waitFor();
    expect(await button('Choose…').count()).toBe(0);
  });
});

it('the state of updates is shown, with the time of the last check', async () => {
  await card('About Linkshot').getByText('Automatic update checks are off in this version.').waitFor();
  await page.evaluate(() =>
    window.double.answer('app.updates', () => ({ state: 'not-checked', version: null, checkedAt: null })),
  );
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await card('System').getByText('No check for updates has completed yet.').waitFor();
  await page.evaluate(() => {
    const { double, make } = window;
    double.answer('app.updates', () => ({ state: 'there', version: '2.0.0', checkedAt: make.NOON }));
  });
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await card('System')
    .getByText(/Version 2\.0\.0 is available.*Last checked: 20\sNov\s2026/)
    .waitFor();
});

it('a tray icon that the desktop does not show is named, with what to do', async () => {
  const hint = card('System').getByText(/install the extension “AppIndicator and KStatusNotifierItem Support”/);
  await card('System')
    .getByText('Show a notification', { exact: false })
    .or(card('System').getByText('Updates'))
    .first()
    .waitFor();
  expect(await hint.count()).toBe(0);
  await page.evaluate(() => {
    const { double } = window;
    double.answer('app.trayIcon', () => ({ state: 'hidden' }));
    double.set({ capabilities: { ...double.state().capabilities, tray: true } });
  });
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await hint.waitFor();
  await card('System').getByText('Starts without a window', { exact: false }).waitFor();
});

it('the remembered answer of closing the window without a tray icon is shown, and can be changed back', async () => {
  await page.evaluate(() => {
    const { double } = window;
    double.answer('app.trayIcon', () => ({ state: 'hidden' }));
    double.set({
      capabilities: { ...double.state().capabilities, tray: true },
      settings: { ...double.state().settings, closeWithoutTray: 'quit' },
    });
  });
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  const choice = card('System').getByRole('radiogroup', { name: 'When the window is closed' });
  expect(await choice.getByRole('radio', { name: 'Quit' }).isChecked()).toBe(true);
  await choice.getByText('Ask').click();
  await eventually(async () => expect((await inputs('settings.update')).at(-1)).toEqual({ closeWithoutTray: 'ask' }));
});

it('the shortcut of a new note is the one that works: browsers reserve the first for themselves', async () => {
  const keys = () => card('Shortcuts').getByText('Write a note').locator('..').locator('dd').innerText();
  const runsIn = (clipboard: 'host' | 'page') =>
    page.evaluate((of) => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, clipboard: of } });
    }, clipboard);
  await runsIn('host');
  await eventually(async () => expect(await keys()).toMatch(/^Ctrl\s*N$/));
  await runsIn('page');
  await eventually(async () => expect(await keys()).toMatch(/^Alt\s*N$/));
});

describe('the licences', () => {
  it('are loaded when they are asked for, searched by name, and read in full', async () => {
    const licences = card('Third-party licences');
    await button('Show licences').click();
    const list = licences.getByRole('list');
    await list.getByText(/^react \d/).waitFor();
    const all = await list.getByRole('listitem').count();
    expect(all).toBeGreaterThan(50);
    await licences.getByRole('textbox', { name: 'Search licences' }).fill('zustand');
    await eventually(async () => expect(await list.getByRole('listitem').count()).toBe(1));
    await list.getByText(/^zustand \d/).click();
    await list.getByText('Permission is hereby granted').waitFor();
    await licences.getByRole('textbox').fill('qwertz');
    await licences.getByText('No matching program.').waitFor();
  });
});

describe('connecting', () => {
  it('shows the resulting address while typing, and errors when the field loses the focus', async () => {
    await page.evaluate(() => window.double.set({ connection: { state: 'none' } }));
    const server = page.getByLabel('Server address');
    await server.fill('share.example.com');
    await page.getByText('Connects to https://share.example.com').waitFor();
    await server.fill('http://share.example.com');
    expect(await server.getAttribute('aria-invalid')).toBeNull();
    await server.blur();
    await page.getByText(/so that nobody can intercept the key/).waitFor();
    await server.fill('https://share.example.com');
    await page.getByText(/so that nobody can intercept the key/).waitFor({ state: 'detached' });
  });

  it('in the browser shows the code to copy, the remaining time, a button to open the page again, and a cancel button', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const address = `${make.SERVER}/connect/device`;
      const expiresAt = Date.now() + 600_000;
      const waiting = { state: 'waiting', server: make.SERVER, userCode: 'WDJB-MJHT', address } as const;
      double.set({ authorization: { ...waiting, expiresAt, browser: 'opened' } });
    });
    await page.getByText(/^(9:\d\d|10:00) left$/).waitFor();
    await button('Copy code').click();
    await eventually(async () => expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('WDJB-MJHT'));
    await button('Reopen the page').click();
    await eventually(async () => expect(await inputs('connection.reopenAuthorize')).toEqual([{}]));
    await button('Cancel').click();
    await page.getByLabel('Server address').waitFor();
  });

  it('is shown with the waiting items before an account is removed', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const items = [make.makeItem('queued', 1), make.makeItem('started', 2), make.makeItem('linked', 3)];
      double.set({ connection: make.connected(), queue: { items, live: {}, paused: true } });
    });
    await button('Disconnect').click();
    await page.getByText('2 items stay in the queue until this account is connected again').waitFor();
    await button('Keep it').click();
    expect(await inputs('connection.disconnect')).toEqual([]);
    await button('Disconnect').click();
    await button('Remove').click();
    await eventually(async () => expect(await inputs('connection.disconnect')).toEqual([{}]));
  });
});
