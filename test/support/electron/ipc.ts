/**
 * `ipcMain`, and the preload's side of it for tests that load the preload themselves. Messages are cloned, as in
 * Electron.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';

const listeners = new EventEmitter();

export const ipcMain = {
  handle: (channel, handler) => {
    if (desktop.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    desktop.handlers.set(channel, handler);
  },
  removeHandler: (channel) => void desktop.handlers.delete(channel),
} satisfies Pick<Electron.IpcMain, 'handle' | 'removeHandler'>;

/** The frame that a message claims to come from. */
export interface Frame {
  readonly url: string;
  readonly parent: Frame | null;
}

/** The sender: the frame, and the contents of its window if the test has one. */
export interface IpcSender {
  readonly senderFrame: Frame | null;
  readonly sender: unknown;
}

/** Replies as the app does; input and output are cloned. */
export const answerIpc = async (from: IpcSender, channel: string, args: readonly unknown[]): Promise<unknown> => {
  const handler = desktop.handlers.get(channel);
  if (!handler) throw new Error(`No handler registered for '${channel}'`);
  return structuredClone(await handler(from as Electron.IpcMainInvokeEvent, ...structuredClone(args)));
};

/** What `ipcRenderer.invoke` would return. */
export const invokeFrom = (frame: Frame | null, channel: string, ...args: unknown[]): Promise<unknown> =>
  answerIpc({ senderFrame: frame, sender: null }, channel, args);

const PAGE: Frame = { url: 'app://linkshot/index.html', parent: null };

export const ipcRenderer = {
  invoke: (channel: string, ...args: unknown[]): Promise<unknown> => invokeFrom(PAGE, channel, ...args),
  on: (channel: string, listener: (...args: unknown[]) => void) => listeners.on(channel, listener),
  removeListener: (channel: string, listener: (...args: unknown[]) => void) => listeners.off(channel, listener),
};

export const contextBridge: Pick<Electron.ContextBridge, 'exposeInMainWorld'> = {
  exposeInMainWorld: (name, api) => void desktop.exposed.set(name, api),
};

/** Paths of files that a test "dropped"; other files exist in memory only. */
export const droppedPaths = new WeakMap<File, string>();
export const webUtils: Pick<Electron.WebUtils, 'getPathForFile'> = {
  getPathForFile: (file) => droppedPaths.get(file) ?? '',
};
