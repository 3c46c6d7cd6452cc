/**
 * Creates this page's transport to the host: over Electron's preload bridge, or in a browser over a WebSocket, with
 * HTTP for the bytes of files.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { KEY_HEADER, KEY_PROTOCOL_PREFIX, mediaKeyOf, PAGE_PROTOCOL } from '../protocol/page-key.ts';
import type { PreloadApi } from '../protocol/preload-api.ts';
import { createElectronTransport } from './electron-transport.ts';
import { sendFile, type WriteSlice } from './file-sender.ts';
import { hostFileUrlsWithKey } from './host-file-urls.ts';
import { type PageKey, sharePageKey, takePageKey } from './page-key-storage.ts';
import type { PageTransport } from './transport.ts';
import { createWebSocketTransport } from './websocket-transport.ts';

declare global {
  interface Window {
    /** Set by the Electron preload. */
    readonly linkshot?: PreloadApi<File>;
  }
}

const UNREACHED = failure('APP_FAILED', 'The connection to Linkshot was lost and is being restored.');

const putSlice =
  (key: PageKey): WriteSlice =>
  async (id, offset, slice, signal) => {
    try {
      const reply = await fetch(`/spool/${id}?offset=${offset}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', [KEY_HEADER]: key.current() },
        body: slice,
        signal,
      });
      const body = (await reply.json()) as { receivedBytes: number } | Failure;
      return 'receivedBytes' in body ? ok(body) : err(body);
    } catch {
      // A dropped connection, an abort, or a proxy's error page: the caller asks the host how much has arrived.
      return err(UNREACHED) satisfies Result<never>;
    }
  };

const createBrowserTransport = (): PageTransport => {
  const key = takePageKey(window, () => socket.retry());
  const bridge = new URL('/bridge', location.href.replace(/^http/, 'ws'));
  const protocols = () => [PAGE_PROTOCOL, ...(key.current() === '' ? [] : [KEY_PROTOCOL_PREFIX + key.current()])];
  const socket = createWebSocketTransport(() => new WebSocket(bridge, protocols()));
  sharePageKey(key, socket.onLink);
  return {
    call: socket.call,
    on: socket.on,
    onLink: socket.onLink,
    offer: (file, onProgress, signal) => sendFile(file, 'file', socket, putSlice(key), onProgress, signal),
    offerFolder: (bundle, onProgress, signal) => sendFile(bundle, 'folder', socket, putSlice(key), onProgress, signal),
    ...hostFileUrlsWithKey(() => mediaKeyOf(key.current())),
  };
};

/** Creates the page's only transport. Call it once. */
export const createPageTransport = (): PageTransport =>
  window.linkshot ? createElectronTransport(window.linkshot) : createBrowserTransport();
