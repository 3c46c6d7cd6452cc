/** Writing and editing notes in real Chromium: no text is lost or overwritten without confirmation. */

import { join } from 'node:path';
import type { JSHandle, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CommandName } from '../../src/ipc/protocol/command-table.ts';
import { dropFiles } from '../e2e/drag.ts';
import { axeViolations, lowContrast, nameless, overflows } from '../support/audit/page-audit.ts';
import { untilListening } from '../support/browser/until-listening.ts';
import { writeTree } from '../support/folder/git-repository.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withLongPatience } from '../support/window/long-patience.ts';
import { drop } from '../support/window/page-gestures.ts';
import { type RendererPages, startRendererPages } from '../support/window/renderer-page.ts';
import { speak } from '../support/window/speak.ts';
import { callsOf } from '../support/window/window-for-each-test.ts';
import { SCENES } from '../support/window/window-scenes.ts';

let pages: RendererPages;
let page: Page;
let problems: string[];

beforeAll(async () => {
  pages = await startRendererPages();
  ({ page, problems } = await pages.open({ reducedMotion: 'reduce' }));
});
afterAll(() => pages.close());
beforeEach(async () => {
  await page.evaluate(() => {
    location.hash = '#home';
    window.double.calls.length = 0;
  });
  await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.evaluate(() => window.double.call('note.dropUnpublished', {}));
});

const inputs = (command: CommandName) => callsOf(page, command);
const last = (command: CommandName) => expect.poll(async () => (await inputs(command)).at(-1));
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const text = () => page.getByRole('textbox', { name: 'Text', exact: true });
const preview = () => page.getByRole('region', { name: 'Preview' });
/** Selects everything and replaces it by pasting this. */
const write = async (words: string): Promise<void> => {
  await text().click();
  await page.keyboard.press('Control+a');
  await text().evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const how = { bubbles: true, cancelable: true, composed: true };
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, ...how }));
  }, words);
};
const openNew = async (): Promise<void> => {
  await page.keyboard.press('Control+n');
  await text().waitFor();
};
/** While `run` runs, the page's time passes only when it lets it. */
const whileTimeStands = async (run: () => Promise<void>): Promise<void> => {
  await page.clock.install({ time: await page.evaluate(() => Date.now()) });
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  try {
    await run();
  } finally {
    await page.clock.resume();
  }
};
const offered = () => page.evaluate(() => window.double.offers.map(({ file }) => file.name));
const refuseOffered = async (): Promise<void> => {
  await page.evaluate(() => {
    for (const offer of [...window.double.offers])
      offer.settle({ ok: false, error: { code: 'SOURCE_EMPTY', detail: '' } });
  });
  await button('Remove').click();
};
const focusName = () =>
  page.evaluate(() => {
    const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
    return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
  });

