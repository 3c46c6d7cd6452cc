/**
 * What the Electron preload script offers the page: commands and events, the token of a file, slices of a file, and a
 * drag out of the window. Also the performance marks of captures that it forwards to the app, the IPC channels, and the
 * sizes of a slice and of a command. Types and constants only.
 */

import type { Result } from '../../api/errors.ts';
import type { IntakeId, ItemId, SourceToken } from '../../api/ids.ts';
import type { CaptureMarkDetail } from './capture-performance-marks.ts';
import type { AppEvent } from './command-table.ts';

/** Channels between preload and main. */
export const DESKTOP_CHANNELS = {
  call: 'linkshot:call',
  event: 'linkshot:event',
  offerPath: 'linkshot:offer-path',
  writeSlice: 'linkshot:write-slice',
  mark: 'linkshot:mark',
  dragFile: 'linkshot:drag-file',
} as const;

/** `window.linkshot`. `PageFile` is the DOM's `File`, which this folder does not know. */
export interface PreloadApi<PageFile> {
  call(command: string, input: unknown): Promise<Result<unknown>>;
  on(listener: (event: AppEvent) => void): () => void;
  /** Token of a file on this disk; null for a file in memory only (a pasted picture). */
  offerPath(file: PageFile): Promise<Result<SourceToken | null>>;
  /** Attaches the file of an item to the drag that has just started in this page. */
  dragFile(id: ItemId): Promise<Result<unknown>>;
  /** Appends one slice to an upload; returns how many bytes have arrived in total. */
  writeSlice(id: IntakeId, offset: number, bytes: Uint8Array): Promise<Result<{ receivedBytes: number }>>;
}

/**
 * A step of a capture that a page has marked (`performance.mark`, capture-performance-marks.ts). The preload forwards them: an
 * overlay is shown after its first paint, and `--trace-capture` prints them. `at`: milliseconds since 1970, with
 * fractions.
 */
export interface CaptureMark extends CaptureMarkDetail {
  readonly name: string;
  readonly at: number;
}

/** Maximum bytes of one slice. */
export const SLICE_BYTES = 4 * 1024 * 1024;

/** Maximum bytes of a command over a WebSocket, as UTF-8. */
export const COMMAND_BYTES = 4 * 1024 * 1024;
