/** The account page in each browser. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inEachEngine } from '../support/browser/in-each-engine.ts';
import type { Tab } from '../support/browser/tab.ts';
import { publish } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { PASSWORD, userWithPassword } from '../support/server/signed-in.ts';

let server: RunningServer;
let owner: User;
beforeAll(async () => {
  server = await startServer();
  owner = await userWithPassword(server, { plan: 'pro' });
  // Its requests name whole ids.
  await publish(server, owner, { visibility: 'unlisted' });
});
afterAll(() => server.stop());

inEachEngine((engine) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await engine().open();
    await tab.open(`${server.url}/sign-in`);
    await tab.fill({ css: 'input[name=username]' }, owner.username);
    await tab.fill({ css: 'input[type=password]' }, PASSWORD);
    await tab.press('Enter');
    await tab.textOf({ css: 'h2', name: 'Profile' });
  });
  afterAll(() => tab?.close());

  it.each([1280, 640])('shows status and key of each request without scrolling (%i px)', async (width) => {
    await tab.open(`${server.url}/account/security`);
    await tab.resize({ width, height: 800 });
    const hidden = await tab.evaluate(() => {
      const scroll = document.querySelector('.scroll') as HTMLElement;
      const cells = document.querySelectorAll('#requests td:last-child').length;
      return { beyond: scroll.scrollWidth - scroll.clientWidth, hasRows: cells > 0 };
    }, null);
    expect(hidden).toEqual({ beyond: 0, hasRows: true });
  });

  it('shows the capture shortcut as it is printed on keyboards', async () => {
    await tab.open(`${server.url}/account`);
    expect(await tab.valueOf({ css: '#captureHotkey' })).toBe('Ctrl+Shift+L');
  });
});
