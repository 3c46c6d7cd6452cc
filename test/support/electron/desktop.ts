/** The state of the desktop: records the app's calls for tests, and what tests set up. */
import type * as Electron from 'electron';
import type { Menu } from './menu.ts';
import type { Notification } from './notification.ts';
import type { Tray } from './tray.ts';
import type { BrowserWindow } from './window.ts';

type InvokeHandler = Parameters<Electron.IpcMain['handle']>[1];
type ProtocolHandler = Parameters<Electron.Protocol['handle']>[1];

/** One screen: its bounds in logical pixels, and the source of its physical pixels. */
export interface ScreenDouble {
  readonly bounds: Electron.Rectangle;
  readonly scaleFactor: number;
  /** Its origin in physical pixels. */
  readonly nativeOrigin: Electron.Point;
  /** A picture of its physical size, or the X server that shows it at `nativeOrigin`; null: black. */
  readonly shows: { readonly picture: string } | { readonly display: string } | null;
}

const ONE_SCREEN: readonly ScreenDouble[] = [
  { bounds: { x: 0, y: 0, width: 1280, height: 800 }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 }, shows: null },
];

const nothing = () => ({
  handlers: new Map<string, InvokeHandler>(),
  protocols: new Map<string, ProtocolHandler>(),
  privileged: [] as Electron.CustomScheme[],
  windows: [] as BrowserWindow[],
  trays: [] as Tray[],
  /** Context menus that were opened. */
  popups: [] as Menu[],
  hotkeys: new Map<string, () => void>(),
  /** Accelerators that another program has registered. */
  takenHotkeys: new Set<string>(),
  screens: ONE_SCREEN,
  cursor: { x: 0, y: 0 } as Electron.Point,
  /** Titles of other programs' windows; their pictures are black. */
  otherWindows: [] as string[],
  opened: [] as string[],
  shownInFolder: [] as string[],
  clipboard: '',
  /** PNG. */
  clipboardPicture: null as Buffer | null,
  notices: [] as Notification[],
  errorBoxes: [] as string[],
  /** Questions in message boxes. */
  questions: [] as string[],
  /** The index of the button that the user presses in message boxes. */
  pressedButton: 0,
  /** Whether the user checks the box of a message box. */
  isBoxChecked: false,
  /** What the user picks in the next open or save dialog; empty: they cancel it. */
  picked: [] as string[],
  drags: [] as Electron.Item[],
  paths: new Map<string, string>(),
  exitCode: null as number | null,
  /** What starts once the app has exited. */
  relaunched: [] as Electron.RelaunchOptions[],
  /** Of the origin of the app's pages, for windows that have no zoom of their own. */
  zoomFactor: 1,
  sandboxed: false,
  isPackaged: false,
  /** The badge count on the app icon. */
  badge: 0,
  /** The macOS permission to record the screen. */
  screenAccess: 'granted' as ReturnType<Electron.SystemPreferences['getMediaAccessStatus']>,
  userModelId: '',
  protocolClients: new Map<string, readonly string[]>(),
  loginItem: { openAtLogin: false } as Electron.Settings,
  /** Whether the user turned the item off in the Task Manager of Windows. */
  isLoginItemOff: false,
  wasOpenedAtLogin: false,
  /** The jump list of Windows. */
  userTasks: [] as Electron.Task[],
  /** Whether another start was first. */
  isSecondStart: false,
});

export const desktop = {
  ...nothing(),
  /** What the preload exposed to the page; it is loaded once and stays. */
  exposed: new Map<string, unknown>(),
};

/** Resets the state; `resetDesktop` also resets the emitters. */
export const forgetDesktop = (): void => {
  Object.assign(desktop, nothing());
};
