/** The content of a window. Empty in Vitest, unless a test provides Chromium (`chromium.ts`). */
import type * as Electron from 'electron';
import type { BrowserWindow } from './window.ts';

export interface ShownPage {
  /** Resolves once the page has loaded. */
  load(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Crashes the process of the page. */
  crash(): void;
  send(channel: string, args: readonly unknown[]): void;
  evaluate(code: string): Promise<unknown>;
  /** The window has these bounds now. */
  place(bounds: Electron.Rectangle): void;
  targetId(): string;
  close(): void;
}

const nothing: ShownPage = {
  load: async () => {},
  reload: async () => {},
  crash: () => {},
  send: () => {},
  evaluate: async () => undefined,
  place: () => {},
  targetId: () => '',
  close: () => {},
};

/** Opens the page of a new window; the double's binary replaces it. */
export const pages = { open: (_: BrowserWindow): ShownPage => nothing };
