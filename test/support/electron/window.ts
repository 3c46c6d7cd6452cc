/** `BrowserWindow`: bounds and state are a model; its content is the page of `page.ts`. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { app } from './app.ts';
import { desktop } from './desktop.ts';
import { needsReady } from './life-cycle.ts';
import { pages, type ShownPage } from './page.ts';
import { WebContents } from './web-contents.ts';

type State = 'normal' | 'minimized' | 'maximized' | 'full-screen';
type Level = Parameters<Electron.BrowserWindow['setAlwaysOnTop']>[1];
type Doubled = Exclude<
  keyof BrowserWindow,
  | keyof EventEmitter
  | 'options'
  | 'webContents'
  | 'url'
  | 'isShown'
  | 'level'
  | 'ignoresMouse'
  | 'progress'
  | 'progressMode'
  | 'overlayWords'
  | 'isFlashing'
>;

let windows = 0;

export class BrowserWindow extends EventEmitter {
  readonly id: number;
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents: WebContents;
  isShown: boolean;
  /** Its always-on-top level; null: not on top. */
  level: Level | null;
  ignoresMouse = false;
  progress = -1;
  progressMode = 'none';
  overlayWords = '';
  isFlashing = false;
  #bounds: Electron.Rectangle;
  #state: State = 'normal';
  #page: ShownPage | null;
  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    needsReady('BrowserWindow');
    windows += 1;
    this.id = windows;
    this.options = options;
    this.isShown = options.show ?? true;
    this.level = options.alwaysOnTop ? 'floating' : null;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    desktop.windows.push(this);
    this.webContents = new WebContents(() => this.#page);
    this.webContents.on('close-asked', () => this.close());
    this.#page = pages.open(this);
    this.#page.place(this.#bounds);
    app.emit('browser-window-created', {}, this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  static getAllWindows(): BrowserWindow[] {
    return [...desktop.windows];
  }
  static fromId(id: number): BrowserWindow | null {
    return desktop.windows.find((window) => window.id === id) ?? null;
  }
  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return desktop.windows.find(({ webContents }) => webContents === contents) ?? null;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return desktop.windows.find((window) => window.isFocused()) ?? null;
  }
  /** The requested address. */
  get url(): string {
    return this.webContents.url;
  }
  async loadURL(url: string): Promise<void> {
    await this.webContents.loadURL(url);
    if (!this.isDestroyed()) this.emit('ready-to-show');
  }
  reload(): void {
    this.webContents.reload();
  }
  show(): void {
    this.#appear();
    this.focus();
  }
  showInactive(): void {
    this.#appear();
  }
  #appear(): void {
    if (this.isShown) return;
    this.isShown = true;
    this.emit('show');
  }
  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.blur();
    this.emit('hide');
  }
  focus(): void {
    if (focused === this) return;
    focused?.blur();
    focused = this;
    this.emit('focus');
  }
  blur(): void {
    if (focused !== this) return;
    focused = null;
    this.emit('blur');
  }
  isFocused(): boolean {
    return focused === this;
  }
  isVisible(): boolean {
    return this.isShown;
  }
  isMinimized(): boolean {
    return this.#state === 'minimized';
  }
  isMaximized(): boolean {
    return this.#state === 'maximized';
  }
  isFullScreen(): boolean {
    return this.#state === 'full-screen';
  }
  minimize(): void {
    this.#become('minimized', 'minimize');
  }
  maximize(): void {
    this.#become('maximized', 'maximize');
  }
  unmaximize(): void {
    this.#become('normal', 'unmaximize');
  }
  restore(): void {
    this.#become('normal', 'restore');
  }
  setFullScreen(isFull: boolean): void {
    this.#become(isFull ? 'full-screen' : 'normal', isFull ? 'enter-full-screen' : 'leave-full-screen');
  }
  #become(state: State, event: string): void {
    this.#state = state;
    this.emit(event);
  }
  getBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }
  getNormalBounds(): Electron.Rectangle {
    return this.getBounds();
  }
  getContentBounds(): Electron.Rectangle {
    return this.getBounds();
  }
  getSize(): number[] {
    return [this.#bounds.width, this.#bounds.height];
  }
  getPosition(): number[] {
    return [this.#bounds.x, this.#bounds.y];
  }
  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const before = this.#bounds;
    this.#bounds = { ...before, ...bounds };
    this.#page?.place(this.#bounds);
    if (before.x !== this.#bounds.x || before.y !== this.#bounds.y) this.emit('move');
    if (before.width !== this.#bounds.width || before.height !== this.#bounds.height) this.emit('resize');
  }
  setContentBounds(bounds: Electron.Rectangle): void {
    this.setBounds(bounds);
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  setAlwaysOnTop(isOnTop: boolean, level: Level = 'floating'): void {
    this.level = isOnTop ? level : null;
  }
  isAlwaysOnTop(): boolean {
    return this.level !== null;
  }
  setIgnoreMouseEvents(ignores: boolean): void {
    this.ignoresMouse = ignores;
  }
  setProgressBar(progress: number, { mode = 'normal' }: { readonly mode?: string } = {}): void {
    this.progress = progress;
    this.progressMode = mode;
  }
  setOverlayIcon(_icon: unknown, words: string): void {
    this.overlayWords = words;
  }
  setVisibleOnAllWorkspaces(): void {}
  setSkipTaskbar(): void {}
  setMenu(): void {}
  removeMenu(): void {}
  setMenuBarVisibility(): void {}
  setContentProtection(): void {}
  setOpacity(): void {}
  setBackgroundColor(): void {}
  setFocusable(): void {}
  setResizable(): void {}
  setKiosk(): void {}
  setTitle(): void {}
  setIcon(): void {}
  setAppDetails(): void {}
  moveTop(): void {}
  flashFrame(isFlashing: boolean): void {
    this.isFlashing = isFlashing;
  }
  /** Fires `close`, which a listener may prevent. */
  close(): void {
    let isPrevented = false;
    const event = {
      preventDefault: () => {
        isPrevented = true;
      },
    };
    this.emit('close', event);
    if (!isPrevented) this.destroy();
  }
  destroy(): void {
    if (this.#page === null) return;
    this.blur();
    this.#page.close();
    this.#page = null;
    this.isShown = false;
    desktop.windows = desktop.windows.filter((window) => window !== this);
    this.webContents.emit('destroyed');
    this.emit('closed');
    // An app without a listener quits with its last window.
    if (desktop.windows.length === 0 && !app.emit('window-all-closed')) app.quit();
  }
  isDestroyed(): boolean {
    return this.#page === null;
  }
}

let focused: BrowserWindow | null = null;

/** Does not compile if a method of the double is missing in Electron, or has other arguments. */
const isElectrons: BrowserWindow extends Pick<Electron.BrowserWindow, Doubled> ? true : never = true;
void isElectrons;
