/** `ipcMain`, and the preload's side of it for tests that load the preload themselves. What crosses is cloned, as in Electron. */
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

/** Who sends: the frame, and the contents of its window where the test has one. */
export interface IpcSender {
  readonly senderFrame: Frame | null;
  readonly sender: unknown;
}

/** Answers as the app does; what goes in and what comes out is a copy. */
export const answerIpc = async (from: IpcSender, channel: string, args: readonly unknown[]): Promise<unknown> => {
  const handler = desktop.handlers.get(channel);
  if (!handler) throw new Error(`No handler registered for '${channel}'`);
  return structuredClone(await handler(from as Electron.IpcMainInvokeEvent, ...structuredClone(args)));
};

/** What `ipcRenderer.invoke` would get back from the app. */
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

/** Paths of the files that a test "dropped"; a file that is none of them lives in memory only. */
export const droppedPaths = new WeakMap<File, string>();
export const webUtils: Pick<Electron.WebUtils, 'getPathForFile'> = {
  getPathForFile: (file) => droppedPaths.get(file) ?? '',
};
