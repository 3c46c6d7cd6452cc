/** The clicks of these tests: they hit what they are meant for, also where the page moves it meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inEachEngine } from '../support/browser/in-each-engine.ts';
import type { Tab } from '../support/browser/tab.ts';

const PAGE = `data:text/html,${encodeURIComponent(`<!doctype html><title>Two buttons</title>
<style>button { display: block; width: 200px; height: 40px }</style>
<div id="above"></div><button>Wanted</button><button>Other</button>`)}`;

inEachEngine((engine) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await engine().open();
  });
  afterAll(() => tab?.close());

  /** Shows the buttons, which move in this way. */
  const open = async (way: 'for a while' | 'at the pointer'): Promise<void> => {
    await tab.open(PAGE);
    await tab.evaluate((moves) => {
      const [wanted, other] = document.querySelectorAll('button');
      const above = document.querySelector<HTMLElement>('#above');
      const hits: string[] = [];
      Object.assign(window, { hits });
      for (const type of ['mousedown', 'click'])
        document.addEventListener(type, ({ target }) => hits.push(`${type} on ${(target as Element).textContent}`));
      if (moves === 'at the pointer')
        window.addEventListener('mousemove', () => wanted && other?.after(wanted), { once: true });
      let height = 0;
      const moving = setInterval(() => {
        if (moves === 'at the pointer' || !above || height > 140) return clearInterval(moving);
        height += 7;
        above.style.height = `${height}px`;
      }, 10);
    }, way);
  };

  it.each(['for a while', 'at the pointer'] as const)('hit an element that moves %s, and no other', async (way) => {
    await open(way);
    await tab.click({ role: 'button', name: 'Wanted' });
    const hits = await tab.evaluate(() => (window as unknown as { hits: readonly string[] }).hits, null);
    expect(hits).toEqual(['mousedown on Wanted', 'click on Wanted']);
  });
});
