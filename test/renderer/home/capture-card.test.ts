/**
 * The capture buttons of the home screen: they start the same captures as the hotkeys and appear only where a selection
 * is possible.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lowContrast, nameless, overflows } from '../../support/audit/page-audit.ts';
import { makeChoosing } from '../../support/window/frozen-desktop.ts';
import { windowForEachTest } from '../../support/window/window-for-each-test.ts';

let page: Page;
windowForEachTest({
  use: async (opened) => {
    page = opened;
    await page.evaluate(() => {
      const { double } = window;
      const { capabilities } = double.state();
      double.answer('capture.start', () => ({}));
      double.answer('recording.stop', () => ({ id: '' as never }));
      double.set({ capabilities: { ...capabilities, overlay: 'windows' } });
    });
  },
});

const tile = (name: RegExp) => page.getByRole('region', { name: 'Capture the screen' }).getByRole('button', { name });
const calls = () =>
  page.evaluate(() =>
    window.double.calls
      .filter(({ command }) => /^(capture|recording)\./.test(command))
      .map(({ command, input }) => ({ command, input })),
  );

describe('the capture buttons', () => {
  it.each([
    [/^Region/, { mode: 'region', delaySeconds: 0 }],
    [/^Window/, { mode: 'window', delaySeconds: 0 }],
    [/^Screen/, { mode: 'screen', delaySeconds: 0 }],
    [/^Last region/, { mode: 'last', delaySeconds: 0 }],
    [/^Record/, { mode: 'region', purpose: 'recording', delaySeconds: 0 }],
  ])('%s begins it', async (name, input) => {
    await tile(name).click();
    await expect.poll(calls).toEqual([{ command: 'capture.start', input }]);
  });

  it('name the keys that the desktop bound', async () => {
    await page.evaluate(() => {
      const { double } = window;
      const { hotkeys } = double.state();
      const region = { action: 'region', accelerator: 'Control+PrintScreen', bound: 'Meta+Shift+S' } as const;
      const found = { ...region, state: 'asked', pressedAt: null, failure: null } as const;
      double.set({ hotkeys: { ...hotkeys, way: 'portal', keys: [found] } });
    });
    await tile(/^Region\s*Meta\+Shift\+S$/).waitFor();
  });

  it('explain how to get a last region, where there is none yet', async () => {
    await page.evaluate(() => window.double.failNext('capture.start', { code: 'CAPTURE_AREA_INVALID', detail: '' }));
    await tile(/^Last region/).click();
    await page.getByText('Select one with “Region”. Then “Last region” captures it again.').waitFor();
  });

  it('wait for the selected delay, which defaults to the settings', async () => {
    await page.evaluate(() => {
      const { double } = window;
      double.set({ settings: { ...double.state().settings, captureDelaySeconds: 7 } });
    });
    await tile(/^Region/).click();
    await page.getByText('5 s', { exact: true }).click();
    await tile(/^Region/).click();
    const delays = async () => (await calls()).map(({ input }) => (input as { delaySeconds: number }).delaySeconds);
    await expect.poll(delays).toEqual([7, 5]);
  });

  it('rest while a capture is open, and end a recording that runs', async () => {
    await page.evaluate((capture) => window.double.set({ capture }), makeChoosing());
    await expect.poll(() => tile(/^Region/).isDisabled()).toBe(true);
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({ capture: null, recording: make.makeRunning(Date.now()) });
    });
    await tile(/^Stop recording/).click();
    await expect.poll(calls).toEqual([{ command: 'recording.stop', input: {} }]);
  });

  it('show the keys that begin the same', async () => {
    await page.evaluate(() => {
      const { double } = window;
      const key = { accelerator: 'CommandOrControl+Shift+PrintScreen', bound: null, pressedAt: null, failure: null };
      const keys = [
        { action: 'region', state: 'asked', ...key },
        { action: 'window', state: 'refused', ...key },
      ] as const;
      double.set({
        hotkeys: {
          way: 'x11',
          command: '',
          commandPlace: 'settings',
          shortcut: 'none',
          replacesSnippingTool: false,
          keys: keys.map((known) => ({ ...known })),
        },
      });
    });
    await tile(/^Region\s*Ctrl\+Shift\+PrtSc$/).waitFor();
    await tile(/^Window$/).waitFor();
  });

  it('are not shown where there is nothing to choose', async () => {
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, overlay: 'none' } });
    });
    await page.getByRole('region', { name: 'Capture the screen' }).waitFor({ state: 'detached' });
  });

  it('are not shown for what this desktop cannot do', async () => {
    await tile(/^Window/).waitFor();
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, windows: false, recording: false } });
    });
    await tile(/^Window/).waitFor({ state: 'detached' });
    await tile(/^Record/).waitFor({ state: 'detached' });
    await tile(/^Screen/).waitFor();
  });

  it.each([320, 480, 1024])('can be read and used at %d px, in either language', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const language of ['en', 'ru'] as const) {
      await page.evaluate((chosen) => {
        const { double } = window;
        double.set({ settings: { ...double.state().settings, language: chosen } });
      }, language);
      await page.locator(`html[lang=${language}]`).waitFor();
      expect({ language, overflows: await overflows(page) }).toEqual({ language, overflows: false });
      expect(await lowContrast(page)).toEqual([]);
      expect(await nameless(page)).toEqual([]);
    }
  });
});
