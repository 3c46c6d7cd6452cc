/** Capture, recording and hotkey settings in real Chromium. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import type { Hotkey, HotkeyAction, Hotkeys } from '../../../src/ipc/protocol/hotkeys.ts';
import { tabStops } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { callsOf, windowForEachTest } from '../../support/window/window-for-each-test.ts';

let page: Page;
windowForEachTest({
  context: { permissions: ['clipboard-read', 'clipboard-write'] },
  use: async (opened) => {
    page = opened;
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, overlay: 'page' } });
      location.hash = '#settings';
    });
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const asked = (command: CommandName, inputs: unknown[]) =>
  eventually(async () => expect(await calls(command)).toEqual(inputs));
const button = (name: string | RegExp) => page.getByRole('button', { name });
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const setHotkeys = (way: Hotkeys['way'], keys: readonly (Partial<Hotkey> & { action: HotkeyAction })[] = []) =>
  page.evaluate(
    ([by, some]) => {
      const plain = { accelerator: null, state: 'off', bound: null, pressedAt: null, failure: null } as const;
      window.double.set({
        hotkeys: {
          way: by,
          keys: some.map((key) => ({ ...plain, ...key })),
          command: 'linkshot capture --select',
          commandPlace: 'settings',
          shortcut: 'none',
          replacesSnippingTool: false,
        },
      });
    },
    [way, keys] as const,
  );

describe('captures', () => {
  it('are decided about only where the screen can be captured', async () => {
    await isShown('Screenshots');
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, overlay: 'none' } });
    });
    await eventually(async () => expect(await page.getByText('Screenshots').count()).toBe(0));
    expect(await page.getByRole('heading', { name: 'Hotkeys' }).count()).toBe(0);
  });

  it('have names that follow another window, but never overwrite typed text', async () => {
    const field = page.getByRole('textbox', { name: 'File name', exact: true });
    const elsewhere = (nameTemplate: string) =>
      page.evaluate((name) => {
        const { double } = window;
        double.set({ settings: { ...double.state().settings, nameTemplate: name } });
      }, nameTemplate);
    await elsewhere('Theirs {n}');
    await eventually(async () => expect(await field.inputValue()).toBe('Theirs {n}'));
    await field.fill('Mine {n}');
    await elsewhere('Theirs again {n}');
    await elsewhere('And again {n}');
    expect(await field.inputValue()).toBe('Mine {n}');
    await field.press('Enter');
    await asked('settings.update', [{ nameTemplate: 'Mine {n}' }]);
  });

  it('wait, show the pointer, open the editor and are copied in it as configured', async () => {
    const card = page.getByRole('region', { name: 'Screenshots' });
    await card.getByText(/^5\s*s$/).click();
    await card.getByRole('switch', { name: 'Show the mouse pointer' }).press('Space');
    await card.getByRole('switch', { name: 'Open the editor after a capture' }).press('Space');
    await card.getByRole('switch', { name: 'Keep the copy up to date while editing' }).press('Space');
    await asked('settings.update', [
      { captureDelaySeconds: 5 },
      { capturePointer: 'show' },
      { editAfterCapture: true },
      { copyWhileEditing: true },
    ]);
  });

  it('are saved as a file where nothing else is done with them, in the configured folder', async () => {
    await page.getByRole('switch', { name: 'Share it and create a link' }).press('Space');
    await isShown('Captures are saved to the folder');
    await page.getByRole('switch', { name: 'Save it to a folder' }).press('Space');
    await eventually(async () => expect(await page.getByText('Captures are saved to the folder').count()).toBe(0));
    const folder = page.getByRole('textbox', { name: 'Folder' });
    await folder.fill('pictures/shots');
    await folder.press('Enter');
    await isShown('Enter the full path');
    await folder.fill('/home/mira/shots');
    await folder.press('Enter');
    await eventually(async () =>
      expect((await calls('settings.update')).at(-1)).toEqual({ saveFolder: '/home/mira/shots' }),
    );
    await folder.fill('');
    await folder.press('Enter');
    await eventually(async () => expect((await calls('settings.update')).at(-1)).toEqual({ saveFolder: null }));
  });

  it('are named by a template that shows at once what it makes', async () => {
    const name = page.getByRole('textbox', { name: 'File name' });
    await name.fill('{title}/{width}x{height} #{n}');
    await isShown('For example: Quarterly report-1280x720 #7.png');
    expect(await calls('settings.update')).toEqual([]);
    await name.press('Enter');
    await asked('settings.update', [{ nameTemplate: '{title}/{width}x{height} #{n}' }]);
    await name.fill('');
    await name.press('Enter');
    await isShown('Enter a name.');
    await asked('settings.update', [{ nameTemplate: '{title}/{width}x{height} #{n}' }]);
  });
});

it('recordings have the sounds that this computer can record, and those that were chosen', async () => {
  const card = page.getByRole('region', { name: 'Recording' });
  await eventually(async () => expect(await card.getByRole('radio', { name: 'Microphone' }).count()).toBe(1));
  await card.getByText('Microphone').click();
  await card.getByRole('switch', { name: 'Review recordings before sharing' }).press('Space');
  await asked('settings.update', [{ recordingSound: 'microphone' }, { reviewRecordings: false }]);
  await page.evaluate(() => window.double.answer('recording.sounds', () => ({ sounds: ['none'] })));
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await isShown('No audio source was found on this computer.');
  expect(await card.getByRole('radio', { name: 'Microphone' }).isChecked()).toBe(true);
  expect(await card.getByRole('radio', { name: 'System' }).count()).toBe(0);
});

it('recordings show the chosen camera in the chosen corner, also one that is not connected now', async () => {
  const card = page.getByRole('region', { name: 'Recording' });
  await card.getByText('HD Pro Webcam C920').click();
  await card.getByText('Top right').click();
  await asked('settings.update', [{ recordingCamera: 'HD Pro Webcam C920' }, { recordingCameraCorner: 'top-right' }]);
  await page.evaluate(() => window.double.answer('recording.cameras', () => ({ cameras: [] })));
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await isShown('HD Pro Webcam C920 isn’t connected now.');
  await card.getByRole('radio', { name: 'HD Pro Webcam C920' }).press('ArrowLeft');
  await eventually(async () => expect((await calls('settings.update')).at(-1)).toEqual({ recordingCamera: null }));
  await isShown('No camera was found on this computer.');
  expect(await card.getByText('Position of the camera').count()).toBe(0);
});

it('recordings show clicks and shortcuts as configured, where the platform can show them', async () => {
  const card = page.getByRole('region', { name: 'Recording' });
  const clicks = card.getByRole('switch', { name: 'Show clicks' });
  expect(await clicks.isChecked()).toBe(false);
  await clicks.press('Space');
  await card.getByRole('switch', { name: 'Show shortcuts' }).press('Space');
  await asked('settings.update', [{ recordingClicks: 'show' }, { recordingKeys: 'show' }]);
  await page.evaluate(() => {
    const { double } = window;
    double.set({ capabilities: { ...double.state().capabilities, inputDisplay: false } });
  });
  await clicks.waitFor({ state: 'detached' });
});

it('the app starts with the computer only where it has a tray to live in', async () => {
  const start = page.getByRole('switch', { name: 'Start at login' });
  expect(await start.count()).toBe(0);
  await page.evaluate(() => {
    const { double } = window;
    double.set({ capabilities: { ...double.state().capabilities, tray: true } });
  });
  await start.press('Space');
  await asked('settings.update', [{ startAtLogin: true }]);
});

it('the app is offered to the menus of the file manager only where there is one of Windows', async () => {
  const menu = page.getByRole('switch', { name: 'Show Linkshot in File Explorer' });
  expect(await menu.count()).toBe(0);
  await page.evaluate(() => {
    const { double } = window;
    double.set({ capabilities: { ...double.state().capabilities, explorerMenu: true } });
  });
  await menu.press('Space');
  await asked('settings.update', [{ explorerMenu: true }]);
});

it('the command is offered to terminals only where a PATH can have it', async () => {
  const command = page.getByRole('switch', { name: 'Command line in terminals' });
  expect(await command.count()).toBe(0);
  await page.evaluate(() => {
    const { double } = window;
    double.set({ capabilities: { ...double.state().capabilities, terminalCommand: true } });
  });
  await command.press('Space');
  await asked('settings.update', [{ terminalCommand: true }]);
});

it('the bar of the sections leads to each, with the keyboard too', async () => {
  const bar = page.getByRole('navigation', { name: 'Sections' });
  await bar.getByRole('button', { name: 'Hotkeys' }).press('Enter');
  const card = page.getByRole('region', { name: 'Hotkeys' });
  await eventually(async () => {
    const { y = -1 } = (await card.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(720);
  });
  await eventually(async () =>
    expect(await bar.getByRole('button', { name: 'Hotkeys' }).getAttribute('aria-current')).toBe('true'),
  );
  await page.keyboard.press('Tab');
  expect(await card.locator(':focus').count()).toBe(1);
});

describe('hotkeys', () => {
  const field = (action: string) => button(new RegExp(`^${action}:`));
  const updates = () => calls('settings.update') as Promise<{ hotkeys: Record<string, string | null> }[]>;
  const kept = async () => (await updates()).at(-1)?.hotkeys;

  it('are taken as they are pressed, by mouse or keyboard', async () => {
    await setHotkeys('x11');
    await field('Capture a window').press('Enter');
    await isShown('Press the keys…');
    await page.keyboard.down('Control');
    await page.keyboard.down('Shift');
    await page.keyboard.press('KeyA');
    await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
    await eventually(async () => expect((await kept())?.['window']).toBe('Control+Shift+A'));
    await button('Capture a window: Ctrl + Shift + A').waitFor();
    await button('Remove the hotkey: Capture a window').click();
    await eventually(async () => expect((await kept())?.['window']).toBeNull());
  });

  it('are shown in fields of one width, however many keys they have', async () => {
    await setHotkeys('x11');
    await page.evaluate(() => {
      const { double } = window;
      const { settings } = double.state();
      double.set({ settings: { ...settings, hotkeys: { ...settings.hotkeys, record: 'Control+Shift+R' } } });
    });
    await button('Start or stop recording: Ctrl + Shift + R').waitFor();
    const width = async (action: string) => (await field(action).boundingBox())?.width;
    const widths = [
      await width('Capture a region'),
      await width('Start or stop recording'),
      await width('Capture a window'),
    ];
    expect(new Set(widths).size).toBe(1);
  });

  it('stay as they were with Esc and Tab, and go with Backspace', async () => {
    await setHotkeys('x11');
    const record = field('Start or stop recording');
    await record.click();
    await page.keyboard.press('Control+Alt+KeyR');
    await button('Start or stop recording: Ctrl + Alt + R').waitFor();
    const before = (await updates()).length;
    await record.click();
    await page.keyboard.press('Escape');
    await record.click();
    await page.keyboard.press('Tab');
    await button('Start or stop recording: Ctrl + Alt + R').waitFor();
    expect(await updates()).toHaveLength(before);
    await record.click();
    await page.keyboard.press('Backspace');
    await button('Start or stop recording: Not set').waitFor();
  });

  it('that are needed for typing or used by another action are refused with an explanation', async () => {
    await setHotkeys('x11');
    await field('Capture a screen').click();
    await page.keyboard.press('KeyS');
    await isShown('Add Ctrl, Alt or the system key');
    await page.keyboard.press('Control+PrintScreen');
    await isShown('Already used for: Capture a region');
    expect(await updates()).toEqual([]);
    await page.keyboard.press('F8');
    await eventually(async () => expect((await kept())?.['screen']).toBe('F8'));
  });

  it('of the region is the account’s until there is an own one', async () => {
    await setHotkeys('x11', [{ action: 'region', accelerator: 'Control+PrintScreen', state: 'asked' }]);
    await isShown('From your account');
    await button('Capture a region: Ctrl + PrtSc').click();
    await page.keyboard.press('Control+Shift+KeyX');
    await button('Use the account’s hotkey: Capture a region').click();
    await eventually(async () => expect((await kept())?.['region']).toBeNull());
    await button('Capture a region: Ctrl + PrtSc').waitFor();
  });

  it('are tested by the keys that the desktop bound', async () => {
    const chosen = { action: 'region', accelerator: 'Control+PrintScreen', bound: 'Meta+Shift+S' } as const;
    await setHotkeys('portal', [{ ...chosen, state: 'asked' }]);
    await page.evaluate(() => window.double.answer('hotkeys.test', () => new Promise(() => {})));
    await button('Test the hotkey: Capture a region').click();
    await isShown(/^Press Meta\+Shift\+S now/);
  });

  it('are tested by a press, and each state is shown as text', async () => {
    await setHotkeys('x11', [{ action: 'region', accelerator: 'Control+PrintScreen', state: 'asked' }]);
    await isShown('Set. Press it to test.');
    await page.evaluate(() => window.double.answer('hotkeys.test', () => ({ heard: false })));
    await button('Test the hotkey: Capture a region').click();
    await isShown('Nothing was detected.');
    await page.evaluate(() => window.double.answer('hotkeys.test', () => ({ heard: true })));
    await button('Test the hotkey: Capture a region').click();
    await page.getByText('It works.', { exact: true }).waitFor();
    await asked('hotkeys.test', [{ action: 'region' }, { action: 'region' }]);
    await setHotkeys('x11', [
      {
        action: 'region',
        accelerator: 'Control+PrintScreen',
        state: 'asked',
        pressedAt: Date.UTC(2026, 10, 20, 12, 4),
      },
    ]);
    await isShown('Works: pressed at 12:04');
  });

  it('that Windows uses are explained, with a button that resolves it', async () => {
    const params = { hotkey: 'PrintScreen', by: 'snipping-tool', offer: 'Control+PrintScreen' };
    const failure = { code: 'HOTKEY_TAKEN', detail: '', params } as const;
    await page.evaluate(() => {
      const { double } = window;
      const { settings, effective } = double.state();
      double.set({
        settings: { ...settings, hotkeys: { ...settings.hotkeys, all: 'PrintScreen' } },
        effective: { ...effective, hotkey: null },
      });
    });
    await setHotkeys('electron', [{ action: 'all', accelerator: 'PrintScreen', state: 'refused', failure }]);
    await isShown('Windows opens its Snipping Tool with the Print Screen key');
    await button('Try again').click();
    await asked('hotkeys.retry', [{}]);
    await button('Use Print Screen for Linkshot').click();
    await asked('hotkeys.replaceSnippingTool', [{ isOn: true }]);
    await button('Use Ctrl + PrtSc').click();
    await eventually(async () => expect((await kept())?.['all']).toBe('Control+PrintScreen'));
  });

  it('that Linkshot took from the Snipping Tool can be given back', async () => {
    await setHotkeys('electron', [{ action: 'all', accelerator: 'PrintScreen', state: 'asked' }]);
    const restore = button('Give it back to Windows');
    expect(await restore.count()).toBe(0);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ hotkeys: { ...double.state().hotkeys, replacesSnippingTool: true } });
    });
    await isShown('Print Screen opens Linkshot');
    await restore.click();
    await asked('hotkeys.replaceSnippingTool', [{ isOn: false }]);
  });

  it('that cannot be registered show the command for the desktop’s own settings', async () => {
    await setHotkeys('none');
    await isShown('Global hotkeys aren’t available here');
    await button('Copy command').click();
    await eventually(async () =>
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('linkshot capture --select'),
    );
  });

  it('show the keys that the desktop bound, in its own words', async () => {
    const key = { action: 'region', accelerator: 'Control+PrintScreen', state: 'asked', bound: 'Strg+Druck' } as const;
    await setHotkeys('portal', [key]);
    await isShown('Set by the desktop: Strg+Druck');
    const params = { by: 'desktop' };
    const failure = { code: 'HOTKEY_TAKEN', detail: '', params } as const;
    await setHotkeys('portal', [{ ...key, state: 'refused', bound: null, failure }]);
    await isShown('The desktop gave Linkshot no key');
  });

  it('are added to GNOME’s own settings, and removed there, by a button', async () => {
    await setHotkeys('none');
    expect(await page.getByRole('button', { name: 'Add shortcut' }).count()).toBe(0);
    const setShortcut = (shortcut: 'set' | 'unset') =>
      page.evaluate((state) => {
        const { double } = window;
        double.set({ hotkeys: { ...double.state().hotkeys, shortcut: state } });
      }, shortcut);
    await setShortcut('unset');
    await button('Add shortcut').click();
    await setShortcut('set');
    await isShown('is set in GNOME’s settings');
    await button('Remove shortcut').click();
    await asked('hotkeys.setShortcut', [{ isOn: true }, { isOn: false }]);
  });

  it('are wholly reached by the keyboard, and their place is always seen', async () => {
    await setHotkeys('portal', [{ action: 'region', accelerator: 'Control+PrintScreen', state: 'asked' }]);
    const stops = await tabStops(page);
    expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
    const names = stops.map(({ name }) => name);
    for (const name of [
      'Capture a region: Ctrl + PrtSc',
      'Test the hotkey: Capture a region',
      'Start or stop recording: Not set',
      'Copy command',
    ])
      expect(names).toContain(name);
  });
});
