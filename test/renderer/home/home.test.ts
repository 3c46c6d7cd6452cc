/** The home screen in real Chromium: adding files, progress, errors and links. */

import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SourceToken } from '../../../src/api/ids.ts';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { untilListening } from '../../support/browser/until-listening.ts';
import { eventually } from '../../support/eventually.ts';
import { dragOver, drop, paste } from '../../support/window/page-gestures.ts';
import { watchForText } from '../../support/window/passing-text.ts';
import { callsOf, windowForEachTest } from '../../support/window/window-for-each-test.ts';

const PICTURE = { name: 'shot.png', type: 'image/png', size: 2_048 };

let page: Page;
windowForEachTest({
  context: { permissions: ['clipboard-read', 'clipboard-write'] },
  use: (opened) => {
    page = opened;
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const offered = () => page.evaluate(() => window.double.offers.map(({ file }) => file.name));
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();

describe('handing over', () => {
  it('a drop anywhere shows the progress of each file, then queues it', async () => {
    await dragOver(page, { files: [PICTURE] });
    await isShown('Drop to share');
    await drop(page, { files: [PICTURE, { ...PICTURE, name: 'second.png' }] });
    await eventually(async () => expect(await page.getByText('Drop to share').count()).toBe(0));
    await page.evaluate(() => window.double.offers[0]?.progress(1_024));
    const bar = page.getByRole('progressbar', { name: 'Progress of shot.png' });
    await eventually(async () => expect(await bar.getAttribute('aria-valuenow')).toBe('50'));
    await page.evaluate(
      (token) => window.double.offers[0]?.settle({ ok: true, value: token as SourceToken }),
      'token-0123456789',
    );
    await eventually(async () => expect(await calls('queue.add')).toEqual([{ tokens: ['token-0123456789'] }]));
    await eventually(async () => expect(await bar.count()).toBe(0));
  });

  it('many files are one piece of work, counted before each of them is received', async () => {
    await drop(page, { files: Array.from({ length: 40 }, (_, number) => ({ ...PICTURE, name: `${number}.png` })) });
    await isShown('0%, 40 items left');
    await expect.poll(() => page.title()).toBe('0% · 40 left – Linkshot');
    const progress = page.getByRole('progressbar', { name: 'Overall progress' });
    await progress.waitFor();
    await page.evaluate(() => {
      const { make, double } = window;
      const { size } = double.offers[0]?.file ?? { size: 0 };
      // Ten have got their links meanwhile.
      double.set({
        queue: {
          items: Array.from({ length: 10 }, (_, index) => make.makeItem('linked', index + 1, { size })),
          live: {},
          paused: false,
        },
      });
    });
    await eventually(async () => expect(Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(15));
  });

  it('a file can be cancelled while it is being sent', async () => {
    await drop(page, { files: [PICTURE] });
    await button('Cancel uploading shot.png').click();
    await eventually(async () => expect(await offered()).toEqual([]));
    await eventually(async () =>
      expect(await page.getByRole('listitem').filter({ hasText: 'shot.png' }).count()).toBe(0),
    );
  });

  it('a page is not left without a question while a file is only in its hands', async () => {
    const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await asks()).toBe(false);
    await drop(page, { files: [PICTURE] });
    await eventually(async () => expect(await asks()).toBe(true));
    await button('Cancel uploading shot.png').click();
    await eventually(async () => expect(await asks()).toBe(false));
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, folders: true } });
    });
    await drop(page, { files: [PICTURE] });
    await button('Cancel uploading shot.png').waitFor();
    expect(await asks()).toBe(false);
  });

  it('dropped text becomes a note', async () => {
    await drop(page, { data: { 'text/plain': 'hello' } });
    await eventually(async () => expect(await calls('note.add')).toEqual([{ text: 'hello' }]));
  });

  it('words of the window are not shared when they are dragged in it, text from elsewhere still is', async () => {
    await page.evaluate(() =>
      addEventListener('drop', ({ dataTransfer }) => {
        document.body.dataset['dropped'] = dataTransfer?.getData('text/plain') ?? '';
      }),
    );
    const heading = page.getByRole('heading', { name: 'Drop files here' });
    await heading.selectText();
    const { x, y } = await heading.evaluate((words) => {
      const range = document.createRange();
      range.selectNodeContents(words);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y + 40);
    await page.mouse.move(x + 40, y + 80);
    await page.mouse.up();
    await expect.poll(() => page.evaluate(() => document.body.dataset['dropped'])).toMatch(/^Drop files here/);
    await drop(page, { data: { 'text/plain': 'hello' } });
    await eventually(async () => expect(await calls('note.add')).not.toEqual([]));
    expect(await calls('note.add')).toEqual([{ text: 'hello' }]);
  });

  it('words of the window that are dragged into a field are inserted there', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Library' }).click();
    const heading = page.getByRole('heading', { name: 'Library' });
    await heading.selectText();
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await heading.dragTo(search, { sourcePosition: { x: 10, y: 10 } });
    await eventually(async () => expect(await search.inputValue()).toBe('Library'));
    expect(await calls('note.add')).toEqual([]);
  });

  it.each(['ends', 'leaves the window without its source', 'begins with a source that is removed'])(
    'an element of the window is not shared when it is dragged in it, and files are when that drag %s',
    async (how) => {
      await page.evaluate(() => {
        const picture = document.body.appendChild(document.createElement('p'));
        picture.id = 'source';
        picture.dispatchEvent(new DragEvent('dragstart', { bubbles: true, composed: true, cancelable: true }));
      });
      await dragOver(page, { files: [PICTURE] });
      await untilListening(page);
      expect(await page.getByText('Drop to share').count()).toBe(0);
      await drop(page, { files: [PICTURE] });
      await page.evaluate((isRemoved) => {
        const picture = document.querySelector('#source');
        if (isRemoved) picture?.remove();
        picture?.dispatchEvent(new DragEvent('dragend', { bubbles: true, composed: true }));
      }, how !== 'ends');
      if (how.startsWith('begins')) await page.mouse.move(50, 50);
      if (how.startsWith('leaves'))
        await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })));
      await drop(page, { files: [{ ...PICTURE, name: 'from-elsewhere.png' }] });
      await eventually(async () => expect(await offered()).toEqual(['from-elsewhere.png']));
    },
  );

  it('a video that must be converted shows the cost, and waits for the choice', async () => {
    await page.evaluate(() => {
      const before = { width: 1920, height: 1080, fps: 60, seconds: 9, hasAudio: true, size: 45 * 1024 ** 2 };
      const after = { ...before, fps: 30, size: 22 * 1024 ** 2 };
      const video = { way: 'encode', before, after, secondsNeeded: 40, reasons: ['FPS'], losses: [] } as const;
      const plain = { ...video, reasons: [...video.reasons] };
      let letOn = (): void => {};
      const later = new Promise<void>((resolve) => {
        letOn = resolve;
      });
      addEventListener('let-on', letOn);
      window.double.answer('fit.preview', async ({ fit }) => {
        if (fit === 'clip') await later;
        if (fit === 'sharper') return { kind: 'video', video: { way: 'pass', before } };
        if (fit === 'clip')
          return { kind: 'video', video: { ...plain, after: { ...after, size: 99 * 1024 ** 2 }, losses: [] } };
        if (fit === 'smaller')
          return { kind: 'video', video: { ...plain, after: { ...after, size: 9 * 1024 ** 2 }, losses: ['sound'] } };
        return { kind: 'video', video: { ...plain, losses: ['sound-tracks'] } };
      });
    });
    await drop(page, { files: [{ name: 'talk.mov', type: 'video/quicktime', size: 2_048 }] });
    await page.evaluate(
      (token) => window.double.offers[0]?.settle({ ok: true, value: token as SourceToken }),
      'token-0123456789',
    );
    const card = page.getByRole('group', { name: 'Convert talk.mov' });
    await card.getByText('Over 60 frames per second').waitFor();
    await card.getByText(/45\sMB/).waitFor();
    const choice = (name: string) => card.getByRole('radio', { name });
    await card.getByText(/22\sMB/).waitFor();
    await card.getByText('51% smaller').waitFor();
    await card
      .getByText(/takes about 40\ss/)
      .first()
      .waitFor();
    await card.getByText('Will be lost: extra audio tracks.').waitFor();
    await card.getByText('unchanged').waitFor();
    // Unknown values already have their space.
    const high = async () => (await card.boundingBox())?.height;
    const before = await high();
    await page.evaluate(() => dispatchEvent(new Event('let-on')));
    await card.getByText('calculating…').waitFor({ state: 'detached' });
    expect(await high()).toBe(before);
    await card.getByText('120% larger').waitFor();
    // With only the keyboard.
    await eventually(async () =>
      expect(await choice('Balanced').evaluate((one) => one === document.activeElement)).toBe(true),
    );
    await page.keyboard.press('1');
    await card.getByText('Will be lost: the sound.').waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () =>
      expect(await calls('queue.add')).toEqual([{ tokens: ['token-0123456789'], fit: 'smaller' }]),
    );
  });

  it('a choice is used for all videos and remembered, if the user asks for it', async () => {
    await page.evaluate(() => {
      const before = { width: 1920, height: 1080, fps: 60, seconds: 9, hasAudio: true, size: 45 * 1024 ** 2 };
      const video = { way: 'encode', before, after: before, secondsNeeded: 4 } as const;
      window.double.answer('fit.preview', () => ({ kind: 'video', video: { ...video, reasons: [], losses: [] } }));
    });
    for (const name of ['a.mov', 'b.mov']) {
      await drop(page, { files: [{ name, type: 'video/quicktime', size: 2_048 }] });
      await eventually(async () => expect(await offered()).toEqual([name]));
      await page.evaluate(
        (token) => window.double.offers[0]?.settle({ ok: true, value: token as SourceToken }),
        `token-0123456789-${name}`,
      );
      await page.getByRole('group', { name: `Convert ${name}` }).waitFor();
    }
    const card = page.getByRole('group', { name: 'Convert b.mov' });
    await card.getByText('Sharper', { exact: true }).click();
    await card.getByRole('checkbox', { name: 'Do this every time' }).click();
    await card.getByRole('button', { name: 'Use for all 2 videos' }).click();
    await eventually(async () =>
      expect(await calls('queue.add')).toEqual([
        { tokens: ['token-0123456789-a.mov'], fit: 'sharper' },
        { tokens: ['token-0123456789-b.mov'], fit: 'sharper' },
      ]),
    );
    expect(await calls('settings.update')).toEqual([{ askBeforeFit: false, fit: 'sharper' }]);
  });

  it('a dropped address is kindly refused', async () => {
    await drop(page, { data: { 'text/uri-list': 'https://example.com/', 'text/plain': 'https://example.com/' } });
    await isShown('That was a web address, not a file');
    await eventually(async () => expect(await offered()).toEqual([]));
  });

  it('a pasted picture gets a name, a pasted file keeps its own', async () => {
    await paste(page, { files: [{ ...PICTURE, name: 'image.png' }] });
    await paste(page, { files: [{ ...PICTURE, name: 'plan.png' }] });
    await eventually(async () => expect(await offered()).toHaveLength(2));
    const [picture, named] = await offered();
    expect(picture).toMatch(/^Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
    expect(named).toBe('plan.png');
  });

  it('cells of a table are pasted into a field as text, although programs copy a picture of them, too', async () => {
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(2, 2);
      canvas.getContext('2d')?.fillRect(0, 0, 2, 2);
      const cells = new Blob(['a\tb'], { type: 'text/plain' });
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': cells, 'image/png': canvas.convertToBlob({ type: 'image/png' }) }),
      ]);
    });
    await button('New note').click();
    const title = page.getByRole('textbox', { name: 'Title' });
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await title.press('Control+v');
    await text.press('Control+v');
    await expect.poll(() => text.innerText()).toBe('a\tb');
    expect(await title.inputValue()).toBe('a\tb');
    expect(await page.evaluate(() => location.hash)).toBe('#note');
    expect(await offered()).toEqual([]);
    // Where no field waits for text, it is the picture.
    await page.getByRole('heading', { name: 'New note' }).click();
    await page.keyboard.press('Control+v');
    await eventually(async () => expect(await offered()).toHaveLength(1));
  });

  it('a pasted picture is handed over once while the keys are held', async () => {
    const keyV = (event: 'keydown' | 'keyup', repeat = false) =>
      page.evaluate(
        ([name, isRepeated]) =>
          document.body.dispatchEvent(
            new KeyboardEvent(name, { key: 'v', ctrlKey: true, repeat: isRepeated, bubbles: true }),
          ),
        [event, repeat] as const,
      );
    const pasteNamed = (name: string) => paste(page, { files: [{ ...PICTURE, name }] });
    await keyV('keydown');
    await pasteNamed('first.png');
    await keyV('keydown', true);
    await pasteNamed('held.png');
    await keyV('keyup');
    await pasteNamed('by-menu.png');
    await eventually(async () => expect(await offered()).toEqual(['first.png', 'by-menu.png']));
  });

  it('pasted text is shown, and shared only once the user confirms', async () => {
    await paste(page, { data: { 'text/plain': 'a  line\nand another' } });
    await isShown('Share the text from your clipboard?');
    await isShown('a line and another');
    expect(await calls('note.add')).toEqual([]);
    await button('Share as a note').click();
    await eventually(async () => expect(await calls('note.add')).toEqual([{ text: 'a  line\nand another' }]));
    await page.getByText('Share the text from your clipboard?').waitFor({ state: 'detached' });
  });

  it('the Paste button reads the picture that is on the clipboard', async () => {
    // The clipboard is the browser's: an earlier page may have left something there.
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await button('Paste').click();
    await isShown('No image or text on the clipboard');
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(2, 2);
      canvas.getContext('2d')?.fillRect(0, 0, 2, 2);
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })]);
    });
    await button('Paste').dblclick();
    await eventually(async () => expect(await offered()).toHaveLength(1));
    // Nothing of the second click is still being read.
    await page.evaluate(() => navigator.clipboard.writeText('what I wanted to say'));
    await page.getByRole('button', { name: 'Paste', exact: true }).click();
    await isShown('what I wanted to say');
    expect(await offered()).toHaveLength(1);
  });

  it('the Paste button asks before it shares the text that is on the clipboard', async () => {
    await page.evaluate(() => navigator.clipboard.writeText('what I wanted to say'));
    await button('Paste').click();
    await isShown('what I wanted to say');
    expect(await calls('note.add')).toEqual([]);
    await button('Share as a note').click();
    await eventually(async () => expect(await calls('note.add')).toEqual([{ text: 'what I wanted to say' }]));
  });

  it.each(['button', 'Ctrl+O'])('files are chosen by %s', async (way) => {
    const chooser = page.waitForEvent('filechooser');
    if (way === 'button') await button('Choose files').click();
    else {
      // The first focus makes sure that the window listens to the keyboard.
      await button('Choose files').focus();
      await page.keyboard.press('Control+o');
    }
    await (await chooser).setFiles([{ name: 'chosen.png', mimeType: 'image/png', buffer: Buffer.from('x') }]);
    await eventually(async () => expect(await offered()).toEqual(['chosen.png']));
  });
});

