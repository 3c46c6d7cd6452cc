/** Accessibility of toasts and recorder bar in host windows; quality/scenes.test.ts covers them in the page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, lowContrast, nameless, overflows } from '../../support/audit/page-audit.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

/** Which scenes a page of its own shows, and how wide the host makes it. */
const OWN_PAGES = [
  {
    which: 'toast',
    width: 360,
    scenes: ['captures', 'text being read', 'text read', 'codes of a picture', 'codes again closed'],
  },
  {
    which: 'recorder',
    width: 420,
    scenes: ['recording', 'discarding', 'countdown', 'scrolling', 'scrolling by hand', 'scrolled to the end'],
  },
] as const;

/** Of each shadow, how far beyond the lower and the right edge of the window it would fall. */
const shadowsBeyond = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const edges = main.getBoundingClientRect();
    return [main, ...main.querySelectorAll('*')].flatMap((part) => {
      // Commas of colours do not part one shadow from the next; its lengths are right, down, blur and spread.
      const shadows = getComputedStyle(part).boxShadow.split(/,(?![^(]*\))/);
      return shadows.flatMap((shadow) => {
        const lengths = (shadow.match(/-?[\d.]+px/g) ?? []).map((length) => Number.parseFloat(length));
        const [right, down, blur, spread] = lengths;
        if (right === undefined || down === undefined || blur === undefined || spread === undefined) return [];
        const box = part.getBoundingClientRect();
        return [box.bottom + down + blur + spread - edges.bottom, box.right + right + blur + spread - edges.right];
      });
    });
  });

it.each(OWN_PAGES)(
  'a shadow ends within the window of the host, not at its edge: $which',
  async ({ which, width, scenes }) => {
    const { page } = await pages.open({ reducedMotion: 'reduce', viewport: { width, height: 900 } }, which);
    await CAPTURE_SCENES[scenes[0]]?.(page);
    const beyond = await shadowsBeyond(page);
    expect(beyond).not.toEqual([]);
    expect(Math.max(...beyond)).toBeLessThanOrEqual(0);
    await page.context().close();
  },
);

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it.each(OWN_PAGES)('no rule of accessibility is broken, and nothing is cut off: $which', async (own) => {
    const { which, width, scenes } = own;
    const viewport = { width, height: 900 };
    const { page, problems } = await pages.open({ colorScheme, reducedMotion: 'reduce', viewport }, which);
    for (const language of ['en', 'ru'] as const) {
      await speak(page, language);
      for (const name of scenes) {
        await CAPTURE_SCENES[name]?.(page);
        const found = {
          broken: await axeViolations(page),
          faint: await lowContrast(page),
          nameless: await nameless(page),
        };
        expect({ name, language, ...found }).toEqual({ name, language, broken: [], faint: [], nameless: [] });
        expect({ name, language, overflows: await overflows(page) }).toEqual({ name, language, overflows: false });
      }
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
