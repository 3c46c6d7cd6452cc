/** The account page in each browser. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inEachEngine } from '../support/browser/in-each-engine.ts';
import type { Tab } from '../support/browser/tab.ts';
import { publish } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { formBrowser, PASSWORD, userWithPassword } from '../support/server/signed-in.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

inEachEngine((engine) => {
  let owner: User;
  let tab: Tab;
  beforeAll(async () => {
    owner = await userWithPassword(server, { plan: 'pro' });
    // Its requests name whole ids.
    await publish(server, owner, { visibility: 'unlisted', title: 'A meadow' });
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

  it('finds an own item, and deletes it after a confirmation', async () => {
    await publish(server, owner, { visibility: 'unlisted', title: 'To be deleted' });
    await tab.open(`${server.url}/account/items`);
    await tab.textOf({ role: 'link', like: 'A meadow' });
    await tab.fill({ css: 'input[name=q]' }, 'deleted');
    await tab.click({ role: 'button', name: 'Search' });
    await expect.poll(() => tab.has({ role: 'link', like: 'A meadow' }), { timeout: 60_000 }).toBe(false);
    await tab.click({ role: 'link', like: 'To be deleted' });
    await tab.textOf({ css: 'h1', name: 'To be deleted' });
    await tab.click({ role: 'button', name: 'Delete' });
    await tab.textOf({ css: 'h1', name: 'Delete 1 item?' });
    await tab.click({ role: 'button', name: 'Delete' });
    await tab.textOf({ css: 'main', like: '1 item deleted.' });
  });

  it('changes the password, with which the next sign-in succeeds', async () => {
    const wanted = 'another horse battery';
    await tab.open(`${server.url}/account/security`);
    await tab.fill({ css: '#current-password' }, PASSWORD);
    await tab.fill({ css: '#wanted-password' }, wanted);
    await tab.fill({ css: '#repeated-password' }, wanted);
    await tab.click({ role: 'button', name: 'Change password' });
    await tab.textOf({ css: 'main', like: 'Password changed.' });
    const { status } = await formBrowser(server).signIn(owner.username, wanted);
    expect(status).toBe(303);
  });
});
