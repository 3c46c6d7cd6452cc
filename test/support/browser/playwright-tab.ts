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
  /** An element that is replaced between its discovery and the action is looked for again. */
  const act = async <T>(target: Target, action: (element: ElementHandle) => Promise<T>): Promise<T> => {
    for (;;) {
      const element = await find(target);
      try {
        return await action(element);
      } catch (error) {
        if (!/not attached to the DOM/.test(String(error))) throw error;
      }
    }
  };
  return {
    open: async (address) => void (await page.goto(address)),
    evaluate: (run, given) => page.evaluate(callOf(run, given)),
    has: (target) => page.evaluate(`${elementOf(target)} !== null`),
    textOf: async (target) => ((await act(target, (element) => element.textContent())) ?? '').trim(),
    valueOf: (target) => act(target, (element) => element.inputValue()),
    click: (target) => act(target, (element) => element.click()),
    hover: (target) => act(target, (element) => element.hover()),
    async fill(target, text) {
      await act(target, (element) => element.click());
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