describe('a new note', () => {
  it('is started from Home or by a key, with the focus in its text', async () => {
    await button('New note').click();
    await text().waitFor();
    await expect.poll(focusName).toBe('Text');
    await page.keyboard.type('? / typed here, not a shortcut');
    await expect.poll(() => text().innerText()).toBe('? / typed here, not a shortcut');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows the detected format, until the user chooses one', async () => {
    await openNew();
    await write('{"a": [1, 2]}');
    await button('Format: JSON (auto)').click();
    await page.getByRole('menuitemradio', { name: 'Plain text', exact: true }).click();
    await button('Format: Plain text').waitFor();
    await write('{"a": [1, 2, 3]}');
    await last('note.saveUnpublished').toMatchObject({ text: '{"a": [1, 2, 3]}', format: 'plain', language: null });
    await button('Format: Plain text').waitFor();
  });

  it('is kept while it is typed, and is there again as it was', async () => {
    await openNew();
    await page.getByRole('textbox', { name: 'Title' }).fill('Plans');
    await write('half a thought');
    await isShown('Draft saved');
    await page.getByRole('textbox', { name: 'Title' }).press('Escape');
    await isShown('Drop files here');
    await openNew();
    await isShown('Draft restored');
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Plans');
    await expect.poll(() => text().innerText()).toBe('half a thought');
  });

  it('that is discarded is restored with one press', async () => {
    await openNew();
    await write('not so fast');
    await button('Discard draft').click();
    await last('note.dropUnpublished').toEqual({});
    await isShown('Discarded.');
    await button('Undo').click();
    await expect.poll(() => text().innerText()).toBe('not so fast');
    await last('note.saveUnpublished').toMatchObject({ text: 'not so fast' });
  });

  it('reports that its draft could not be saved', async () => {
    await openNew();
    await page.evaluate(() => window.double.failNext('note.saveUnpublished', { code: 'DISK_FULL', detail: '' }));
    await write('words');
    await page.getByRole('alert').getByText('Draft not saved').waitFor();
    await write('more words');
    await isShown('Draft saved');
  });

  it('is saved at the next occasion where saving failed', async () => {
    await openNew();
    await page.evaluate(() => window.double.failNext('note.saveUnpublished', { code: 'DISK_FULL', detail: '' }));
    await write('words that wait');
    await page.getByRole('alert').getByText('Draft not saved').waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await isShown('Draft saved');
    expect(await inputs('note.saveUnpublished')).toHaveLength(2);
  });

  it('whose draft cannot be read leaves it alone, and can be opened again', async () => {
    await openNew();
    await write('from yesterday');
    await isShown('Draft saved');
    await text().press('Escape');
    await page.keyboard.press('Escape');
    await isShown('Drop files here');
    await page.evaluate(() => window.double.failNext('note.unpublished', { code: 'DISK_FULL', detail: '' }));
    await page.keyboard.press('Control+n');
    await button('Try again').waitFor();
    expect(await text().count()).toBe(0);
    await button('Try again').click();
    await expect.poll(() => text().innerText()).toBe('from yesterday');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('is published as it is shown, with its link settings, and its draft is deleted', async () => {
    await openNew();
    await page.getByRole('textbox', { name: 'Title' }).fill('Query');
    await write('SELECT id FROM notes WHERE id = 1;\nUPDATE notes SET id = 2 WHERE id = 1;\n');
    await button('Format: SQL (auto)').waitFor();
    await button(/^Link settings: share\.example\.com/).click();
    const settings = page.getByRole('dialog', { name: 'Link settings' });
    await settings.getByText('1 week').click();
    await settings.getByLabel('Password', { exact: true }).fill('short');
    await isShown('Use 8 to 128 characters.');
    await settings.getByLabel('Password', { exact: true }).fill('long enough');
    await page.keyboard.press('Escape');
    await button(/^Link settings: .*1 week|^Link settings: .*week.*password/).waitFor();
    await text().click();
    await page.keyboard.press('Control+Enter');
    await isShown('Drop files here');
    expect(await inputs('note.add')).toEqual([
      {
        ...{ text: 'SELECT id FROM notes WHERE id = 1;\nUPDATE notes SET id = 2 WHERE id = 1;\n' },
        ...{ format: 'code', language: 'sql', share: { ttl: 'week', title: 'Query', password: 'long enough' } },
      },
    ]);
    expect(await page.evaluate(() => window.double.call('note.unpublished', {}))).toEqual({
      ok: true,
      value: { draft: null, kept: [] },
    });
    expect(JSON.stringify(await inputs('note.saveUnpublished'))).not.toContain('long enough');
  });

  it('says why it is not published without the password that its draft had, until that is removed', async () => {
    await page.evaluate(() =>
      window.double.call('note.saveUnpublished', { ...window.make.makeNewNote(), passwordId: 'of an earlier page' }),
    );
    await openNew();
    await isShown('This draft had a password, which isn’t saved.');
    await button(/^Link settings: .*with a password/).waitFor();
    expect(await button('Share').isDisabled()).toBe(true);
    await text().press('Control+Enter');
    await button('Remove the password').click();
    await button('Share').click();
    await last('note.add').toMatchObject({ share: {} });
    expect(await inputs('note.add')).toHaveLength(1);
    await isShown('Drop files here');
  });

  it('has the format of all its words, also when it is published before they were looked at', async () => {
    await openNew();
    await write('not code');
    await isShown('Draft saved');
    // Nothing that waits for a pause in typing comes before the click.
    await whileTimeStands(async () => {
      await write('{"a": [1, 2]}');
      await button('Share').click();
      await last('note.add').toMatchObject({ text: '{"a": [1, 2]}', format: 'code', language: 'json' });
    });
  });

  it('is empty where the next one is begun while the last is published', async () => {
    await openNew();
    const held = await page.evaluateHandle(() => {
      const { double, make } = window;
      const published = Promise.withResolvers<void>();
      double.answer('note.add', async () => {
        await published.promise;
        return { id: make.itemId(1) };
      });
      return published;
    });
    await page.getByRole('textbox', { name: 'Title' }).fill('Plans');
    await write('words');
    await button(/^Link settings: /).click();
    const settings = page.getByRole('dialog', { name: 'Link settings' });
    await settings.getByLabel('Password', { exact: true }).fill('long enough');
    await page.keyboard.press('Escape');
    await text().press('Control+Enter');
    await last('note.add').toMatchObject({ text: 'words' });
    await page.keyboard.press('Control+n');
    const title = page.getByRole('textbox', { name: 'Title' });
    expect(await title.isEditable()).toBe(false);
    await button(/^Link settings: /).click();
    expect(await settings.getByRole('radio', { name: 'Private' }).isDisabled()).toBe(true);
    expect(await settings.getByLabel('Password', { exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await release(held);
    await expect.poll(() => title.isEditable()).toBe(true);
    expect(await page.evaluate(() => location.hash)).toBe('#note');
    expect(await title.inputValue()).toBe('');
    await expect.poll(() => text().innerText()).not.toContain('words');
    expect(await button('Share').isDisabled()).toBe(true);
    expect(await button(/^Link settings: .*password/).count()).toBe(0);
    await page.evaluate(() => window.double.answer('note.add', () => ({ id: window.make.itemId(2) })));
    await write('the next words');
    await button('Share').click();
    await isShown('Drop files here');
    expect((await inputs('note.add')).slice(1)).toMatchObject([{ text: 'the next words', share: {} }]);
  });

  it('is kept when it cannot be published, with the reason', async () => {
    await openNew();
    await write('words');
    await page.evaluate(() => window.double.failNext('note.add', { code: 'DISK_FULL', detail: '' }));
    await button('Share').click();
    await isShown('Your text is saved as a draft on this computer.');
    await expect.poll(() => text().innerText()).toBe('words');
  });

  it('explains an address that leads nowhere, and offers the way back', async () => {
    await page.evaluate(() => {
      window.double.failNext('note.read', { code: 'COMMAND_INVALID', detail: 'This item is not in the library.' });
      location.hash = '#note/00000000-0000-4000-8000-00000000ffff';
    });
    await isShown('This note isn’t in your library');
    await button('Go to the library').click();
    await page.getByRole('searchbox').waitFor();
  });

  it('shows how much too long it is before anything is sent', async () => {
    await openNew();
    await write('ab\n'.repeat(66_680));
    await isShown('200,040 characters: 40 over the limit.');
    // Aloud it is said once, not at every letter.
    const aloud = page.locator('[aria-live]', { hasText: 'over the limit' });
    const said = await aloud.innerText();
    await page.keyboard.type('cd');
    await isShown('200,042 characters: 42 over the limit.');
    expect(await aloud.innerText()).toBe(said);
    expect(await button('Share').isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');
    expect(await inputs('note.add')).toEqual([]);
    await write('short');
    await isShown('1 line · 5 characters');
  });
});

describe('a drop on the text', () => {
  it('inserts a text whose media type the browser does not know', async () => {
    await openNew();
    await write('before');
    await drop(page, { files: [{ name: 'Makefile', type: '', text: 'all:\n\ttrue\n' }] });
    await expect.poll(() => text().innerText()).toContain('all:\n\ttrue');
    await isShown('Draft saved');
    expect(await text().innerText()).toContain('before');
    expect(await offered()).toEqual([]);
  });

  it('shares a file that is no text, although the browser does not know its media type', async () => {
    await openNew();
    await write('words');
    await drop(page, { files: [{ name: 'IMG_1.heic', type: '', size: 2_048 }] });
    await expect.poll(offered).toEqual(['IMG_1.heic']);
    await refuseOffered();
  });

  it('asks about a folder', async () => {
    const root = temporaryFolder('dropped-on-a-note');
    writeTree(join(root, 'parser'), { 'main.ts': 'export {};' });
    await openNew();
    await dropFiles(page, join(root, 'parser'));
    await page.getByRole('heading', { level: 1, name: 'parser' }).waitFor();
    await button('Cancel').click();
  });
});

describe('the keyboard', () => {
  it('indents with Tab, and leaves the text with Esc and then Tab', async () => {
    await openNew();
    await write('a');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    await expect.poll(() => text().innerText()).toMatch(/^\s+a$/);
    // Tab leaves it for some seconds only.
    await whileTimeStands(async () => {
      await page.keyboard.press('Escape');
      await isShown('Tab now leaves the editor.');
      await page.keyboard.press('Shift+Tab');
      await expect.poll(focusName).toBe('Find');
    });
  });

  it('is left with Esc twice, and keeps the draft', async () => {
    await openNew();
    await write('kept');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await isShown('Drop files here');
    expect((await inputs('note.saveUnpublished')).at(-1)).toMatchObject({ text: 'kept' });
  });

  it('finds in the text with Ctrl+F, and Esc closes the search alone', async () => {
    await openNew();
    await write('one two three two');
    await page.keyboard.press('Control+f');
    const search = page.getByRole('textbox', { name: 'Find', exact: true });
    await search.waitFor();
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    await expect.poll(focusName).toBe('Text');
  });
});

describe('a link that gets ready while a note is typed', () => {
  it.each(['succeeds', 'fails'])(
    'leaves the keyboard in its text where the other way to copy it %s',
    async (outcome) => {
      await openNew();
      await write('n');
      await page.evaluate((isCopied) => {
        const { make, double } = window;
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not allowed.', 'NotAllowedError'));
        document.execCommand = () => isCopied;
        const url = 'https://share.example.com/s/1';
        double.emit({ type: 'linked', id: make.itemId(1), url, name: '1.png', text: url });
      }, outcome === 'succeeds');
      await isShown(outcome === 'succeeds' ? 'Link to 1.png copied' : 'Link to 1.png isn’t copied yet');
      await page.keyboard.type('/n');
      await expect.poll(() => text().innerText()).toBe('n/n');
      await page.evaluate(() => {
        Reflect.deleteProperty(navigator.clipboard, 'writeText');
        Reflect.deleteProperty(document, 'execCommand');
      });
    },
  );

  it('leaves the keyboard in its text after F6 to the message and back', async () => {
    await openNew();
    await page.evaluate(() => {
      const { make, double } = window;
      double.emit({
        type: 'linked',
        id: make.itemId(2),
        url: 'https://share.example.com/s/2',
        name: '2.png',
        text: '2',
      });
    });
    await isShown(/2\.png/);
    await page.keyboard.press('F6');
    await expect.poll(focusName).not.toBe('Text');
    await page.keyboard.press('F6');
    await expect.poll(focusName).toBe('Text');
  });
});

describe('the preview of Markdown', () => {
  beforeAll(() => page.setViewportSize({ width: 1600, height: 900 }));
  afterAll(() => page.setViewportSize({ width: 1280, height: 800 }));

  it('shows what its page will show: nothing acts, nothing foreign is loaded, links lead outside', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openNew();
    await withLongPatience(page, async () => {
      await write(
        '# Heading\n\nsee [it](https://example.com/x) and ![a picture](https://example.com/a.png)\n\n' +
          '<img src=x onerror=alert(1)>\n\n[bad](javascript:alert(1))\n\n```js\nconst a = 1;\n```\n\n- [x] done\n',
      );
      await preview().getByRole('heading', { name: 'Heading' }).waitFor();
    });
    const link = preview().getByRole('link', { name: 'it', exact: true });
    expect(await link.getAttribute('href')).toBe('https://example.com/x');
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await preview().getByRole('link').allInnerTexts()).toEqual(['it', 'a picture']);
    expect(await preview().locator('img, script, style, iframe').count()).toBe(0);
    await preview().getByText('<img src=x onerror=alert(1)>').waitFor();
    await preview().locator('.hljs-keyword').getByText('const').waitFor();
    expect(asked.filter((url) => url.includes('example.com'))).toEqual([]);
  });

  it('follows the text, also when it is scrolled', async () => {
    await openNew();
    await write(`# Start\n\n## Here **begins** it\n\n${'A paragraph of words.\n\n'.repeat(150)}## The end\n`);
    await preview().getByRole('heading', { name: 'The end' }).waitFor();
    const atEnd = () => preview().evaluate((pane) => pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 200);
    await text().press('Control+Home');
    await expect.poll(() => preview().evaluate((pane) => pane.scrollTop)).toBeLessThan(60);
    await text().press('Control+End');
    await expect.poll(atEnd).toBe(true);
  });

  it('gives the address of a link where the window opens none', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, clipboard: 'host' } });
    });
    await openNew();
    await write('# Links\n\n- **[it](https://example.com/x)**\n\n[up](#links)\n');
    await preview().getByRole('link', { name: 'it' }).click();
    await isShown('Address copied: https://example.com/x');
    await preview().getByRole('link', { name: 'up' }).click();
    expect(await page.evaluate(() => location.hash)).toBe('#note');
    expect(page.context().pages()).toHaveLength(1);
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, clipboard: 'page' } });
    });
  });

  it('is beside the text where there is room, else in its place', async () => {
    await openNew();
    await write('# Heading\n\n- a\n- b\n\n**bold**\n');
    await preview().getByRole('heading').waitFor();
    expect([await text().isVisible(), await preview().isVisible()]).toEqual([true, true]);
    await page.setViewportSize({ width: 480, height: 800 });
    await expect.poll(async () => [await text().isVisible(), await preview().isVisible()]).toEqual([true, false]);
    await page.getByText('Preview', { exact: true }).click();
    await expect.poll(async () => [await text().isVisible(), await preview().isVisible()]).toEqual([false, true]);
  });
});

