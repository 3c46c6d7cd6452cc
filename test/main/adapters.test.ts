/** The Electron adapters of three ports of the engine: clipboard, hotkeys, notifications. */
import type * as Electron from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { err, type Failure, failure, ok } from '../../src/api/errors.ts';
import type { ItemId } from '../../src/api/ids.ts';
import { createBrowserOpener } from '../../src/main/adapters/browser-opener.ts';
import { createClipboard } from '../../src/main/adapters/clipboard.ts';
import { createElectronHotkeys } from '../../src/main/adapters/hotkeys.ts';
import { createNotifier, type NotifierEngine } from '../../src/main/adapters/notifier.ts';
import { desktopTextsFor } from '../../src/main/desktop-texts.ts';
import { keptNotifications, showNotification } from '../../src/main/show-notification.ts';
import {
  ClipboardItem,
  desktop,
  globalShortcut,
  resetDesktop,
  clipboard as systemClipboard,
} from '../support/electron/index.ts';
import { encodePng } from '../support/electron/png.ts';

const png = (width: number): Uint8Array =>
  encodePng({ width, height: 3, data: Buffer.alloc(width * 3 * 4, Buffer.from([10, 20, 30, 255])) });

beforeEach(resetDesktop);
afterEach(() => vi.restoreAllMocks());

describe('the clipboard', () => {
  const slept: number[] = [];
  const on = (platform: NodeJS.Platform) => createClipboard({ sleep: async (ms) => void slept.push(ms) }, platform);
  const clipboard = on('linux');
  beforeEach(() => void slept.splice(0));

  it('takes a picture and gives it back', async () => {
    expect(await clipboard.readPicture()).toEqual({ ok: true, value: null });
    expect(await clipboard.writePicture(png(8))).toMatchObject({ ok: true });
    const read = await clipboard.readPicture();
    expect(read.ok && read.value && Buffer.compare(read.value, png(8))).toBe(0);
    expect(slept).toEqual([]);
  });

  it('retries for two seconds while another program has the clipboard open, then reports it', async () => {
    const write = vi.spyOn(systemClipboard, 'write').mockRejectedValue(new Error('held'));
    expect(await clipboard.writePicture(png(8))).toMatchObject({ ok: false, error: { code: 'APP_FAILED' } });
    expect(write).toHaveBeenCalledTimes(20);
    expect(slept).toEqual(Array(19).fill(100));
    write.mockReset();
    vi.restoreAllMocks();
    vi.spyOn(systemClipboard, 'writeText').mockRejectedValueOnce(new Error('held'));
    expect(await clipboard.writeText('https://share.example/s/1')).toMatchObject({ ok: true });
    expect(desktop.clipboard).toBe('https://share.example/s/1');
  });

  it('names no link where a text cannot be copied', async () => {
    vi.spyOn(systemClipboard, 'writeText').mockRejectedValue(new Error('held'));
    const detail = 'The text could not be copied to the clipboard: held';
    expect(await clipboard.writeText('words of a picture')).toMatchObject({ ok: false, error: { detail } });
  });

  it('takes a text on Windows only if it is there when read back, whatever line breaks and ends the system makes', async () => {
    desktop.clipboard = 'before';
    const { writeText, readText } = systemClipboard;
    // A clipboard that another program has open: Electron reports no error.
    const write = vi.spyOn(systemClipboard, 'writeText').mockResolvedValueOnce().mockResolvedValueOnce();
    expect(await on('win32').writeText('https://share.example/s/1')).toMatchObject({ ok: true });
    expect(desktop.clipboard).toBe('https://share.example/s/1');
    expect(slept).toEqual([100, 100]);
    write.mockResolvedValue();
    const detail = 'The text could not be copied to the clipboard: another program has it open';
    expect(await on('win32').writeText('words')).toMatchObject({ ok: false, error: { detail } });
    write.mockImplementation(writeText);
    vi.spyOn(systemClipboard, 'readText').mockImplementation(async () =>
      (await readText()).replaceAll('\n', '\r\n').replace(/\0.*/, ''),
    );
    expect(await on('win32').writeText('two\nlines\0')).toMatchObject({ ok: true });
    // Elsewhere a desktop may not let a program read what it has written.
    vi.spyOn(systemClipboard, 'readText').mockResolvedValue('');
    expect(await clipboard.writeText('words')).toMatchObject({ ok: true });
  });

  it('is read again on Windows while another program has it open, and is not taken for an empty one', async () => {
    const holding = (type: string, content: string) =>
      [new ClipboardItem({ [type]: new Blob([content]) })] as unknown as never;
    const read = vi.spyOn(systemClipboard, 'read').mockResolvedValueOnce(holding('text/uri-list', ''));
    read.mockResolvedValue(holding('text/uri-list', 'file:///home/mira/a.png'));
    expect(await on('win32').readFiles()).toEqual({ ok: true, value: ['/home/mira/a.png'] });
    expect(slept).toEqual([100]);
    read.mockResolvedValue(holding('image/png', ''));
    const detail = 'The clipboard cannot be read: another program has it open';
    expect(await on('win32').readPicture()).toMatchObject({ ok: false, error: { detail } });
  });

  it('gives the paths of copied files', async () => {
    expect(await clipboard.readFiles()).toEqual({ ok: true, value: [] });
    const name = '%D1%81%D0%BD%D0%B8%D0%BC%D0%BE%D0%BA.png';
    const list = ['# copied', `file:///home/mira/${name}`, 'https://a.example/b.png', 'file://far/x', ''].join('\r\n');
    const copied = [new ClipboardItem({ 'text/uri-list': list })] as unknown as never;
    vi.spyOn(systemClipboard, 'read').mockResolvedValue(copied);
    expect(await clipboard.readFiles()).toEqual({ ok: true, value: ['/home/mira/снимок.png'] });
  });

  it('reports a picture on the clipboard only after reading it back', async () => {
    const { write } = systemClipboard;
    let tries = 0;
    vi.spyOn(systemClipboard, 'write').mockImplementation(async (items) => {
      tries += 1;
      await write(items);
      // A clipboard manager that overwrites the clipboard.
      if (tries < 3) desktop.clipboardPicture = Buffer.from(png(5));
    });
    expect(await clipboard.writePicture(png(8))).toMatchObject({ ok: true });
    expect(tries).toBe(3);
    expect(slept).toEqual([100, 100]);
  });
});

