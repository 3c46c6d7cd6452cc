/**
 * Onboarding in the real window: each step completes by its real event, never blocks the user and does not reappear.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import type { CommandName } from '../../src/ipc/protocol/command-table.ts';
import { axeViolations, overflows, tabStops } from '../support/audit/page-audit.ts';
import { eventually } from '../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../support/window/renderer-page.ts';

let pages: RendererPages;
let page: Page;
let problems: string[];
beforeAll(async () => {
  pages = await startRendererPages();
  ({ page, problems } = await pages.open());
});
afterAll(async () => {
  expect(problems).toEqual([]);
  await pages.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const steps = () => page.getByRole('region', { name: /steps to your first link|That’s it/ });
const step = (title: string) => steps().getByRole('listitem').filter({ hasText: title });
const kept = () => page.evaluate(() => window.double.state().settings.firstSteps);
const calls = (command: CommandName) =>
  page.evaluate((wanted) => window.double.calls.filter((call) => call.command === wanted).length, command);

/** As a new start does, away from Home. */
const begin = async (change: Partial<AppState> = {}): Promise<void> => {
  await page.evaluate(() => {
    location.hash = '#library';
  });
  await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
  await page.evaluate((more) => {
    const { make, double } = window;
    double.set({ ...make.newcomer(make.makeState()), ...more });
  }, change);
};
const goHome = () => page.getByRole('link', { name: 'Home' }).click();

it('a step that the host refuses to keep is sent again only to a host that is back', async () => {
  const { page: own } = await pages.open();
  const asked = () => own.evaluate(() => (window as unknown as { asked: number }).asked);
  await own.evaluate(() => {
    const { double, make } = window;
    const { call } = double;
    const counted = Object.assign(window, { asked: 0 });
    const refuse: typeof call = async (command, input) => {
      if (command !== 'settings.update') return call(command, input);
      counted.asked += 1;
      // Whoever asks without end would stop the page.
      if (counted.asked > 20) await new Promise(() => {});
      return { ok: false, error: { code: 'DISK_FULL', detail: 'The disk is full.' } };
    };
    Object.assign(double, { call: refuse });
    double.set(make.newcomer(make.makeState()));
  });
  await expect.poll(asked).toBe(1);
  await own.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  expect(await asked()).toBe(1);
  for (const link of ['down', 'up'] as const) await own.evaluate((next) => window.double.setLink(next), link);
  await expect.poll(asked).toBe(2);
  await own.context().close();
});