/** Opens a published note with the text "one", two words of which may be a draft already. */
const openPublished = async (draft: { text: string; revision: number } | null = null, revision = 1): Promise<void> => {
  await page.evaluate(
    ({ given, at }) => {
      const { make, double } = window;
      double.setLibrary([make.makeLibraryItem(5, { type: 'PASTE', title: 'Shopping', pasteFormat: 'plain' })]);
      const note = { text: 'one\ntwo\nthree\n', format: 'plain', language: null, revision: at } as const;
      const typed = given && { ...given, format: 'plain' as const, language: null, title: null };
      double.answer('note.read', () => ({ note, draft: typed, unread: null }));
      location.hash = `#note/${make.itemId(5)}`;
    },
    { given: draft, at: revision },
  );
};

const answerSaved = (): Promise<void> =>
  page.evaluate(() => {
    const { make, double } = window;
    double.answer('note.edit', ({ title, revision }) => ({
      outcome: 'saved',
      item: make.makeLibraryItem(5, { type: 'PASTE', title: title ?? 'Shopping', revision: revision + 1 }),
    }));
  });

/** Saving waits until this is released. */
const holdSaved = () =>
  page.evaluateHandle(() => {
    const { make, double } = window;
    const held = Promise.withResolvers<void>();
    double.answer('note.edit', async ({ title, revision }) => {
      await held.promise;
      const item = make.makeLibraryItem(5, { type: 'PASTE', title: title ?? 'Shopping', revision: revision + 1 });
      return { outcome: 'saved', item };
    });
    return held;
  });

