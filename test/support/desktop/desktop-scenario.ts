/**
 * The user's path from the hotkey to the link in the desktop app, as Playwright tests: on the double of Electron and on
 * Electron itself. Everything but the stage is real: server, engine, overlay, toast, tray.
 */
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { connectToInstance } from '../../../src/ipc/host/instance-socket.ts';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import type { CommandInput, CommandName, CommandOutput, ExactInput } from '../../../src/ipc/protocol/command-table.ts';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { startServer } from '../server/server.ts';
import { withLongPatience } from '../window/long-patience.ts';
import type { DesktopApp } from './desktop-app.ts';

const HOTKEY = 'CommandOrControl+Shift+1';
/** Generous, for a loaded machine. */
const PATIENCE_MS = 120_000;
/** Longer than the app's key repeat filter. */
const GUARD_MS = 1_000;

export interface StageDisplay {
  readonly number: number;
  /** Physical pixels per pixel of the page. */
  readonly scale: number;
  /** The area to capture, in physical pixels of the display. */
  readonly area: Area;
  /** Those pixels, RGB; null if they cannot be read otherwise. */
  readonly pixels: (() => Promise<Buffer>) | null;
}

export interface Stage {
  readonly desktop: DesktopApp;
  readonly displays: readonly StageDisplay[];
  /** Presses a global hotkey at the system level. */
  press(accelerator: string): Promise<void>;
  close(): Promise<void>;
}

const ask = async <K extends CommandName, I extends CommandInput<K>>(
  profile: string,
  command: K,
  input: ExactInput<K, I>,
): Promise<CommandOutput<K>> => {
  const instance = await connectToInstance(profile);
  if (!instance) throw new Error('The app does not run.');
  const answer = await instance.call<K, I>(command, input);
  instance.close();
  if (!answer.ok) throw new Error(answer.error.detail);
  return answer.value;
};

/** Drags the area with the mouse, from the centre of its first pixel to the centre of its last. */
const draw = async (page: Page, { scale, area }: StageDisplay): Promise<void> => {
  const at = (pixel: number): number => (pixel + 0.5) / scale;
  await page.mouse.move(at(area.x), at(area.y));
  await page.mouse.down();
  await page.mouse.move(at(area.x + area.width / 2), at(area.y + area.height / 2));
  await page.mouse.move(at(area.x + area.width - 1), at(area.y + area.height - 1));
  await page.mouse.up();
  await expect(page.locator('[data-part=size]')).toHaveText(`${area.width} × ${area.height}`);
};

const mediaOf = (link: string): Promise<Response> => {
  const { origin, pathname } = new URL(link);
  return fetch(`${origin}/api/media/${pathname.split('/').at(-1)}`);
};
/** Null also while it does not answer. */
const typeOf = async (link: string): Promise<string | null> =>
  (await mediaOf(link).catch(() => null))?.headers.get('content-type') ?? null;

