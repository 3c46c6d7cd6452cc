/** What a window draws from: one full snapshot of the app. The bridge sends it whole; nothing is patched together. */
import Type, { type Static } from 'typebox';
import { Account } from './account.ts';
import { Content, literals, Nullable } from './content.ts';
import { Failure } from './errors.ts';
import { ItemId } from './ids.ts';
import { Live, QueueItem } from './queue-item.ts';
import { Settings } from './settings.ts';

/** What this host can do; screens follow it and never ask which host they are in. */
export const Capabilities = Type.Object({
  hotkey: Type.Boolean(),
  tray: Type.Boolean(),
  overlay: Type.Boolean(),
  recorder: Type.Boolean(),
  /** Who can reach the clipboard: the host itself, or only the page. */
  clipboard: literals('host', 'page'),
});
export type Capabilities = Static<typeof Capabilities>;

/** Where the key is kept. `embedded`: the built-in server makes a new one at each start, nothing is stored. */
export const KeyPlace = literals('keyring', 'session', 'embedded');
export type KeyPlace = Static<typeof KeyPlace>;

/** The connection to the service. `account` is the last one read and may be shown while offline. */
export const Connection = Type.Union([
  Type.Object({ state: Type.Literal('none') }),
  Type.Object({ state: Type.Literal('connecting'), server: Type.String(), account: Nullable(Account) }),
  Type.Object({ state: Type.Literal('connected'), server: Type.String(), account: Account, keyPlace: KeyPlace }),
  Type.Object({
    state: Type.Literal('failed'),
    server: Type.String(),
    account: Nullable(Account),
    failure: Failure,
  }),
]);
export type Connection = Static<typeof Connection>;

export const Queue = Type.Object({
  items: Type.Array(QueueItem),
  live: Type.Record(Type.String(), Live),
  paused: Type.Boolean(),
});
export type Queue = Static<typeof Queue>;

/** Everything a window draws from. Full snapshots only: nothing is patched together on the other side. */
export const AppState = Type.Object({
  version: Type.String(),
  capabilities: Capabilities,
  connection: Connection,
  queue: Queue,
  settings: Settings,
  /** What must be told and has not been dismissed, e.g. a database that was rebuilt. */
  notices: Type.Array(Failure),
});
export type AppState = Static<typeof AppState>;

/** A published item as the app remembers it. */
export const LibraryItem = Type.Object({
  id: ItemId,
  name: Type.String(),
  content: Content,
  linkedAt: Type.Integer({ minimum: 0 }),
});
export type LibraryItem = Static<typeof LibraryItem>;
