/** How a page or a second instance reaches the engine's host. One small interface, so that screens run in every host. */

import type { Result } from '../../api/errors.ts';
import type { CaptureId, ItemId, RecordingId, SourceToken } from '../../api/ids.ts';
import type { AppEvent, CommandInput, CommandName, CommandOutput } from '../protocol/ipc.ts';

export interface Transport {
  /** Sends one command. Rejects only on a bug; a lost connection is a failure. */
  call<K extends CommandName>(command: K, input: CommandInput<K>): Promise<Result<CommandOutput<K>>>;
  /** Every event, and after a reconnection the state anew. Answers its own undo. */
  on(listener: (event: AppEvent) => void): () => void;
}

/**
 * `up`: the host answers. `down`: it does not now; the transport keeps trying. `refused`: this page belongs to an earlier
 * start of the app, and only the address that the new start opened or printed helps.
 */
export type Link = 'up' | 'down' | 'refused';

/** Addresses of what a host serves beside the page. */
export interface HostAddresses {
  /** Address of an item's thumbnail; it may answer 404 while there is none. */
  thumbnailUrl(id: ItemId): string;
  /**
   * Address of a published item's own bytes, fetched from the service with its account's key; it answers ranges. `preview`:
   * the small WebP that the service made. Answers 404 where the service gives nothing (yet).
   */
  mediaUrl(id: ItemId, kind?: 'preview'): string;
  /** Address of a capture's PNG, or of the frozen pixels of one display (RGBA, rows without padding). */
  captureUrl(id: CaptureId, what: 'picture' | { readonly display: number }): string;
  /** Address of the MP4 of a recording in review; it answers ranges. */
  recordingUrl(id: RecordingId): string;
}

/** What a page needs beyond commands: the engine's names for a dropped file, and addresses of pictures. */
export interface PageTransport extends Transport, HostAddresses {
  /**
   * Hands a dropped, picked or pasted file to the host and answers its token. Where the host shares no disk with the
   * page, the bytes are streamed to the spool and proven intact by their SHA-256.
   */
  offer(file: File, onProgress: (sentBytes: number) => void, signal: AbortSignal): Promise<Result<SourceToken>>;
  /** Streams what the page chose of a folder (common/folder/bundle.ts) to the spool; the file has the folder's name. */
  offerFolder(bundle: File, onProgress: (sentBytes: number) => void, signal: AbortSignal): Promise<Result<SourceToken>>;
  /** Hands the file of an item to a drag that has just begun in the page. Absent where the host cannot. */
  dragFile?(id: ItemId): void;
  /** Tells now and at every change whether the host can be reached. Answers its own undo. */
  onLink(listener: (link: Link) => void): () => void;
}