/** What waits is answered, and the page has drawn all that follows from the answer. */
const release = async (held: JSHandle<PromiseWithResolvers<void>>): Promise<void> => {
  await held.evaluate(({ resolve }) => resolve());
  await untilListening(page);
};

describe('a published note', () => {
  it('is edited and saved with the revision that was read, and stays open', async () => {
    await openPublished();
    await write('one\ntwo\nfour\n');
    await isShown('Draft saved');
    await last('note.saveDraft').toMatchObject({ text: 'one\ntwo\nfour\n', revision: 1 });
    await page.getByRole('textbox', { name: 'Title' }).fill('To buy');
    await answerSaved();
    await page.keyboard.press('Control+s');
    await isShown('Saved. The link shows this version.');
    expect((await inputs('note.edit')).at(-1)).toMatchObject({
      ...{ text: 'one\ntwo\nfour\n', revision: 1, format: 'plain', title: 'To buy' },
    });
    await write('five\n');
    await page.keyboard.press('Control+Enter');
    await isShown('Drop files here');
    expect((await inputs('note.edit')).at(-1)).toMatchObject({ text: 'five\n', revision: 2 });
  });

  it('shows the abandoned draft, and can return to the published text', async () => {
    await openPublished({ text: 'a draft\n', revision: 1 });
    await isShown('Draft restored');
    await button('Discard changes').click();
    await expect.poll(() => text().innerText()).toContain('three');
    await last('note.dropDraft').toBeTruthy();
    await button('Undo').click();
    await expect.poll(() => text().innerText()).toContain('a draft');
  });

  it('keeps its text without a connection, reports it, and is saved by a retry', async () => {
    await openPublished();
    await write('written on the train\n');
    await page.evaluate(() => window.double.failNext('note.edit', { code: 'NETWORK_FAILED', detail: '' }));
    await button('Save').click();
    await isShown('Your text is saved as a draft on this computer.');
    await answerSaved();
    await button('Try again').click();
    await isShown('Saved. The link shows this version.');
  });

  it('whose text is neither published nor stored says so', async () => {
    await openPublished();
    const full = (command: CommandName) =>
      page.evaluate((failing) => window.double.failNext(failing, { code: 'DISK_FULL', detail: '' }), command);
    await full('note.saveDraft');
    await write('nowhere yet\n');
    await isShown('Draft not saved');
    for (const command of ['note.saveDraft', 'note.edit'] as const) await full(command);
    await button('Save').click();
    await isShown('This computer’s disk is full');
    await isShown('Draft not saved');
    expect(await page.getByText('Your text is saved as a draft on this computer.').count()).toBe(0);
  });

  it('is shown as it was seen last where there is no connection, until it can be read', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const note = { text: 'as it was\n', format: 'plain', language: null, revision: 1 } as const;
      const unread = { code: 'NETWORK_FAILED', detail: '' } as const;
      double.answer('note.read', () => ({ note, draft: null, unread }));
      double.setLibrary([make.makeLibraryItem(5, { type: 'PASTE', title: 'Shopping', pasteFormat: 'plain' })]);
      location.hash = `#note/${make.itemId(5)}`;
    });
    await isShown('This is the last version loaded on this computer.');
    await expect.poll(() => text().innerText()).toContain('as it was');
    await openPublished();
    await button('Try again').click();
    await expect.poll(() => text().innerText()).toContain('three');
  });

  it('whose draft was restored without a connection is read by a retry, not published', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const note = { text: 'as it was\n', format: 'plain', language: null, revision: 1 } as const;
      const unread = { code: 'NETWORK_FAILED', detail: '' } as const;
      double.answer('note.read', () => ({ note, draft: { ...note, text: 'half a draft\n', title: null }, unread }));
      double.setLibrary([make.makeLibraryItem(5, { type: 'PASTE', title: 'Shopping', pasteFormat: 'plain' })]);
      location.hash = `#note/${make.itemId(5)}`;
    });
    await isShown('Draft restored');
    await openPublished({ text: 'half a draft\n', revision: 1 });
    await button('Try again').click();
    await button('Try again').waitFor({ state: 'detached' });
    await expect.poll(() => text().innerText()).toContain('half a draft');
    expect(await inputs('note.edit')).toEqual([]);
  });

  it('that is saved late leaves alone the note that the user has begun meanwhile', async () => {
    await openPublished();
    await write('sent\n');
    const saved = await holdSaved();
    await page.keyboard.press('Control+Enter');
    await last('note.edit').toMatchObject({ text: 'sent\n' });
    await page.keyboard.press('Control+n');
    await page.getByRole('heading', { name: 'New note' }).waitFor();
    await write('begun meanwhile');
    await release(saved);
    expect(await page.evaluate(() => location.hash)).toBe('#note');
    await expect.poll(() => text().innerText()).toBe('begun meanwhile');
  });

  it('that is open in another tab is shown there and cannot be changed, until it is closed here', async () => {
    await openPublished();
    const here = page;
    const other = await page.context().newPage();
    try {
      await other.goto(page.url().replace(/#.*/, ''));
      await other.getByRole('heading', { name: 'Drop files here' }).waitFor();
      page = other;
      await openPublished();
      await isShown('This note is in use');
      await text().click();
      await page.keyboard.type('b');
      expect(await text().innerText()).toContain('three');
      expect(await button('Save').count()).toBe(0);
      expect([...(await inputs('note.saveDraft')), ...(await inputs('note.dropDraft'))]).toEqual([]);
      expect(await axeViolations(page)).toEqual([]);
      await here.evaluate(() => {
        location.hash = '#home';
      });
      await page.getByText('This note is in use').waitFor({ state: 'detached' });
      await write('b\n');
      await last('note.saveDraft').toMatchObject({ text: 'b\n', revision: 1 });
    } finally {
      page = here;
      await other.close();
    }
  });

  it('that was deleted becomes a new note, whose settings are shown before it is published', async () => {
    await openPublished();
    await write('still mine\n');
    await page.evaluate(() =>
      window.double.failNext('note.edit', { code: 'SHARE_UNAVAILABLE', detail: '', status: 404 }),
    );
    await button('Save').click();
    await isShown('This note no longer exists');
    await button('Continue as a new note').click();
    await page.getByRole('heading', { name: 'New note' }).waitFor();
    await page.getByRole('button', { name: /^Link settings: .*Unlisted/ }).waitFor();
    await expect.poll(() => text().innerText()).toContain('still mine');
    await last('note.dropDraft').toBeTruthy();
    expect(await inputs('note.add')).toEqual([]);
  });

  it('that cannot be shown gives the reason, and can be loaded again', async () => {
    await page.evaluate(() => window.double.failNext('note.read', { code: 'SERVER_UNREACHABLE', detail: '' }));
    await openPublished();
    await button('Try again').click();
    await expect.poll(() => text().innerText()).toContain('three');
  });
});

