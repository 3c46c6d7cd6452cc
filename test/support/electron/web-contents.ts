/** `webContents` of a window: messages to it, its restrictions, and its page. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';
import type { ShownPage } from './page.ts';
import { Session } from './session.ts';

type Doubled =
  | 'id'
  | 'getURL'
  | 'loadURL'
  | 'reload'
  | 'send'
  | 'setWindowOpenHandler'
  | 'executeJavaScript'
  | 'startDrag'
  | 'isDestroyed'
  | 'isCrashed'
  | 'forcefullyCrashRenderer'
  | 'isLoading'
  | 'focus'
  | 'close'
  | 'setZoomMode'
  | 'setZoomFactor'
  | 'getZoomFactor'
  | 'setVisualZoomLevelLimits'
  | 'setBackgroundThrottling'
  | 'openDevTools'
  | 'closeDevTools';

let contents = 0;

export class WebContents extends EventEmitter implements Pick<Electron.WebContents, Doubled> {
  readonly id: number;
  readonly session = Session.defaultSession;
  readonly sent: [channel: string, ...args: unknown[]][] = [];
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null;
  url = '';
  hasCrashed = false;
  /** Null: that of the origin. */
  #zoomFactor: number | null = null;
  readonly #page: () => ShownPage | null;
  constructor(page: () => ShownPage | null) {
    super();
    contents += 1;
    this.id = contents;
    this.#page = page;
  }
  static getAllWebContents(): WebContents[] {
    return desktop.windows.map(({ webContents }) => webContents);
  }
  static fromId(id: number): WebContents | undefined {
    return WebContents.getAllWebContents().find((each) => each.id === id);
  }
  static fromDevToolsTargetId(id: string): WebContents | undefined {
    return WebContents.getAllWebContents().find((each) => each.#page()?.targetId() === id);
  }
  /** The frame of the page, as a sender. */
  get mainFrame(): { readonly url: string; readonly parent: null } {
    return { url: this.url, parent: null };
  }
  getURL(): string {
    return this.url;
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
    this.hasCrashed = false;
    this.emit('did-start-loading');
    await this.#page()?.load(url);
    this.emit('dom-ready');
    this.emit('did-finish-load');
  }
  reload(): void {
    this.hasCrashed = false;
    void this.#page()
      ?.reload()
      .then(() => this.emit('did-finish-load'));
  }
  setWindowOpenHandler(handler: NonNullable<typeof this.openHandler>): void {
    this.openHandler = handler;
  }
  send(channel: string, ...args: unknown[]): void {
    const copied = structuredClone(args);
    this.sent.push([channel, ...copied]);
    this.#page()?.send(channel, copied);
  }
  async executeJavaScript(code: string): Promise<unknown> {
    return this.#page()?.evaluate(code);
  }
  startDrag(item: Electron.Item): void {
    desktop.drags.push(item);
  }
  /** The event of Electron when the process of the page has crashed. */
  crash(reason: Electron.RenderProcessGoneDetails['reason']): void {
    this.hasCrashed = true;
    this.emit('render-process-gone', {}, { reason, exitCode: 1 });
  }
  forcefullyCrashRenderer(): void {
    this.#page()?.crash();
  }
  isDestroyed(): boolean {
    return this.#page() === null;
  }
  isCrashed(): boolean {
    return this.hasCrashed;
  }
  isLoading(): boolean {
    return false;
  }
  focus(): void {}
  close(): void {
    this.emit('close-asked');
  }
  setZoomMode(mode: Parameters<Electron.WebContents['setZoomMode']>[0]): void {
    this.#zoomFactor = mode === 'isolated' ? this.getZoomFactor() : null;
  }
  setZoomFactor(factor: number): void {
    if (this.#zoomFactor === null) desktop.zoomFactor = factor;
    else this.#zoomFactor = factor;
  }
  getZoomFactor(): number {
    return this.#zoomFactor ?? desktop.zoomFactor;
  }
  async setVisualZoomLevelLimits(): Promise<void> {}
  setBackgroundThrottling(): void {}
  openDevTools(): void {}
  closeDevTools(): void {}
}
