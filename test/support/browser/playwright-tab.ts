/** Pages of Chromium, driven by Playwright. */
import type { BrowserContext, ElementHandle } from 'playwright-core';
import { callOf, elementOf, type Tab, type Target } from './tab.ts';
import { untilFound } from './until-found.ts';

export const openPlaywrightTab = async (context: BrowserContext): Promise<Tab> => {
  const page = await context.newPage();
  const find = (target: Target): Promise<ElementHandle> =>
    untilFound(target, async () => {
      const handle = await page.evaluateHandle(elementOf(target));
      return handle.asElement() as ElementHandle | null;
    });
  return {
    open: async (address) => void (await page.goto(address)),
    evaluate: (run, given) => page.evaluate(callOf(run, given)),
    has: (target) => page.evaluate(`${elementOf(target)} !== null`),
    textOf: async (target) => ((await (await find(target)).textContent()) ?? '').trim(),
    valueOf: async (target) => (await find(target)).inputValue(),
    click: async (target) => (await find(target)).click(),
    hover: async (target) => (await find(target)).hover(),
    async fill(target, text) {
      await (await find(target)).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    press: (keys) => page.keyboard.press(keys),
    chooseFiles: (css, paths) =>
      page
        .locator(css)
        .first()
        .setInputFiles([...paths]),
    resize: (size) => page.setViewportSize(size),
    screenshot: () => page.screenshot(),
    print: () => page.pdf({ format: 'A4' }),
    close: () => page.close(),
  };
};
