/**
 * The page's transport in Electron, through the preload's `window.linkshot`. The preload, never the page, resolves the
 * path of a file on disk. A file without a path, such as a pasted picture, is streamed to the host.
 */

import { err, failure, type Result } from '../../api/errors.ts';
import type { AppEvent, CommandInput, CommandName, CommandOutput } from '../protocol/command-table.ts';
import type { PreloadApi } from '../protocol/preload-api.ts';
import { sendFile, type WriteSlice } from './file-sender.ts';
import { HOST_FILE_URLS } from './host-file-urls.ts';
import type { PageTransport, Transport } from './transport.ts';

const UNREAD = failure('APP_FAILED', 'The file could not be read.');

export const createElectronTransport = (desktop: PreloadApi<File>): PageTransport => {
  const transport: Transport = {
    call: async <K extends CommandName>(command: K, input: CommandInput<K>) =>
      (await desktop.call(command, input)) as Result<CommandOutput<K>>,
    on: (listener) => {
      let isHeard = true;
      const stop = desktop.on(listener);
      // The window may have missed events before this page was ready.
      void transport.call('app.state', {}).then((state) => {
        if (isHeard && state.ok) listener({ type: 'state', state: state.value } satisfies AppEvent);
      });
      return () => {
        isHeard = false;
        stop();
      };
    },
  };
  const writeSlice: WriteSlice = async (id, offset, slice) => {
    const bytes = await slice.arrayBuffer().catch(() => null);
    return bytes ? desktop.writeSlice(id, offset, new Uint8Array(bytes)) : err(UNREAD);
  };
  return {
    ...transport,
    offer: async (file, onProgress, signal) => {
      const named = await desktop.offerPath(file);
      if (!named.ok) return named;
      if (named.value !== null) {
        onProgress(file.size);
        return { ok: true, value: named.value };
      }
      return sendFile(file, 'file', transport, writeSlice, onProgress, signal);
    },
    offerFolder: (bundle, onProgress, signal) => sendFile(bundle, 'folder', transport, writeSlice, onProgress, signal),
    dragFile: (id) => void desktop.dragFile(id),
    // Main process and page have the same lifetime, so the link never drops.
    onLink: (listener) => {
      listener('up');
      return () => {};
    },
    ...HOST_FILE_URLS,
  };
};
