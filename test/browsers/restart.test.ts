/** The window in each browser after its host was started again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppInEngine, openApp } from '../support/browser/app-in-engine.ts';
import { inEachEngine } from '../support/browser/in-each-engine.ts';

inEachEngine((engine) => {
  let app: AppInEngine;
  beforeAll(async () => {
    app = await openApp(engine());
  });
  afterAll(() => app?.close());

  it('has the address of the last start, of which a tab that was left open tells', async () => {
    const { tab } = app;
    const { origin } = new URL(app.host.address);
    await app.restart();
    expect(new URL(app.host.address).origin).toBe(origin);
    await tab.textOf({ css: '[role=alert]', like: 'This page is from a previous session' });
    // As in another tab: with nothing but another key the page would be the same.
    await tab.open('about:blank');
    await tab.open(app.host.address);
    await tab.textOf({ role: 'button', name: 'Choose files' });
    expect(await tab.has({ like: 'This page is from a previous session' })).toBe(false);
  });
});
