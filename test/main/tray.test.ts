/** The tray follows the state: redrawn on changes, kept while open, and every entry acts. */
import type * as Electron from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failure, ok } from '../../src/api/errors.ts';
import { LIMITS } from '../../src/api/limits.ts';
import type { Engine, NewItem } from '../../src/engine/engine.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import { desktopTextsFor } from '../../src/main/desktop-texts.ts';
import { createNoticeNotifications } from '../../src/main/notice-notifications.ts';
import { keptNotifications } from '../../src/main/show-notification.ts';
import { createTaskBar, taskBarStateOf } from '../../src/main/tray/task-bar.ts';
import { createAppTray } from '../../src/main/tray/tray.ts';
import { createTrayActions } from '../../src/main/tray/tray-actions.ts';
import type { TrayAction } from '../../src/main/tray/tray-menu.ts';
import { BrowserWindow, desktop, type Menu, resetDesktop } from '../support/electron/index.ts';
import { itemId, MIB, makeItem, makeLibraryItem, makeState } from '../support/window/app-state.ts';

const messages = () => desktopTextsFor('en', []);
const quiet = makeState({ queue: { items: [], live: {}, paused: false }, capture: null, recording: null, notices: [] });
const uploading = (confirmedBytes: number): AppState => ({
  ...quiet,
  queue: { items: [makeItem('started', 1, { size: 100 * MIB, confirmedBytes })], live: {}, paused: false },
});
const failing = (): AppState => {
  const error = { failure: failure('QUOTA_EXCEEDED', ''), since: 0, retryAt: null };
  return { ...quiet, queue: { items: [makeItem('queued', 1, { error })], live: {}, paused: false } };
};
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

beforeEach(resetDesktop);

describe('the tray', () => {
  const open = (platform: NodeJS.Platform, library = [makeLibraryItem(1)]) => {
    const acted: TrayAction[] = [];
    const search: Engine['library']['search'] = ({ limit = LIMITS.pageItems }) =>
      ok({ items: library.slice(0, limit), nextCursor: null, total: library.length });
    const tray = createAppTray({
      ...{ engine: { library: { search } } as unknown as Engine, messages, iconDir: 'icons', platform },
      pins: () => null,
      act: (action) => acted.push(action),
    });
    const [shown] = desktop.trays;
    if (!shown) throw new Error('no tray');
    return { tray, shown, acted, send: (state: AppState) => tray.follow({ type: 'state', state }) };
  };
  const labels = (menu: Menu | null) => menu?.items.map(({ label }) => label) ?? [];

  it('shows icon, tooltip and menu of the state, and rebuilds a menu only where it changes', () => {
    const { shown, send } = open('win32');
    send(quiet);
    const first = shown.contextMenu;
    expect([shown.image, shown.toolTip]).toEqual(['icons/tray/idle.png', 'Linkshot']);
    send({ ...quiet });
    expect(shown.contextMenu).toBe(first);
    send(uploading(31 * MIB));
    const second = shown.contextMenu;
    expect(labels(second)).toContain('Queue: 1 item, 30%');
    send(uploading(38 * MIB));
    expect(shown.contextMenu).toBe(second);
    expect([shown.image, shown.toolTip]).toEqual(['icons/tray/progress-1.png', 'Linkshot: uploading 1 item, 38%']);
  });

  it('lists the newest links that still open, although the service has deleted newer ones', () => {
    const deleted = Array.from({ length: 26 }, (_, number) => ({ ...makeLibraryItem(number + 1), goneAt: 1 }));
    const { shown, send } = open('linux', [...deleted, { ...makeLibraryItem(27), name: 'kept.png' }]);
    send(quiet);
    const recent = shown.menu.find(({ label }) => label === 'Recent links');
    expect(recent?.submenu?.items.map(({ label }) => label)).toEqual(['kept.png']);
  });

  it('does not take a menu away while it is open', async () => {
    const { shown, send } = open('win32');
    send(quiet);
    const seen = shown.contextMenu;
    seen?.emit('menu-will-show');
    send(uploading(50 * MIB));
    expect(shown.contextMenu).toBe(seen);
    seen?.emit('menu-will-close');
    await settled();
    expect(labels(shown.contextMenu)).toContain('Queue: 1 item, 50%');
  });

  it('runs the clicked action; a click on the icon opens the window where it does not open the menu', () => {
    const windows = open('win32');
    windows.send(quiet);
    windows.shown.emit('click');
    windows.shown.menu.find(({ label }) => label === 'Capture a region')?.click();
    expect(windows.acted).toEqual([
      { do: 'show', screen: 'home' },
      { do: 'capture', mode: 'region' },
    ]);
    for (const platform of ['darwin', 'linux'] as const) {
      resetDesktop();
      const { shown, acted } = open(platform);
      shown.emit('click');
      expect(acted).toEqual([]);
    }
  });

  it('shows the characters of a name, though & marks a key in menus', () => {
    const search = () => ok({ items: [{ ...makeLibraryItem(1), name: 'R&D.png' }], nextCursor: null, total: 1 });
    const engine = { library: { search } } as unknown as Engine;
    const tray = createAppTray({
      engine,
      messages,
      act: () => {},
      iconDir: 'icons',
      platform: 'linux',
      pins: () => null,
    });
    tray.follow({ type: 'state', state: quiet });
    const recent = desktop.trays[0]?.menu.find(({ label }) => label === 'Recent links');
    expect(recent?.submenu?.items[0]?.label).toBe('R&&D.png');
  });
});