describe('hotkeys', () => {
  const electronHotkeys = createElectronHotkeys('electron');

  it('are reported until they are unregistered', async () => {
    const press = vi.fn();
    const listening = await electronHotkeys.listen('Control+Shift+1', press);
    desktop.hotkeys.get('Control+Shift+1')?.();
    expect(press).toHaveBeenCalledOnce();
    if (listening.ok) listening.value();
    expect(desktop.hotkeys.size).toBe(0);
  });

  it('are reported as in use or as invalid', async () => {
    desktop.takenHotkeys.add('PrintScreen');
    expect(await electronHotkeys.listen('PrintScreen', () => {})).toMatchObject({
      error: { code: 'HOTKEY_TAKEN', params: { hotkey: 'PrintScreen' } },
    });
    vi.spyOn(globalShortcut, 'register').mockImplementation(() => {
      throw new TypeError('Error processing argument');
    });
    expect(await electronHotkeys.listen('Blah+1', () => {})).toMatchObject({ error: { code: 'HOTKEY_INVALID' } });
  });
});

describe('notices', () => {
  it('show a ready link, open it on click, and do not appear while the user sees it anyway', async () => {
    let isSeen = false;
    const opener = createBrowserOpener(() => ['https://share.example']);
    const notifier = createNotifier({
      ...{ opener, messages: () => desktopTextsFor('ru', []), isSeen: () => isSeen },
      ...{ platform: 'linux', engine: () => null },
    });
    const link = { id: 'i' as ItemId, name: 'shot.png', url: 'https://share.example/s/1' };
    notifier.linked(link);
    expect(desktop.notices.map(({ options }) => [options.title, options.body])).toEqual([
      ['Ссылка готова', 'shot.png'],
    ]);
    desktop.notices[0]?.emit('click');
    await expect.poll(() => desktop.opened).toEqual(['https://share.example/s/1']);
    isSeen = true;
    notifier.linked(link);
    expect(desktop.notices).toHaveLength(1);
    expect(desktop.notices[0]?.options).not.toHaveProperty('actions');
  });

  it('answer as long as the system lists them: forgotten are those it closes, the clicked, and the oldest of many', () => {
    const show = () => {
      showNotification({ title: 'A link' });
      const notice = desktop.notices.at(-1);
      if (!notice) throw new Error('no notification');
      return { notice, isKept: () => keptNotifications.has(notice as unknown as Electron.Notification) };
    };
    const [moved, hidden, closed, clicked, pressed] = [show(), show(), show(), show(), show()];
    // Windows moves a toast to its centre.
    moved.notice.emit('close', { reason: 'timedOut' });
    hidden.notice.emit('close', { reason: 'applicationHidden' });
    closed.notice.emit('close', { reason: 'userCanceled' });
    clicked.notice.emit('click');
    pressed.notice.emit('action', { actionIndex: 0 });
    expect([moved, hidden, closed, clicked, pressed].map(({ isKept }) => isKept())).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
    const others = Array.from({ length: 50 }, show);
    expect(moved.isKept()).toBe(false);
    expect(others.every(({ isKept }) => isKept())).toBe(true);
  });

  describe('with buttons, on Windows and macOS', () => {
    const ID = 'i' as ItemId;
    const opened = (answer: Failure | null = null) => {
      const calls: string[] = [];
      const done = ok({ answers: [{ id: ID, item: null, failure: answer }] });
      const engine: NotifierEngine = {
        link: {
          async copy({ id }) {
            calls.push(`copy ${id}`);
            return answer ? err(answer) : ok({ url: '', text: '' });
          },
        },
        library: {
          async delete({ ids: [id], when }) {
            calls.push(`delete ${id} ${when}`);
            return done;
          },
          undelete({ ids: [id] }) {
            calls.push(`keep ${id}`);
            return done;
          },
        },
        app: { notify: ({ code }) => void calls.push(`notify ${code}`) },
      };
      const notifier = createNotifier({
        ...{ messages: () => desktopTextsFor('en', []), isSeen: () => false, platform: 'win32' },
        opener: createBrowserOpener(() => []),
        engine: () => engine,
      });
      notifier.linked({ id: ID, name: 'shot.png', url: 'https://share.example/s/1' });
      const press = (notice: number, actionIndex: number) => desktop.notices[notice]?.emit('action', { actionIndex });
      const buttons = () => desktop.notices.map(({ options }) => options.actions?.map(({ text }) => text));
      return { calls, press, buttons };
    };

    it('copy the link', async () => {
      const { calls, press, buttons } = opened();
      expect(buttons()).toEqual([['Copy link', 'Delete']]);
      press(0, 0);
      await expect.poll(() => calls).toEqual(['copy i']);
    });

    it('still copy the link once Windows has moved the notification to its centre', async () => {
      const { calls, press } = opened();
      const [notice] = desktop.notices;
      notice?.emit('close', { reason: 'timedOut' });
      expect(keptNotifications.has(notice as unknown as Electron.Notification)).toBe(true);
      press(0, 0);
      await expect.poll(() => calls).toEqual(['copy i']);
    });

    it('delete the link, which the next notification undoes', async () => {
      const { calls, press, buttons } = opened();
      press(0, 1);
      await expect.poll(buttons).toEqual([['Copy link', 'Delete'], ['Undo']]);
      press(1, 0);
      await expect.poll(() => calls).toEqual(['delete i after-undo', 'keep i']);
    });

    it('report what failed, and then offer no undo', async () => {
      const { calls, press } = opened(failure('NOT_CONNECTED', 'Connect first.'));
      press(0, 0);
      press(0, 1);
      await expect
        .poll(() => [...calls].sort())
        .toEqual(['copy i', 'delete i after-undo', 'notify NOT_CONNECTED', 'notify NOT_CONNECTED']);
      expect(desktop.notices).toHaveLength(1);
    });
  });
});
