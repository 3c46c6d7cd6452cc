/** The main window: opens when needed, on the requested screen, and its text can be zoomed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import type { Settings } from '../../src/ipc/protocol/settings.ts';
import { desktopTextsFor } from '../../src/main/desktop-texts.ts';
import { setAppMenu } from '../../src/main/windows/app-menu.ts';
import { createAskBeforeHiding } from '../../src/main/windows/ask-before-hiding.ts';
import { createMainWindow, putAway } from '../../src/main/windows/main-window.ts';
import { BrowserWindow, desktop, Menu, resetDesktop } from '../support/electron/index.ts';
import { makeReview, makeState } from '../support/window/app-state.ts';
import { CAPTURE } from '../support/window/frozen-desktop.ts';

const quiet = makeState({ capture: null, recording: null });
const editing: AppState = {
  ...quiet,
  capture: { state: 'editing', id: CAPTURE, name: 'Screenshot', width: 10, height: 10, takenAt: 0 },
};
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

const open = (mayHide = async () => true) => {
  const window = createMainWindow({ place: () => ({}), follow: () => {}, mayHide });
  return { window, send: (state: AppState) => window.send({ type: 'state', state }), shown: () => desktop.windows[0] };
};

beforeEach(resetDesktop);
afterEach(() => vi.restoreAllMocks());

describe('the window', () => {
  it('comes to the front once for a picture in the editor, and for a recording to look at', async () => {
    const { window, send, shown } = open();
    window.show();
    await settled();
    send(quiet);
    shown()?.hide();
    send(editing);
    expect([shown()?.isVisible(), window.isFocused()]).toEqual([true, true]);
    // A user who hides it keeps it hidden.
    shown()?.hide();
    send(editing);
    expect(shown()?.isVisible()).toBe(false);
    window.send({ type: 'recalled' });
    expect(shown()?.isVisible()).toBe(true);
    shown()?.hide();
    send(quiet);
    send({ ...quiet, recording: makeReview() });
    expect(shown()?.isVisible()).toBe(true);
  });

  it('leaves the screen at a quit, on Windows as a window that a shutdown waits for', async () => {
    const { window, shown } = open();
    window.show();
    await settled();
    const main = window.window();
    if (!main) throw new Error('no window');
    putAway(main, 'win32');
    expect([shown()?.isVisible(), shown()?.isMinimized()]).toEqual([true, true]);
    putAway(main, 'linux');
    expect(shown()?.isVisible()).toBe(false);
  });

  it('stays away at a hidden start, whatever was left from before', () => {
    const { send } = open();
    send(editing);
    expect(desktop.windows).toEqual([]);
  });

  it('opens on the requested screen, and switches there without reloading the page', async () => {
    const { window, shown } = open();
    window.show('settings');
    await settled();
    expect(shown()?.url).toBe('app://linkshot/index.html#settings');
    const first = shown();
    window.show('library');
    expect(shown()?.url).toBe('app://linkshot/index.html#library');
    const load = vi.spyOn(first as NonNullable<typeof first>, 'loadURL');
    window.show('library');
    window.show();
    expect(load).not.toHaveBeenCalled();
    expect(desktop.windows).toEqual([first]);
  });
});

describe('its zoom', () => {
  it('changes no other window of the app, although all have the same origin', async () => {
    const { window, shown } = open();
    window.show();
    await settled();
    const panel = new BrowserWindow();
    window.zoom('in');
    expect([shown()?.webContents.getZoomFactor(), panel.webContents.getZoomFactor()]).toEqual([1.1, 1]);
  });

  it('is that of the next window too, and of a page that is loaded again', async () => {
    const { window, shown } = open();
    window.show();
    await settled();
    window.zoom('in');
    shown()?.webContents.setZoomFactor(1);
    await shown()?.loadURL('app://linkshot/index.html');
    expect(shown()?.webContents.getZoomFactor()).toBe(1.1);
    shown()?.destroy();
    window.show();
    await settled();
    expect(shown()?.webContents.getZoomFactor()).toBe(1.1);
    window.zoom('in');
    expect(shown()?.webContents.getZoomFactor()).toBe(1.25);
  });
});

describe('closing the window', () => {
  const BUTTONS = { keep: 0, quit: 1, cancel: 2 };
  const close = async (
    isTrayShown: boolean,
    pressed: keyof typeof BUTTONS,
    { answer = 'ask', remember = vi.fn() }: { answer?: Settings['closeWithoutTray']; remember?: () => void } = {},
  ) => {
    const quit = vi.fn();
    desktop.pressedButton = BUTTONS[pressed];
    const asks = { isTrayShown: async () => isTrayShown, window: () => null, quit, answer: () => answer, remember };
    const mayHide = createAskBeforeHiding({ ...asks, messages: () => desktopTextsFor('en', []) });
    const { window, shown } = open(mayHide);
    window.show();
    await settled();
    const first = shown();
    first?.close();
    // Meanwhile it does not ask again.
    first?.close();
    await settled();
    return {
      isVisible: first?.isVisible(),
      isDestroyed: first?.isDestroyed(),
      asked: desktop.questions.length,
      quits: quit.mock.calls.length,
    };
  };

  it('hides it without a question where the tray leads back to it', async () => {
    expect(await close(true, 'cancel')).toEqual({ isVisible: false, isDestroyed: false, asked: 0, quits: 0 });
  });

  it('asks where no tray icon is shown: it hides, the app quits, or it stays', async () => {
    expect(await close(false, 'keep')).toEqual({ isVisible: false, isDestroyed: false, asked: 1, quits: 0 });
    resetDesktop();
    expect(await close(false, 'quit')).toEqual({ isVisible: true, isDestroyed: false, asked: 1, quits: 1 });
    resetDesktop();
    expect(await close(false, 'cancel')).toEqual({ isVisible: true, isDestroyed: false, asked: 1, quits: 0 });
  });

  it('remembers the answer only where the user asks for that, and never a cancelled question', async () => {
    const remember = vi.fn();
    await close(false, 'keep', { remember });
    expect(remember).not.toHaveBeenCalled();
    for (const pressed of ['keep', 'quit', 'cancel'] as const) {
      resetDesktop();
      desktop.isBoxChecked = true;
      await close(false, pressed, { remember });
    }
    expect(remember.mock.calls).toEqual([['keep'], ['quit']]);
  });

  it('follows a remembered answer without a question', async () => {
    const keep = { answer: 'keep' } as const;
    expect(await close(false, 'cancel', keep)).toEqual({ isVisible: false, isDestroyed: false, asked: 0, quits: 0 });
    resetDesktop();
    const quit = { answer: 'quit' } as const;
    expect(await close(false, 'cancel', quit)).toEqual({ isVisible: true, isDestroyed: false, asked: 0, quits: 1 });
    resetDesktop();
    // The tray leads back to it.
    expect(await close(true, 'cancel', quit)).toEqual({ isVisible: false, isDestroyed: false, asked: 0, quits: 0 });
  });
});

describe('the menu of the app', () => {
  it('has no key that reloads, inspects or closes; those that change the size of the text are for the window alone', async () => {
    let menu: Menu | null = null;
    vi.spyOn(Menu, 'setApplicationMenu').mockImplementation(((set: Menu) => {
      menu = set;
    }) as () => void);
    const { window, shown } = open();
    setAppMenu({ platform: 'win32', messages: () => desktopTextsFor('en', []), zoom: window.zoom });
    const items = (menu as Menu | null)?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    const keys = ['CommandOrControl+Plus', 'CommandOrControl+=', 'CommandOrControl+-', 'CommandOrControl+0'];
    expect(items.map(({ accelerator }) => accelerator)).toEqual(keys);
    window.show();
    await settled();
    const zoom = vi.spyOn(
      shown()?.webContents as NonNullable<ReturnType<typeof shown>>['webContents'],
      'setZoomFactor',
    );
    const press = (key: string) => items.find(({ accelerator }) => accelerator === key)?.click();
    for (const key of ['CommandOrControl+=', 'CommandOrControl+Plus', 'CommandOrControl+-', 'CommandOrControl+0'])
      press(key);
    for (let times = 0; times < 20; times++) press('CommandOrControl+=');
    expect(zoom.mock.calls.flat().slice(0, 4)).toEqual([1.1, 1.25, 1.1, 1]);
    expect(zoom.mock.lastCall).toEqual([3]);
    zoom.mockClear();
    shown()?.blur();
    press('CommandOrControl+-');
    expect(zoom).not.toHaveBeenCalled();
  });

  it('has the language of the settings once they are known, and follows it', () => {
    const menus: Menu[] = [];
    vi.spyOn(Menu, 'setApplicationMenu').mockImplementation(((set: Menu) => {
      menus.push(set);
    }) as () => void);
    let language: Settings['language'] = 'system';
    const name = setAppMenu({ platform: 'darwin', messages: () => desktopTextsFor(language, ['en']), zoom: () => {} });
    name();
    language = 'ru';
    name();
    name();
    expect(menus.map(({ items }) => items[2]?.label)).toEqual(['View', 'Вид']);
  });
});
