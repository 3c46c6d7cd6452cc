/**
 * Stands in for the `electron` module in Vitest: only what src/main and src/preload use, typed against Electron's own
 * types, so that a call which Electron would not understand does not compile. `desktop` shows what the app did.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

type InvokeHandler = Parameters<Electron.IpcMain['handle']>[1];
type ProtocolHandler = Parameters<Electron.Protocol['handle']>[1];
type Template = Electron.MenuItemConstructorOptions[];

/** What the app asked the desktop for. */
export const desktop = {
  handlers: new Map<string, InvokeHandler>(),
  protocols: new Map<string, ProtocolHandler>(),
  privileged: [] as Electron.CustomScheme[],
  windows: [] as BrowserWindow[],
  trays: [] as Tray[],
  hotkeys: new Map<string, () => void>(),
  /** Accelerators that another program holds. */
  takenHotkeys: new Set<string>(),
  opened: [] as string[],
  clipboard: '',
  notices: [] as Notification[],
  errorBoxes: [] as string[],
  paths: new Map<string, string>(),
  exitCode: null as number | null,
  sandboxed: false,
  /** What the preload gave the page; it is loaded once. */
  exposed: new Map<string, unknown>(),
};

/** Forgets everything between two tests. */
export const resetDesktop = (): void => {
  for (const list of [desktop.privileged, desktop.windows, desktop.trays, desktop.opened, desktop.notices])
    list.length = 0;
  for (const map of [desktop.handlers, desktop.protocols, desktop.hotkeys, desktop.paths]) map.clear();
  desktop.errorBoxes.length = 0;
  desktop.takenHotkeys.clear();
  desktop.clipboard = '';
  desktop.exitCode = null;
  app.removeAllListeners();
};

class WebContents extends EventEmitter {
  readonly sent: [channel: string, ...args: unknown[]][] = [];
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null;
  requestHandler: Parameters<Electron.Session['setPermissionRequestHandler']>[0] = null;
  checkHandler: Parameters<Electron.Session['setPermissionCheckHandler']>[0] = null;
  readonly session = {
    setPermissionRequestHandler: (handler: typeof this.requestHandler): void => {
      this.requestHandler = handler;
    },
    setPermissionCheckHandler: (handler: typeof this.checkHandler): void => {
      this.checkHandler = handler;
    },
  } satisfies Partial<Electron.Session>;
  setWindowOpenHandler(handler: NonNullable<typeof this.openHandler>): void {
    this.openHandler = handler;
  }
  send(channel: string, ...args: unknown[]): void {
    this.sent.push([channel, ...structuredClone(args)]);
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents();
  readonly options: Electron.BrowserWindowConstructorOptions;
  url = '';
  isShown = false;
  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    desktop.windows.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
    this.emit('ready-to-show');
  }
  isMinimized(): boolean {
    return false;
  }
  restore(): void {}
  focus(): void {}
  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
}

export class Tray extends EventEmitter {
  menu: Template = [];
  readonly image: string;
  constructor(image: string) {
    super();
    this.image = image;
    desktop.trays.push(this);
  }
  setToolTip(): void {}
  setContextMenu(menu: { template: Template }): void {
    this.menu = menu.template;
  }
  destroy(): void {
    desktop.trays.splice(desktop.trays.indexOf(this), 1);
  }
}

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  readonly options: Electron.NotificationConstructorOptions;
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    this.options = options;
  }
  show(): void {
    desktop.notices.push(this);
  }
}

export const Menu = { buildFromTemplate: (template: Template) => ({ template }) };

export const app = Object.assign(new EventEmitter(), {
  whenReady: async (): Promise<void> => {},
  setPath: (name: string, path: string): void => void desktop.paths.set(name, path),
  enableSandbox: (): void => {
    desktop.sandboxed = true;
  },
  exit: (code = 0): void => {
    desktop.exitCode = code;
  },
  /** As Electron does it: a listener may prevent it, and then ends the app by itself. */
  quit: (): void => {
    let isPrevented = false;
    const event = {
      preventDefault: () => {
        isPrevented = true;
      },
    };
    app.emit('before-quit', event);
    if (!isPrevented) desktop.exitCode = 0;
  },
}) satisfies Pick<Electron.App, 'whenReady' | 'setPath' | 'enableSandbox' | 'exit' | 'quit'>;

export const ipcMain: Pick<Electron.IpcMain, 'handle' | 'removeHandler'> = {
  handle: (channel, handler) => {
    if (desktop.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    desktop.handlers.set(channel, handler);
  },
  removeHandler: (channel) => void desktop.handlers.delete(channel),
};

/** The frame that a message claims to come from. */
export interface Frame {
  readonly url: string;
  readonly parent: Frame | null;
}

/** What `ipcRenderer.invoke` would get back from the app, structured clone included. */
export const invokeFrom = async (frame: Frame | null, channel: string, ...args: unknown[]): Promise<unknown> => {
  const handler = desktop.handlers.get(channel);
  if (!handler) throw new Error(`No handler registered for '${channel}'`);
  const event = { senderFrame: frame } as unknown as Electron.IpcMainInvokeEvent;
  return structuredClone(await handler(event, ...structuredClone(args)));
};

export const protocol: Pick<Electron.Protocol, 'handle' | 'registerSchemesAsPrivileged'> = {
  handle: (scheme, handler) => void desktop.protocols.set(scheme, handler),
  registerSchemesAsPrivileged: (schemes) => void desktop.privileged.push(...schemes),
};

export const globalShortcut: Pick<Electron.GlobalShortcut, 'register' | 'unregister' | 'isRegistered'> = {
  register: (accelerator, press) => {
    if (desktop.takenHotkeys.has(accelerator)) return false;
    desktop.hotkeys.set(accelerator, press);
    return true;
  },
  unregister: (accelerator) => void desktop.hotkeys.delete(accelerator),
  isRegistered: (accelerator) => desktop.hotkeys.has(accelerator),
};

export const shell: Pick<Electron.Shell, 'openExternal'> = {
  openExternal: async (url) => void desktop.opened.push(url),
};

export const clipboard: Pick<Electron.Clipboard, 'writeText' | 'readText'> = {
  writeText: async (text) => {
    desktop.clipboard = text;
  },
  readText: async () => desktop.clipboard,
};

export const dialog: Pick<Electron.Dialog, 'showErrorBox'> = {
  showErrorBox: (title, content) => void desktop.errorBoxes.push(`${title}: ${content}`),
};

export const contextBridge: Pick<Electron.ContextBridge, 'exposeInMainWorld'> = {
  exposeInMainWorld: (name, api) => void desktop.exposed.set(name, api),
};

const PAGE: Frame = { url: 'app://linkshot/index.html', parent: null };
const listeners = new EventEmitter();
export const ipcRenderer = {
  invoke: (channel: string, ...args: unknown[]): Promise<unknown> => invokeFrom(PAGE, channel, ...args),
  on: (channel: string, listener: (...args: unknown[]) => void) => listeners.on(channel, listener),
  removeListener: (channel: string, listener: (...args: unknown[]) => void) => listeners.off(channel, listener),
};

/** Paths of the files that a test "dropped"; a file that is none of them lives in memory only. */
export const droppedPaths = new WeakMap<File, string>();
export const webUtils: Pick<Electron.WebUtils, 'getPathForFile'> = {
  getPathForFile: (file) => droppedPaths.get(file) ?? '',
};