describe('an entry', () => {
  const open = (engine: { readonly [F in keyof Engine]?: Partial<Engine[F]> }, text = '') => {
    const notices: string[] = [];
    const clipboard = { readText: async () => ok(text) };
    const notify: Engine['app']['notify'] = ({ code }) => void notices.push(code);
    const act = createTrayActions(
      {
        ...{ clipboard, pins: null, show: () => {}, quit: () => {} },
        engine: { app: { notify }, ...engine } as unknown as Engine,
      },
      new AbortController().signal,
    );
    return { act, notices };
  };

  it('begins a capture as the hotkey does, or after a delay, or to record', async () => {
    const start = vi.fn<Engine['capture']['start']>(async () => ok({}));
    const { act } = open({ capture: { start } });
    act({ do: 'capture', mode: 'window' });
    act({ do: 'capture', mode: 'region', delaySeconds: 5 });
    act({ do: 'record', mode: 'screen' });
    expect(start.mock.calls.map(([request]) => request)).toEqual([
      { mode: 'window' },
      { mode: 'region', delaySeconds: 5 },
      { mode: 'screen', purpose: 'recording', delaySeconds: 0 },
    ]);
  });

  it('uploads the files that are picked, and nothing where none is', async () => {
    const add = vi.fn(async (_: readonly NewItem[]) => ok([itemId(1)]));
    const { act } = open({ queue: { add } });
    act({ do: 'upload-files' });
    await settled();
    expect(add).not.toHaveBeenCalled();
    desktop.picked = ['/home/mira/one.png', '/home/mira/two.mp4'];
    act({ do: 'upload-files' });
    await expect
      .poll(() => add.mock.calls[0]?.[0])
      .toEqual([
        { source: { owner: 'user', path: '/home/mira/one.png' }, name: 'one.png' },
        { source: { owner: 'user', path: '/home/mira/two.mp4' }, name: 'two.mp4' },
      ]);
  });

  it('uploads the copied files, or makes a note of the copied text', async () => {
    const addClipboard = vi.fn<Engine['intake']['addClipboard']>(async () => ok([itemId(1)]));
    const addNote = vi.fn(async (_: { readonly text: string }) => ok({ id: itemId(2) }));
    const { act } = open({ intake: { addClipboard }, note: { add: addNote } }, 'another');
    act({ do: 'upload-clipboard' });
    act({ do: 'new-note' });
    await expect.poll(() => addNote.mock.calls.map(([note]) => note.text)).toEqual(['another']);
    expect(addClipboard).toHaveBeenCalledOnce();
  });

  it('that fails is reported with the reason', async () => {
    const refused = { ok: false, error: failure('CAPTURE_BUSY', 'One is under way.') } as const;
    const answer = { id: itemId(1), item: null, failure: failure('NETWORK_FAILED', '') };
    const { act, notices } = open({
      capture: { start: async () => refused },
      library: { delete: async () => ok({ answers: [answer] }) },
      link: { copy: () => Promise.reject(new Error('a bug')) },
    });
    act({ do: 'capture', mode: 'region' });
    act({ do: 'delete', id: itemId(1) });
    act({ do: 'copy-link', id: itemId(1) });
    await expect.poll(() => notices.toSorted()).toEqual(['APP_FAILED', 'CAPTURE_BUSY', 'NETWORK_FAILED']);
  });
});