describe('the queue', () => {
  const fill = () =>
    page.evaluate(() => {
      const { make, double } = window;
      const items = [1, 2, 3].map((number) =>
        make.makeItem('started', number, { size: 10 * make.MIB, confirmedBytes: 2 * make.MIB }),
      );
      const live = {
        [make.itemId(1)]: {
          activity: 'sending' as const,
          doneBytes: 5 * make.MIB,
          bytesPerSecond: make.MIB,
          secondsLeft: 5,
        },
      };
      double.set({ queue: { items, live, paused: false } });
    });
  const names = () => page.getByRole('list', { name: 'Queue' }).locator('[title]').allInnerTexts();

  it('shows state, amount, speed and remaining time as text, and the progress in the title', async () => {
    await fill();
    await isShown('shot-1.png');
    const row = page.getByRole('listitem').first();
    await eventually(async () =>
      expect((await row.innerText()).replaceAll('\u00a0', ' ')).toContain(
        'Uploading · 5 MB of 10 MB · 1 MB/s · 5 s left',
      ),
    );
    await eventually(async () =>
      expect(
        await page.getByRole('progressbar', { name: 'Progress of shot-1.png' }).getAttribute('aria-valuetext'),
      ).toBe('Uploading, 50%'),
    );
    await eventually(async () => expect(await page.title()).toBe('30% · 3 left – Linkshot'));
  });

  it('pauses, resumes and cancels one or all', async () => {
    await fill();
    const ids = [await page.evaluate(() => window.make.itemId(1))];
    await button('Pause shot-1.png').click();
    await button('Resume shot-1.png').click();
    await eventually(async () =>
      expect([await calls('queue.pause'), await calls('queue.resume')]).toEqual([[{ ids }], [{ ids }]]),
    );
    await button('Pause all').click();
    await isShown('The queue is paused');
    await button('Resume all').click();
    await button('Cancel shot-1.png').click();
    await eventually(async () => expect(await calls('queue.cancel')).toEqual([{ ids }]));
  });

  it('is put in order by menu, by keyboard and by dragging', async () => {
    await fill();
    await button('More actions for shot-3.png').click();
    await page.getByRole('menuitem', { name: 'Move to the top' }).click();
    await eventually(async () => expect(await names()).toEqual(['shot-3.png', 'shot-1.png', 'shot-2.png']));
    await eventually(async () => expect(await focused()).toBe('More actions for shot-3.png'));

    await button('Pause shot-2.png').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await eventually(async () => expect(await names()).toEqual(['shot-3.png', 'shot-2.png', 'shot-1.png']));
    await eventually(async () => expect(await focused()).toBe('Pause shot-2.png'));
    await isShown('shot-2.png is now 2 of 3');

    const rows = page.getByRole('list', { name: 'Queue' }).getByRole('listitem');
    await rows.nth(2).hover();
    await rows
      .nth(2)
      .locator('[draggable]')
      .dragTo(rows.nth(0), { targetPosition: { x: 100, y: 5 } });
    await eventually(async () => expect(await names()).toEqual(['shot-1.png', 'shot-3.png', 'shot-2.png']));
  });

  it('announces a new place of an item only where the engine has moved it', async () => {
    await fill();
    await page.evaluate(() => window.double.failNext('queue.move', { code: 'DISK_FULL', detail: 'inner words' }));
    await button('Pause shot-2.png').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await isShown('This computer’s disk is full');
    expect(await page.getByText('shot-2.png is now').count()).toBe(0);
    expect(await names()).toEqual(['shot-1.png', 'shot-2.png', 'shot-3.png']);
  });

  it('shows an error with what was kept and the button that resolves it', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const error = (code: 'SOURCE_CHANGED' | 'API_KEY_EXPIRED' | 'NETWORK_FAILED', retryAt: number | null) => ({
        failure: { code, detail: 'inner words' },
        since: make.NOON,
        retryAt,
      });
      const sizes = { size: 10 * make.MIB, confirmedBytes: 4 * make.MIB };
      const items = [
        make.makeItem('started', 1, { ...sizes, error: error('SOURCE_CHANGED', null) }),
        make.makeItem('queued', 2, { error: error('API_KEY_EXPIRED', null) }),
        make.makeItem('started', 3, { error: error('NETWORK_FAILED', Date.now() + 60_000) }),
      ];
      double.set({ queue: { items, live: {}, paused: false } });
    });
    const alert = page.getByRole('alert').filter({ hasText: 'The file was changed during the upload' });
    await eventually(async () =>
      expect((await alert.innerText()).replaceAll('\u00a0', ' ')).toContain('4 MB of 10 MB is on the server'),
    );
    await alert.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => expect(await calls('queue.retry')).toHaveLength(1));
    await isShown(/Retrying in \d/);
    await button('Connect again').click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  it('a full account leads to what takes the most room, whatever the library was narrowed to', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const error = { failure: { code: 'QUOTA_EXCEEDED', detail: '' }, since: make.NOON, retryAt: null } as const;
      double.set({ queue: { items: [make.makeItem('queued', 1, { error })], live: {}, paused: false } });
      double.setLibrary([make.makeLibraryItem(2, { title: 'Old film' })]);
    });
    await button('Show the largest items').click();
    await button(/Largest first/).waitFor();
    await eventually(async () => expect((await calls('library.search')).at(-1)).toMatchObject({ sort: 'largest' }));
  });

  it('an empty file can only be taken off: trying it again would change nothing', async () => {
    await drop(page, { files: [PICTURE] });
    await page.evaluate(() =>
      window.double.offers[0]?.settle({ ok: false, error: { code: 'SOURCE_EMPTY', detail: '' } }),
    );
    await isShown('The file is empty');
    expect(await button('Try again').count()).toBe(0);
    await button('Remove').click();
    await page.getByText('The file is empty').waitFor({ state: 'detached' });
  });
});

