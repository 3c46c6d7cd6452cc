/**
 * The interface through which a page or another process of the user reaches the engine: commands and events, the same
 * in every host. A page also offers files, gets the URLs of pictures and videos, and sees the state of its connection.
 */

import type { Result } from '../../api/errors.ts';
import type { CaptureId, ItemId, RecordingId, SourceToken } from '../../api/ids.ts';
import type { AppEvent, CommandInput, CommandName, CommandOutput, ExactInput } from '../protocol/command-table.ts';
import type { PinId } from '../protocol/pinned-image.ts';

export interface Transport {
  /** Sends one command. Rejects only on a bug; a lost connection is an error result. */
  call<K extends CommandName, I extends CommandInput<K>>(
    command: K,
    input: ExactInput<K, I>,
  ): Promise<Result<CommandOutput<K>>>;
  /**
   * Subscribes to every event while the host is reached. After a reconnection come the full state, and `library`,
   * because published items may have changed meanwhile. Returns the unsubscribe function.
   */
  on(listener: (event: AppEvent) => void): () => void;
}

/**
 * `up`: the host answers. `down`: it does not at present; the transport keeps trying. `refused`: this page belongs to
 * an earlier start of the app, and only the URL that the new start opened or printed works.
 */
export type HostConnectionState = 'up' | 'down' | 'refused';

/** URLs of the files that a host serves to its page. */
export interface HostAddresses {
  /** URL of an item's thumbnail; returns 404 without one. `version`: 1 where it replaces an earlier one, else 0. */
  thumbnailUrl(id: ItemId, version: 0 | 1): string;
  /**
   * URL of a published item's own bytes, fetched from the service with its account's key; supports ranges. `preview`:
   * the small WebP that the service made. Returns 404 while the service has none.
   */
  mediaUrl(id: ItemId, kind?: 'preview'): string;
  /** URL of a capture's PNG (`copy`: the one to put on the clipboard), or of the frozen pixels of one display (RGBA, rows without padding). */
  captureUrl(id: CaptureId, what: 'picture' | 'copy' | { readonly display: number }): string;
  /** URL of the MP4 of a recording in review; supports ranges. */
  recordingUrl(id: RecordingId): string;
  /** URL of a pinned image's PNG. */
  pinUrl(id: PinId): string;
}

/** What a page needs beyond commands: tokens for dropped files, and URLs of pictures. */
export interface PageTransport extends Transport, HostAddresses {
  /**
   * Passes a dropped, picked or pasted file to the host and returns its token. Where the host shares no disk with the
   * page, streams the bytes to the spool and verifies their SHA-256.
   */
  offer(file: File, onProgress: (sentBytes: number) => void, signal: AbortSignal): Promise<Result<SourceToken>>;
  /**
   * Streams the files that the page selected from a folder (common/folder/bundle-format.ts) to the spool; the file has the
   * folder's name.
   */
  offerFolder(bundle: File, onProgress: (sentBytes: number) => void, signal: AbortSignal): Promise<Result<SourceToken>>;
  /** Attaches the file of an item to a drag that has just started in the page. Absent where the host cannot. */
  dragFile?(id: ItemId): void;
  /** Reports the state of the link now and at every change. Returns the unsubscribe function. */
  onLink(listener: (link: HostConnectionState) => void): () => void;
}
