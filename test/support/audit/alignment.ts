/** Finds elements side by side that are visibly misaligned. */
import type { Page } from 'playwright-core';

/**
 * Rows of the same component whose icons are not on one line, and elements that should be vertically centred and are
 * not. Each as `".class" 3.5`: the offset in pixels.
 */
export const unaligned = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Pixels of tolerance for rounding and hairlines of letters. */
    const slack = 1.6;
    const found = new Set<string>();
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      getComputedStyle(element).clipPath === 'none' &&
      element.getBoundingClientRect().height > 2;
    const middle = (element: Element): number => {
      const { top, height } = element.getBoundingClientRect();
      return top + height / 2;
    };
    const report = (what: string, element: Element, values: readonly number[]): void => {
      const off = Math.max(...values) - Math.min(...values);
      const words = (element.textContent ?? '').trim().slice(0, 40);
      if (off > slack) found.add(`${what} ${element.className || element.tagName} "${words}" ${off.toFixed(1)}`);
    };

    for (const parent of document.body.querySelectorAll('*')) {
      const children = [...parent.children].filter(isSeen);
      if (children.length < 2) continue;
      // The same component several times, side by side.
      const rows = Map.groupBy(children, (child) => {
        const { top, height } = child.getBoundingClientRect();
        return `${child.tagName} ${Math.round(top)} ${Math.round(height)}`;
      });
      for (const row of rows.values()) {
        const signs = row.map((one) => one.querySelector(':scope > svg')).filter((sign) => sign !== null);
        if (row.length > 1 && signs.length === row.length) report('signs of', parent, signs.map(middle));
      }
      const { display, alignItems, flexDirection } = getComputedStyle(parent);
      if (display !== 'flex' || alignItems !== 'center' || !flexDirection.startsWith('row')) continue;
      const inFlow = children.filter((child) => {
        const { position, alignSelf } = getComputedStyle(child);
        return position !== 'absolute' && position !== 'fixed' && /auto|normal|center/.test(alignSelf);
      });
      // Elements on another line have another centre.
      const [first] = inFlow;
      if (!first) continue;
      const { top, bottom } = first.getBoundingClientRect();
      const beside = inFlow.filter((child) => {
        const box = child.getBoundingClientRect();
        return box.top < bottom && box.bottom > top;
      });
      report('row of', parent, beside.map(middle));
    }
    return [...found];
  });