describe('a finished item', () => {
  beforeEach(() =>
    page.evaluate(() => {
      const { make, double } = window;
      double.set({ queue: { items: [make.makeItem('linked', 1)], live: {}, paused: false } });
      const { url } = make.makeContent(1);
      double.emit({ type: 'linked', id: make.itemId(1), url, name: 'shot-1.png', text: url });
    }),
  );

  it('is copied by the page and announced; its link can still be read, copied and opened', async () => {
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    await isShown('Link to shot-1.png copied');
    await eventually(async () => expect(await read()).toBe('https://share.example.com/s/c1'));
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'Link to shot-1.png' }).inputValue()).toBe(await read()),
    );

    await page.evaluate(() => navigator.clipboard.writeText('something else'));
    const copy = button('Copy the link to shot-1.png');
    const before = await copy.boundingBox();
    const isConfirmed = await watchForText(page, '[aria-label="Copy the link to shot-1.png"] span', 'Copied');
    await copy.click();
    await isConfirmed();
    await eventually(async () => expect(await copy.boundingBox()).toEqual(before));
    await eventually(async () => expect(await read()).toBe('https://share.example.com/s/c1'));

    const open = page.getByRole('link', { name: 'Open the share page of shot-1.png' });
    await eventually(async () => expect(await open.getAttribute('href')).toBe('https://share.example.com/s/c1'));
  });

  it('that another page of the browser has copied is not copied by this one later', async () => {
    const hidden = await page.context().newPage();
    await hidden.goto(page.url());
    const linked = (of: Page, number: number) =>
      of.evaluate((index) => {
        const { make, double } = window;
        const url = `https://share.example.com/s/${index}`;
        double.emit({ type: 'linked', id: make.itemId(index), url, name: `${index}.png`, text: url });
      }, number);
    const says = (of: Page, text: string) => of.getByText(text).first();
    await hidden.getByRole('navigation').first().waitFor();
    await hidden.evaluate(() => {
      document.hasFocus = () => false;
      navigator.clipboard.writeText = async (text) => {
        document.body.dataset['tried'] = `${document.body.dataset['tried'] ?? ''} ${text.at(-1)}`;
        throw new DOMException('Not focused.', 'NotAllowedError');
      };
      // It would take the focus from what the user types into.
      document.execCommand = () => {
        document.body.dataset['tried'] += ' by selection';
        return false;
      };
    });
    await linked(hidden, 1);
    await says(hidden, 'Link to 1.png isn’t copied yet').waitFor();
    await linked(page, 1);
    await says(page, 'Link to 1.png copied').waitFor();
    await says(hidden, 'Link to 1.png isn’t copied yet').waitFor({ state: 'detached' });
    await linked(page, 2);
    await says(page, 'Link to 2.png copied').waitFor();
    // The page hears of the copy first.
    await linked(hidden, 2);
    await hidden.evaluate(() => dispatchEvent(new Event('focus')));
    expect(await hidden.evaluate(() => document.body.dataset['tried'])).toBe(' 1 2');
    await linked(hidden, 3);
    await says(hidden, 'Link to 3.png isn’t copied yet').waitFor();
    await button('Paste').focus();
    await page.evaluate(() => document.execCommand('copy'));
    await says(hidden, 'Link to 3.png isn’t copied yet').waitFor({ state: 'detached' });
  });

  it('describes the conversion of its source', async () => {
    await page.evaluate(() => {
      const { make, double } = window;
      const { MIB } = make;
      const video = { width: 1920, height: 1080, fps: 60, seconds: 9, hasAudio: true, size: 45 * MIB };
      const image = { format: 'heic', bytes: 4 * MIB, width: 4000, height: 3000 };
      const folder = { files: 12, textBytes: 900, skipped: [], skippedFiles: 3, uncountedFolders: 1 };
      const made = [
        {
          ...{ kind: 'video', way: 'encode', before: video, reasons: ['SIZE'], losses: [] },
          after: { ...video, width: 1280, height: 720, fps: 29.97, size: 22 * MIB },
        },
        {
          ...{ kind: 'video', way: 'remux', before: video, reasons: ['DAMAGED'], losses: ['extras', 'end'] },
          after: { ...video, size: 8 * MIB },
        },
        { kind: 'image', before: image, after: { ...image, format: 'jpeg', bytes: 3 * MIB }, done: ['converted'] },
        { kind: 'image', before: image, after: image, done: ['metadata-removed'] },
        { kind: 'folder', selection: { ...folder, gitignore: 'applied' } },
      ] as const;
      const items = made.map((facts, index) =>
        make.makeItem('linked', 1 + index, {
          body: { path: '/spool/x', name: 'x', size: 1, made: structuredClone(facts) as never },
        }),
      );
      double.set({ queue: { items, live: {}, paused: false } });
    });
    await isShown(/1080p60 45\sMB → 720p30 22\sMB$/);
    await isShown(/1080p60 45\sMB → 1080p60 8\sMB; lost: subtitles and the damaged end$/);
    await isShown(/HEIC 4\sMB → JPEG 3\sMB/);
    await isShown('location and camera data removed');
    await isShown('12 files, 4+ skipped');
    // No word of it is cut off where the window is narrow.
    await page.setViewportSize({ width: 420, height: 900 });
    const removed = page.getByText('location and camera data removed').first();
    const overhang = await removed.evaluate(
      (fact) => fact.getBoundingClientRect().right - (fact.closest('p')?.getBoundingClientRect().right ?? Number.NaN),
    );
    expect(overhang).toBeLessThanOrEqual(0);
  });

  it('is opened and copied by a host that can', async () => {
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, clipboard: 'host' } });
    });
    await isShown('Link copied');
    await page.getByRole('link', { name: 'Open the share page of shot-1.png' }).click();
    await button('Copy the link to shot-1.png').click();
    const id = await page.evaluate(() => window.make.itemId(1));
    await eventually(async () =>
      expect([await calls('link.open'), await calls('link.copy')]).toEqual([[{ id }], [{ id }]]),
    );
    expect(page.context().pages()).toHaveLength(1);
  });

  it('is copied together with the others, one link in a line', async () => {
    expect(await button('Copy all links').count()).toBe(0);
    await page.evaluate(() => {
      const { make, double } = window;
      double.set({
        queue: { items: [make.makeItem('linked', 1), make.makeItem('linked', 2)], live: {}, paused: false },
      });
      double.answer('link.format', ({ ids }) => ({ text: ids.map((id) => `link of ${id}`).join('\n') }));
    });
    await button('Copy all links').click();
    await isShown('2 links copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n')).toHaveLength(2);
  });

  it('can be taken off the list', async () => {
    await button('Clear list').click();
    await button('Clear list').waitFor({ state: 'detached' });
  });
});
