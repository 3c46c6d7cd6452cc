/** Extracts a renderer page's own texts, without those of the content that it shows. */
import type { Page } from 'playwright-core';

/**
 * Visible texts and those for screen readers, without names, paths and addresses from the double. Keys and code have no
 * language; earlier announcements keep theirs.
 */
export const ownWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const data = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value === 'string') {
        const names = value.split(/[/\\]/);
        // A folder that contains only one folder is shown together with it.
        const folders = names.map((_, at) => names.slice(0, at).join('/'));
        for (const part of [value, ...names, ...folders]) data.add(part.trim());
      }
      if (typeof value === 'object' && value !== null) {
        Object.keys(value).forEach(collect);
        Object.values(value).forEach(collect);
      }
    };
    const { double } = window;
    for (const known of [double.state(), double.answers, double.calls, double.offers.map(({ file }) => file.name)])
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
