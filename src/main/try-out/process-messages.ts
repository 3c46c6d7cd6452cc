/**
 * Messages between the app and the process of its built-in server. Only the app's main process can start utility
 * processes of Electron, so it starts those that inspect uploaded files, and relays their messages.
 */

import type { InspectorSettings } from '../../host/try-out-server.ts';

/** An inspector process, by a number that the server chooses. */
interface Inspector {
  readonly kind: 'inspector';
  readonly id: number;
}

export type ToServer =
  | { readonly kind: 'begin'; readonly profileDir: string }
  | { readonly kind: 'close' }
  | (Inspector & { readonly event: 'started'; readonly pid: number | undefined })
  | (Inspector & { readonly event: 'message'; readonly message: unknown })
  | (Inspector & { readonly event: 'end' });

export type FromServer =
  | { readonly kind: 'begun'; readonly server: string; readonly key: string }
  | { readonly kind: 'failed'; readonly detail: string }
  | (Inspector & { readonly act: 'start'; readonly settings: InspectorSettings })
  | (Inspector & { readonly act: 'kill' })
  | (Inspector & { readonly act: 'send'; readonly message: unknown });