describe('the task bar', () => {
  it('shows how far the uploads are, and a badge while one needs the user', () => {
    const window = new BrowserWindow();
    const follow = createTaskBar({
      ...{ messages, iconDir: 'icons', platform: 'linux' },
      window: { window: () => window as unknown as Electron.BrowserWindow },
    });
    follow({ type: 'state', state: uploading(25 * MIB) });
    expect([window.progress, desktop.badge]).toEqual([0.25, 0]);
    follow({ type: 'state', state: failing() });
    expect([window.progress, desktop.badge]).toEqual([-1, 1]);
    follow({ type: 'state', state: quiet });
    expect([window.progress, desktop.badge]).toEqual([-1, 0]);
  });

  it('shows progress, pause and failure differently', () => {
    const going = uploading(25 * MIB).queue;
    const [item] = going.items;
    const [failed] = failing().queue.items;
    if (!item || !failed) throw new Error('no items');
    expect(taskBarStateOf(quiet.queue, null)).toEqual({ progress: -1, mode: 'none', badge: 0 });
    expect(taskBarStateOf(going, null)).toEqual({ progress: 0.25, mode: 'normal', badge: 0 });
    expect(taskBarStateOf({ ...going, paused: true }, null)).toEqual({ progress: 0.25, mode: 'paused', badge: 0 });
    expect(taskBarStateOf({ ...going, items: [item, failed] }, null)).toEqual({
      progress: 0.25,
      mode: 'error',
      badge: 1,
    });
    expect(taskBarStateOf({ ...going, items: [{ ...item, size: 0 }] }, null)).toMatchObject({ mode: 'indeterminate' });
  });

  it('on Windows flashes at a new failure until the window gets the focus, and shows their number', () => {
    const window = new BrowserWindow();
    const follow = createTaskBar({
      ...{ messages, iconDir: 'icons', platform: 'win32' },
      window: { window: () => window as unknown as Electron.BrowserWindow },
    });
    // Earlier errors are not announced.
    follow({ type: 'state', state: failing() });
    expect(window.isFlashing).toBe(false);
    follow({ type: 'state', state: uploading(1) });
    expect([window.progressMode, window.overlayWords]).toEqual(['normal', '']);
    window.blur();
    follow({ type: 'state', state: failing() });
    expect([window.isFlashing, window.overlayWords]).toEqual([true, messages().tip.failed(1)]);
    window.focus();
    expect(window.isFlashing).toBe(false);
  });
});

describe('a notice', () => {
  const taken = failure('HOTKEY_TAKEN', 'Another program holds it.');
  const follow = (isSeen: boolean) => {
    const show = vi.fn();
    const hear = createNoticeNotifications({ messages: () => desktopTextsFor('ru', []), isSeen: () => isSeen, show });
    return { show, send: (notices: AppState['notices']) => hear({ type: 'state', state: { ...quiet, notices } }) };
  };

  it('of the app is shown by the system once, where the window is not visible', () => {
    const { send, show } = follow(false);
    send([]);
    send([taken]);
    send([taken]);
    expect(desktop.notices.map(({ options }) => options.body)).toEqual([desktopTextsFor('ru', []).failure(taken)]);
    expect(desktop.notices[0]?.options.body).toMatch(/^Горячая клавиша/);
    expect(keptNotifications.has(desktop.notices[0] as unknown as Electron.Notification)).toBe(true);
    desktop.notices[0]?.emit('click');
    expect(show).toHaveBeenCalledOnce();
    send([]);
    send([taken]);
    expect(desktop.notices).toHaveLength(2);
  });

  it('of another key that is left is shown too, and does not say that a key cannot be stored', () => {
    const { send } = follow(false);
    const left = ['https://a.example', 'https://b.example'].map((keyLeftFor) =>
      failure('KEY_STORE_FAILED', 'Locked.', { params: { keyLeftFor } }),
    );
    send([]);
    send(left.slice(0, 1));
    send(left);
    const body = 'Хранилище ключей недоступно. Подробности в окне Linkshot.';
    expect(desktop.notices.map(({ options }) => options.body)).toEqual([body, body]);
  });

  it('is not shown twice while the window is visible', () => {
    const looking = follow(true);
    looking.send([]);
    looking.send([taken]);
    // One that existed at the start is not announced.
    follow(false).send([taken]);
    expect(desktop.notices).toEqual([]);
  });
});