describe('two versions', () => {
  const saves = (name: string) => page.getByRole('radio', { name, exact: true });
  const mine = () => page.getByRole('textbox', { name: 'Your version' });
  const openConflict = async (): Promise<void> => {
    await openPublished();
    await write('one\nmine\nthree\n');
    await page.evaluate(() => {
      window.double.answer('note.edit', ({ text: typed, revision }) => {
        const both = { format: 'plain', language: null } as const;
        const item = window.make.makeLibraryItem(5, { type: 'PASTE', title: 'Shopping', revision: revision + 1 });
        return revision === 2
          ? { outcome: 'saved', item }
          : {
              outcome: 'conflict',
              mine: { ...both, text: typed, revision, title: null },
              theirs: { ...both, text: 'one\ntheirs\nthree\n', revision: 2 },
              base: 'one\ntwo\nthree\n',
            };
      });
    });
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Two versions of this note' }).waitFor();
  };

  it('are shown side by side, and one overwrites the other only after both were shown', async () => {
    await openConflict();
    await page.getByRole('textbox', { name: 'Shared version' }).getByText('theirs').waitFor();
    expect(await saves('Mine').isChecked()).toBe(true);
    await button('Save').click();
    await isShown('Your version was saved. The other one was set aside.');
    expect((await inputs('note.edit')).at(-1)).toMatchObject({ text: 'one\nmine\nthree\n', revision: 2 });
    await button('Restore as a draft').click();
    await expect.poll(() => text().innerText()).toContain('theirs');
  });

  it('end with theirs, and mine can be brought back', async () => {
    await openConflict();
    await page.getByText('Shared', { exact: true }).click();
    await button('Save').click();
    await isShown('The shared version was kept. Yours was set aside.');
    expect(await inputs('note.edit')).toHaveLength(1);
    await expect.poll(() => text().innerText()).toContain('theirs');
    await button('Restore as a draft').click();
    await expect.poll(() => text().innerText()).toContain('mine');
  });

  it('are put together by taking parts over and by hand; until that is saved a restart shows both again', async () => {
    await openConflict();
    await button('Accept this change').click();
    await expect.poll(() => mine().innerText()).toContain('theirs');
    await mine().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('four\n');
    await expect.poll(() => saves('Merged').isChecked()).toBe(true);
    await last('note.saveDraft').toMatchObject({ text: 'one\ntheirs\nthree\nfour\n', revision: 1 });
    await page.keyboard.press('Control+s');
    await isShown('Your version was saved.');
    expect((await inputs('note.edit')).at(-1)).toMatchObject({ text: 'one\ntheirs\nthree\nfour\n', revision: 2 });
  });

  it('offer what was put together as a new note when the note is found deleted', async () => {
    await openConflict();
    await button('Accept this change').click();
    await mine().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('four\n');
    await last('note.saveDraft').toMatchObject({ text: 'one\ntheirs\nthree\nfour\n' });
    await page.evaluate(() =>
      window.double.failNext('note.edit', { code: 'SHARE_UNAVAILABLE', detail: '', status: 404 }),
    );
    await page.keyboard.press('Control+s');
    await isShown('This note no longer exists');
    await button('Continue as a new note').click();
    await page.getByRole('heading', { name: 'New note' }).waitFor();
    await expect.poll(() => text().innerText()).toContain('one\ntheirs\nthree\nfour\n');
  });

  it('share a file that is dropped on them and is no text', async () => {
    await openConflict();
    await mine().click();
    await drop(page, { files: [{ name: 'shot.png', type: 'image/png', size: 2_048 }] });
    await expect.poll(offered).toEqual(['shot.png']);
    await refuseOffered();
  });

  it('are shown at once where a draft began with an older text', async () => {
    await openPublished({ text: 'one\nmine\nthree\n', revision: 1 }, 2);
    await page.getByRole('heading', { name: 'Two versions of this note' }).waitFor();
  });
});

describe('two versions in a narrow window', () => {
  it('have their buttons above the text of each change, in the language of the window', async () => {
    await SCENES['two versions of a note']?.(page);
    await page.setViewportSize({ width: 480, height: 800 });
    const change = page.locator('.cm-deletedChunk').first();
    for (const [language, take] of [
      ['en', 'Use shared'],
      ['ru', 'Взять опубликованное'],
    ] as const) {
      await speak(page, language);
      const buttons = change.getByText(take, { exact: true });
      await buttons.waitFor();
      const [above, words] = await Promise.all([
        buttons.boundingBox(),
        change.locator('.cm-deletedLine').first().boundingBox(),
      ]);
      expect((above?.y ?? Number.NaN) + (above?.height ?? Number.NaN)).toBeLessThanOrEqual(words?.y ?? Number.NaN);
    }
    await speak(page, 'en');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('everyone can use it', () => {
  it.each(['a note', 'two versions of a note'])('%s', async (name) => {
    await SCENES[name]?.(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      expect(await lowContrast(page)).toEqual([]);
    }
    expect(await nameless(page)).toEqual([]);
    for (const width of [320, 480, 640, 1024, 1600]) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => overflows(page), { message: `wider than ${width}` }).toBe(false);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