/** A published picture as RGB. */
const pictureOf = async (link: string) => {
  const reply = await mediaOf(link);
  if (!reply.ok) throw new Error(`The service answers ${reply.status} for ${link}`);
  const { data, info } = await sharp(await reply.arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { size: `${info.width}x${info.height}`, pixels: data };
};

/** Declares the tests. `recording`: whether this screen can be recorded. */
export const captureScenario = (
  title: string,
  { open, recording }: { readonly open: () => Promise<Stage>; readonly recording: 'yes' | 'no' },
): void => {
  test.describe(title, () => {
    let stage: Stage;
    /** The hotkey in the form that was registered with the system. */
    let hotkey = '';
    let stopServer: () => Promise<void>;

    const key = async () =>
      (await ask(stage.desktop.profile, 'app.state', {})).hotkeys.keys.find(({ action }) => action === 'region');
    const overlays = (): string[] => stage.displays.map(({ number }) => `overlay.html#${number}`);
    const pagesOf = (): Promise<Page[]> => stage.desktop.pages('overlay', stage.displays.length);
    const expectOverlays = (shown: readonly string[]): Promise<void> =>
      expect
        .poll(async () => (await stage.desktop.shown()).filter((name) => name.startsWith('overlay')), {
          timeout: PATIENCE_MS,
        })
        .toEqual(shown);
    const freeze = async (): Promise<Page[]> => {
      // A press right after another one counts as a repeat.
      await expect.poll(async () => Date.now() - ((await key())?.pressedAt ?? 0)).toBeGreaterThan(GUARD_MS);
      await stage.press(hotkey);
      await expectOverlays(overlays());
      const pages = await pagesOf();
      for (const page of pages) await page.locator('[data-painted]').waitFor();
      return pages;
    };
    /** Ids and names of the captures in the queue. */
    const captured = async (): Promise<Map<string, string>> => {
      const { items } = (await ask(stage.desktop.profile, 'app.state', {})).queue;
      return new Map(items.map(({ id, name }) => [id, name]));
    };
    const nameOfNew = async (known: ReadonlyMap<string, string>): Promise<string> => {
      await expect.poll(async () => (await captured()).size, { timeout: PATIENCE_MS }).toBe(known.size + 1);
      return [...(await captured())].find(([id]) => !known.has(id))?.[1] ?? '';
    };
    const newLink = async (before: string): Promise<string> => {
      await expect.poll(() => stage.desktop.clipboard(), { timeout: PATIENCE_MS }).not.toBe(before);
      return stage.desktop.clipboard();
    };

    test.beforeAll(async () => {
      const server = await startServer();
      stopServer = server.stop;
      stage = await open();
      const { profile } = stage.desktop;
      await expect
        .poll(
          async () => {
            const instance = await connectToInstance(profile);
            instance?.close();
            return instance !== null;
          },
          { timeout: PATIENCE_MS },
        )
        .toBe(true);
      await ask(profile, 'connection.embed', { server: server.url, key: (await server.user({ plan: 'pro' })).apiKey });
      await ask(profile, 'settings.update', { hotkeys: { ...DEFAULT_SETTINGS.hotkeys, region: HOTKEY } });
      await expect.poll(async () => (await key())?.state).toBe('asked');
      hotkey = (await key())?.accelerator ?? HOTKEY;
      await pagesOf();
    });
    test.afterAll(async () => {
      await stage?.close();
      await stopServer?.();
    });

    test('the hotkey freezes every screen, and Escape cancels without a trace', async () => {
      const before = await stage.desktop.clipboard();
      const [page] = await freeze();
      await page?.keyboard.press('Escape');
      await expectOverlays([]);
      const { capture, queue } = await ask(stage.desktop.profile, 'app.state', {});
      expect([capture, queue.items, await stage.desktop.clipboard()]).toEqual([null, [], before]);
    });

    test('hotkey, region, link: the very pixels are published, the toast tells, the tray copies', async () => {
      for (const [index, display] of stage.displays.entries()) {
        const before = await stage.desktop.clipboard();
        const known = await captured();
        const page = (await freeze())[index] as Page;
        expect(await page.evaluate(() => devicePixelRatio)).toBe(display.scale);
        await draw(page, display);
        const toast = await stage.desktop.page('toast');
        // Its card would leave by itself after some seconds.
        const link = await withLongPatience(toast, async () => {
          await page.keyboard.press('Enter');
          const card = toast.getByRole('listitem').filter({ hasText: await nameOfNew(known) });
          await card.hover();
          await expectOverlays([]);
          const newest = await newLink(before);
          expect(newest).toMatch(/\/s\/\w+$/);
          await expect(card.getByRole('button', { name: /^Copy/ })).toBeVisible();
          await expect.poll(() => stage.desktop.shown()).toContain('toast.html');
          return newest;
        });
        await toast.mouse.move(0, 0);

        const { size, pixels } = await pictureOf(link);
        expect(size).toBe(`${display.area.width}x${display.area.height}`);
        if (display.pixels) expect(pixels.equals(await display.pixels())).toBe(true);

        await stage.desktop.electron.evaluate(({ clipboard }) => clipboard.writeText('something else'));
        const [item] = (await ask(stage.desktop.profile, 'library.search', { text: '' })).items;
        const recent = `Recent links > ${item?.name}`;
        await expect.poll(() => stage.desktop.tray()).toContain(recent);
        // Where trays only open menus, each link has a submenu.
        const copy = (await stage.desktop.tray()).find((label) => label === `${recent} > Copy link`);
        await stage.desktop.clickTray(copy ?? recent);
        expect(await newLink('something else')).toBe(link);
      }
    });

    test('a capture can be started in the tray, and cancelled there', async () => {
      await stage.desktop.clickTray('Capture a region');
      await expectOverlays(overlays());
      await expect.poll(() => stage.desktop.tray()).toContain('Cancel the capture');
      await stage.desktop.clickTray('Cancel the capture');
      await expectOverlays([]);
    });

    if (recording === 'no') return;
    test('a region is recorded from the tray, held in the bar, and published when it is stopped', async () => {
      const { desktop, displays } = stage;
      const change = { recordingCountdownSeconds: 0, reviewRecordings: false };
      await ask(desktop.profile, 'settings.update', change);
      const before = await desktop.clipboard();
      await desktop.clickTray('Record a region');
      await expectOverlays(overlays());
      const [page] = await pagesOf();
      const [display] = displays;
      if (!page || !display) throw new Error('There is no display.');
      await page.locator('[data-painted]').waitFor();
      await draw(page, display);
      await page.keyboard.press('Enter');
      await expectOverlays([]);

      const state = async () => (await ask(desktop.profile, 'app.state', {})).recording;
      await expect
        .poll(
          async () => {
            const now = await state();
            return now?.state === 'recording' && Date.now() - now.since > 1_000;
          },
          { timeout: PATIENCE_MS },
        )
        .toBe(true);
      await expect.poll(() => desktop.shown()).toContain('recorder.html');
      await expect.poll(() => desktop.tray()).toContain('Stop recording');
      await desktop.clickTray('Stop recording');
      const link = await newLink(before);
      // The service makes a poster first.
      await expect.poll(() => typeOf(link), { timeout: PATIENCE_MS }).toBe('video/mp4');
      await expect.poll(state).toBeNull();
      await expect.poll(() => desktop.shown()).not.toContain('recorder.html');
    });
  });
};