describe('the first steps', () => {
  beforeEach(async () => {
    await begin();
    await goHome();
    await steps().waitFor();
  });

  it('show steps that are already done, beside everything else', async () => {
    await steps().getByText('1 of 3 done').first().waitFor();
    await step('Connect').getByText('A server is running on this computer').waitFor();
    expect(await step('Connect').getByRole('button').count()).toBe(0);
    expect(await button('Choose files').isEnabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('offer to connect a server, once, while an item waits for it; when skipped, the header offers it', async () => {
    const isBannerShown = () => page.getByText('Not connected to a server').isVisible();
    const items = await page.evaluate(() => [window.make.makeItem('queued', 3, { name: 'waiting.png' })]);
    await begin({ connection: { state: 'none' }, queue: { items, live: {}, paused: false } });
    await goHome();
    await step('Connect').getByRole('button', { name: 'Connect', exact: true }).waitFor();
    await expect.poll(() => button('Connect').count()).toBe(1);
    expect(await isBannerShown()).toBe(false);
    await button('Skip: Connect').click();
    await expect.poll(isBannerShown).toBe(true);
    expect(await button('Connect').count()).toBe(1);
    expect(await step('Connect').getByRole('button').count()).toBe(0);
  });

  it('are completed by a detected press and by a link, and stay readable afterwards', async () => {
    await page.evaluate(() => {
      const { double, make } = window;
      const { hotkeys } = double.state();
      double.set({ hotkeys: { ...hotkeys, keys: hotkeys.keys.map((key) => ({ ...key, pressedAt: make.NOON })) } });
    });
    await step('Try the hotkey').getByText('It works.').waitFor();
    await page.evaluate(() => {
      const { double, make } = window;
      double.set({ queue: { items: [make.makeItem('linked', 1)], live: {}, paused: false } });
    });
    await steps().getByRole('heading', { name: 'That’s it!' }).waitFor();
    expect(await kept()).toEqual({ state: 'over', done: ['connect', 'hotkey', 'link'], skipped: [] });
    await page.getByRole('link', { name: 'Library' }).click();
    await goHome();
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
    expect(await steps().count()).toBe(0);
  });

  it('test the hotkey without taking a picture', async () => {
    await step('Try the hotkey').getByText('Ctrl + PrtSc captures the screen from any app.').waitFor();
    await button('Test it').click();
    await step('Try the hotkey').getByText('It works.').waitFor();
    await eventually(async () => expect((await kept()).done).toEqual(['connect', 'hotkey']));
    expect(await calls('capture.start')).toBe(0);
  });

  it('are skipped one by one, and are remembered as such', async () => {
    await button('Skip: Try the hotkey').click();
    await step('Try the hotkey').getByText('Skipped').last().waitFor();
    await eventually(async () => expect((await kept()).skipped).toEqual(['hotkey']));
    await button('Skip: Create your first link').click();
    await eventually(async () => expect((await kept()).state).toBe('over'));
  });

  it('go with one click, and come back from the palette', async () => {
    await button('Hide the steps').click();
    await steps().waitFor({ state: 'detached' });
    await page.getByText('No uploads in progress.').waitFor();
    expect((await kept()).state).toBe('over');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('first steps');
    await page.getByRole('option', { name: 'Show the first steps' }).click();
    await steps().waitFor();
  });

  it('name the keys that the desktop bound', async () => {
    await page.evaluate(() => {
      const { double } = window;
      const { hotkeys } = double.state();
      double.set({ hotkeys: { ...hotkeys, keys: hotkeys.keys.map((key) => ({ ...key, bound: 'Meta+Shift+S' })) } });
    });
    await step('Try the hotkey').getByText('Meta+Shift+S captures the screen from any app.').waitFor();
  });

  it('are two where hotkeys are unavailable, and what was done elsewhere stays done', async () => {
    const { capabilities, settings } = await page.evaluate(() => window.make.makeState());
    const firstSteps = { state: 'open' as const, done: ['hotkey' as const], skipped: [] };
    await begin({ capabilities, settings: { ...settings, firstSteps } });
    await goHome();
    await steps().getByRole('heading', { name: 'Two steps to your first link' }).waitFor();
    expect(await step('Try the hotkey').count()).toBe(0);
    await step('Create your first link').getByRole('button', { name: 'Choose a file' }).waitFor();
    await eventually(async () => expect(await kept()).toEqual({ ...firstSteps, done: ['connect', 'hotkey'] }));
  });

  it('are reached by the keyboard, each stop to be seen', async () => {
    const stops = await tabStops(page);
    expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
    const names = stops.map(({ name }) => name);
    for (const name of ['Test it', 'Skip: Try the hotkey', 'Capture a region', 'Hide the steps'])
      expect(names).toContain(name);
  });
});

describe('a window without any account', () => {
  beforeEach(async () => {
    await begin({ connection: { state: 'none' } });
    await goHome();
    await page.getByRole('heading', { name: 'Welcome to Linkshot' }).waitFor();
  });

  it('shows the connect form alone, repeats nothing, and fits', async () => {
    expect(await page.getByLabel('Server address').count()).toBe(1);
    expect(await page.getByText('Not connected to a server').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    for (const width of [480, 1024]) {
      await page.setViewportSize({ width, height: 720 });
      expect(await overflows(page)).toBe(false);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('is tried with the built-in server by one click', async () => {
    await button('Try without an account').click();
    await steps().getByText('A server is running on this computer').waitFor();
    expect(await calls('connection.tryOut')).toBe(1);
  });

  it('offers no server that its host does not have', async () => {
    await begin({
      connection: { state: 'none' },
      capabilities: { ...(await page.evaluate(() => window.make.makeState().capabilities)) },
    });
    await goHome();
    await button('Look around first').waitFor();
    expect(await button('Try without an account').count()).toBe(0);
  });

  it('lets the user look around first, and then shows what is missing', async () => {
    await button('Look around first').click();
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
    await page.getByText('Not connected to a server').first().waitFor();
    await step('Connect').getByText('Skipped').last().waitFor();
  });
});
