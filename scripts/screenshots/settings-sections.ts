/**
 * Renders the sections of the settings separately, since together they are far higher than a window; for review only.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CAPTURE_SCENES } from '../../test/support/window/capture-scenes.ts';
import { speak } from '../../test/support/window/speak.ts';

/** High enough for all sections without scrolling. */
const HEIGHT = 12_000;

/** Adds what the scenes omit: presets, another account, and a connection that waits for its approval. */
const fill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { make, double } = window;
    const { state, server, ...account } = make.connected({ name: 'Work' }) as never as Record<string, unknown>;
    const other = { state, server, ...account } as never;
    await double.call('preset.save', { name: 'For a client', link: { visibility: 'unlisted', ttl: '7d' } } as never);
    double.set({
      accounts: [{ id: make.CONNECTION, isActive: false, connection: other, readAt: make.NOON }],
      authorization: {
        ...{ state: 'waiting', server: make.SERVER, userCode: 'WDJB-MJHT', browser: 'opened' },
        ...{ address: `${make.SERVER}/connect/device`, expiresAt: Date.now() + 900_000 },
      },
    });
  });

/** `page` may show any screen; the pictures are `settings-SECTION-WIDTH-THEME-LANGUAGE.png`. */
export const drawSettingsSections = async (page: Page, folder: string, widths: readonly number[]): Promise<void> => {
  const before = page.viewportSize();
  await CAPTURE_SCENES['captureSettings']?.(page);
  await fill(page);
  for (const width of widths)
    for (const language of ['en', 'ru'] as const) {
      await page.setViewportSize({ width, height: HEIGHT });
      await speak(page, language);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const sections = page.locator('main [tabindex="-1"]:has(> section)');
        for (const [index, section] of (await sections.all()).entries()) {
          const { x = 0, y = 0, width: wide = 0 } = (await section.boundingBox()) ?? {};
          // The last section is as high as the window.
          const last = await section.locator('> *').last().boundingBox();
          const height = (last?.y ?? y) + (last?.height ?? 0) - y;
          const clip = { x: Math.max(0, x - 16), y: Math.max(0, y - 16), width: wide + 32, height: height + 32 };
          const name = `settings-${String(index + 1).padStart(2, '0')}-${width}-${colorScheme}-${language}.png`;
          writeFileSync(join(folder, name), await page.screenshot({ clip }));
        }
      }
    }
  await speak(page, 'en');
  if (before) await page.setViewportSize(before);
};
