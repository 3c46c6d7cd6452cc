/** The window of the browser host in each browser: what is in reach, and where it appears. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppInEngine, openApp } from '../../support/browser/app-in-engine.ts';
import { FROZEN_SCREEN, focusIn } from '../../support/browser/focus.ts';
import { type EngineSuite, itOnLinux } from '../../support/browser/in-each-engine.ts';
import { dropOnScreen } from '../../support/browser/x-drop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('browser-window');
const SOON = { interval: 100, timeout: 60_000 };
const LONG_NAME = 'Pasted image 2026-11-22 11.45.31.png';

export const windowSuite: EngineSuite = (engine, browser) => {
  let app: AppInEngine;
  beforeAll(async () => {
    app = await openApp(engine());
    const path = join(root, LONG_NAME);
    await writeFile(
      path,
      await sharp({ create: { width: 64, height: 40, channels: 3, background: '#4057d6' } })
        .png()
        .toBuffer(),
    );
    await engine().drop(app.tab, path);
    await app.tab.valueOf({ role: 'textbox', name: `Link to ${LONG_NAME}` });
  });
  afterAll(() => app?.close());
  const go = (name: string) => app.tab.click({ css: 'nav a, nav button', name });
  const show = (hash: string) =>
    app.tab.evaluate((wanted) => {
      location.hash = wanted;
    }, hash);

  const focused = () => focusIn(app.tab);

  it('has an icon that its content security policy allows', async () => {
    const icons = await app.tab.evaluate(async () => {
      const violated: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ blockedURI }) => violated.push(blockedURI));
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel~=icon]')];
      const shown = links.map(async ({ href }) => {
        const icon = new Image();
        icon.src = href;
        return icon.decode().then(
          () => 'shown',
          () => `not shown: ${href}`,
        );
      });
      return { shown: await Promise.all(shown), violated };
    }, null);
    expect(icons.shown.length).toBeGreaterThan(0);
    expect({ ...icons, shown: [...new Set(icons.shown)] }).toEqual({ shown: ['shown'], violated: [] });
  });

  it('asks for a thumbnail once, when it exists', async () => {
    const { tab } = app;
    const pictures = () =>
      tab.evaluate(
        () => [...document.querySelectorAll('img')].filter(({ naturalWidth, src }) => naturalWidth > 0 && src).length,
        null,
      );
    await expect.poll(pictures, SOON).toBeGreaterThan(0);
    const asked = await tab.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.includes('/thumbnails/')),
      null,
    );
    expect(asked).toHaveLength(1);
  });

  it('keeps every button of a card in the library inside of it', async () => {
    const { tab } = app;
    await go('Library');
    await tab.click({ css: 'label, button', name: 'Grid view' });
    await tab.textOf({ role: 'button', like: 'Delete' });
    const [deleting, outside] = await tab.evaluate(() => {
      const buttons = [...document.querySelectorAll('[class*=card] button')];
      const past = buttons.filter((button) => {
        const card = button.closest('[class*=card]')?.getBoundingClientRect();
        const box = button.getBoundingClientRect();
        return card !== undefined && (box.right > card.right + 0.5 || box.left < card.left - 0.5);
      });
      const named = buttons.filter(({ ariaLabel, textContent }) => `${ariaLabel} ${textContent}`.includes('Delete'));
      return [named.length, past.length] as const;
    }, null);
    expect(deleting).toBeGreaterThan(0);
    expect(outside).toBe(0);
    await tab.click({ css: 'label, button', name: 'List view' });
  });

  it('cuts no fact of a row in a narrow window', async () => {
    const { tab } = app;
    await tab.resize({ width: 390, height: 800 });
    await show('#library');
    await tab.textOf({ css: 'p', like: 'Unlisted' });
    const cut = await tab.evaluate(
      () =>
        [...document.querySelectorAll('[class*=facts] [class*=fact]')]
          .filter((fact) => {
            const line = fact.closest('p')?.getBoundingClientRect();
            const box = fact.getBoundingClientRect();
            return line !== undefined && box.top < line.bottom - 1 && box.right > line.right + 0.5;
          })
          .map((fact) => fact.textContent),
      null,
    );
    expect(cut).toEqual([]);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth, null)).toBeLessThanOrEqual(391);
    await tab.resize({ width: 1280, height: 800 });
  });

  it('names a shortcut that a page can have', async () => {
    const { tab } = app;
    await go('Home');
    await tab.press('Control+k');
    await tab.fill({ css: '[role=combobox], input[type=search], dialog input, [role=dialog] input' }, 'new note');
    expect(await tab.textOf({ role: 'option', like: 'New note' })).toMatch(/Alt\s*\+?\s*N$/);
    await tab.press('Escape');
    await expect.poll(() => tab.has({ role: 'option', like: 'New note' }), SOON).toBe(false);
    await tab.press('Alt+n');
    await expect.poll(() => tab.evaluate(() => location.hash, null), SOON).toMatch(/^#note/);
  });

  it('says nothing of the length of an empty note', async () => {
    const { tab } = app;
    await show('#note');
    await tab.textOf({ css: '.cm-content' });
    expect(await tab.has({ css: 'footer', like: '0 characters' })).toBe(false);
  });

  it('continues a list of a note at Enter, and ends it at an empty item', async () => {
    const { tab } = app;
    await show('#note');
    await tab.click({ css: '.cm-content' });
    const lines = () =>
      tab.evaluate(() => {
        const editor = [...document.querySelectorAll('[data-typing]')].find(({ shadowRoot }) => shadowRoot !== null);
        return [...(editor?.shadowRoot?.querySelectorAll('.cm-line') ?? [])].map(({ textContent }) => textContent);
      }, null);
    const isInText = () =>
      tab.evaluate(
        () => document.activeElement?.shadowRoot?.activeElement?.classList.contains('cm-content') === true,
        null,
      );
    await expect.poll(isInText, SOON).toBe(true);
    // A busy machine shows the effect of a key late, and the next key depends on it.
    const typed: readonly (readonly [key: string, lines: readonly string[]])[] = [
      ['-', ['-']],
      ['Space', ['- ']],
      ['a', ['- a']],
      ['Enter', ['- a', '- ']],
      ['b', ['- a', '- b']],
      ['Enter', ['- a', '- b', '- ']],
      ['Enter', ['- a', '- b', '']],
      ['c', ['- a', '- b', 'c']],
    ];
    for (const [key, shown] of typed) {
      await tab.press(key);
      await expect.poll(lines, SOON).toEqual(shown);
    }
  });

  if (browser === 'webkit')
    itOnLinux('says that the browser withholds a dropped file', async () => {
      const { tab } = app;
      const { screen } = engine();
      if (screen === null) throw new Error('There is no X screen.');
      await show('');
      await tab.textOf({ role: 'button', name: 'Choose files' });
      const middle = await tab.evaluate(() => ({ x: screenX + outerWidth / 2, y: screenY + outerHeight / 2 }), null);
      await dropOnScreen(screen, middle, [join(root, LONG_NAME)]);
      await tab.textOf({ css: '[data-message]', like: 'Your browser didn’t provide the file' });
    });

  // Hotkeys of the browser host need X.
  itOnLinux('comes to the front with the frozen screen when its hotkey is pressed in another program', async () => {
    const { tab } = app;
    const { screen } = engine();
    if (screen === null) throw new Error('There is no X screen.');
    await show('');
    await tab.textOf({ role: 'button', name: 'Choose files' });
    const other = spawn('xmessage', ['-center', 'Another program'], {
      env: screen.environment as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    const ended = once(other, 'exit');
    const activeTitle = () => screen.run('xdotool', 'getactivewindow', 'getwindowname').then(String, () => '');
    try {
      await expect.poll(activeTitle, SOON).toContain('xmessage');
      await screen.run('xdotool', 'key', 'ctrl+shift+l');
      await expect.poll(activeTitle, SOON).toContain('Choose what to capture');
      await expect.poll(focused, SOON).toBe(FROZEN_SCREEN);
      await screen.run('xdotool', 'key', 'Escape');
      await expect.poll(() => tab.has({ css: '[data-painted]' }), SOON).toBe(false);
      await expect.poll(() => tab.has({ css: 'nav a, nav button', name: 'Library' }), SOON).toBe(true);
      expect(app.opened).toEqual([]);
    } finally {
      other.kill();
      await ended;
    }
  });

  itOnLinux('hears keys on a frozen display that was shown before', async () => {
    const { tab } = app;
    const { screen } = engine();
    if (screen === null) throw new Error('There is no X screen.');
    await screen.splitAt(600);
    try {
      await show('');
      await tab.click({ role: 'button', like: 'Region' });
      await expect.poll(focused, SOON).toBe(FROZEN_SCREEN);
      const displays = () =>
        tab.evaluate(
          () =>
            [...document.querySelectorAll<HTMLElement>('[data-painted] button[aria-pressed]')]
              .filter(({ innerText }) => /^\d/.test(innerText))
              .map(({ ariaPressed }) => ariaPressed),
          null,
        );
      await expect.poll(displays, SOON).toHaveLength(2);
      const [first, second] = (await displays())[0] === 'true' ? ['1', '2'] : ['2', '1'];
      for (const key of [second, first, second] as const) {
        await tab.press(key);
        await expect.poll(async () => (await displays())[Number(key) - 1], SOON).toBe('true');
        await expect.poll(focused, SOON).toBe(FROZEN_SCREEN);
      }
      await tab.press('Escape');
      await expect.poll(() => tab.has({ css: '[data-painted]' }), SOON).toBe(false);
    } finally {
      await screen.join();
    }
  });
};
