/** The words of a page of the renderer: which of them are its own, and not those of the things that it shows. */
import type { Page } from 'playwright-core';

/**
 * What a person reads and what screen readers say, without what came from the double: names, paths, addresses. Keys and code
 * have no language; what was announced stays as it was said.
 */
export const ownWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const data = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value === 'string') {
        const names = value.split(/[/\\]/);
        // A folder with nothing but one folder is shown together with it.
        const folders = names.map((_, at) => names.slice(0, at).join('/'));
        for (const part of [value, ...names, ...folders]) data.add(part.trim());
      }
      if (typeof value === 'object' && value !== null) {
        Object.keys(value).forEach(collect);
        Object.values(value).forEach(collect);
      }
    };
    const { double } = window;
    for (const known of [double.state(), double.told, double.calls, double.offers.map(({ file }) => file.name)])
      collect(known);

    const exempt = 'kbd, code, script, [aria-live]';
    const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'alt', 'title', 'placeholder'];
    const texts: (string | null)[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode;
      if (parentElement && !parentElement.closest(exempt)) texts.push(walker.currentNode.textContent);
    }
    for (const element of document.body.querySelectorAll('*'))
      for (const name of spoken) texts.push(element.getAttribute(name));
    return [...new Set(texts.map((text) => text?.trim() ?? ''))]
      .filter((text) => /\p{L}{2}/u.test(text))
      .filter((text) => !data.has(text) && !data.has(text.replace(/^@/, '')));
  });
