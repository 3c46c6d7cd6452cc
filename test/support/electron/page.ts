/** What a window shows. In Vitest nothing, unless a test brings Chromium (`chromium.ts`); a window does not know which. */
import type * as Electron from 'electron';
import type { BrowserWindow } from './window.ts';

export interface ShownPage {
  /** Resolves once the page has loaded. */
  load(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Ends the process of the page. */
  crash(): void;
  send(channel: string, args: readonly unknown[]): void;
  evaluate(code: string): Promise<unknown>;
  /** The window has this place now. */
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

/** Opens the page of a new window; the double's binary sets it. */
export const pages = { open: (_: BrowserWindow): ShownPage => nothing };
