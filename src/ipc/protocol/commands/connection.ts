/**
 * Commands of the connections to services: connect with an API key, with approval in the browser, or to the server
 * that is built into the app for trying it out; choose, refresh, disconnect and remove accounts.
 */
import Type from 'typebox';
import { ConnectionId } from '../../../api/ids.ts';
import { literals } from '../../../api/nullable-and-literals.ts';
import { Authorization, Connection } from '../app-state.ts';
import { type Command, None } from './command.ts';

const Account = Type.Object({ id: ConnectionId });
const IfKeyStays = { ifKeyStays: Type.Optional(literals('remove', 'refuse')) };

export const connectionCommands = {
  /** Verifies address (https, or http on loopback only) and key with the service before it stores anything. */
  'connection.connect': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Connection,
    from: 'page',
  },
  /**
   * Connects to the built-in server, unasked by the user. Its account becomes the active one only where it is the only
   * one, or was the active one at the server's earlier port.
   */
  'connection.embed': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Connection,
    from: 'owner',
  },
  /**
   * Whether the running instance uses this service with the proven key: otherwise it must not do this caller's work.
   * The key itself is not sent (`src/ipc/host/peer-authentication.ts`).
   */
  'connection.isSame': {
    input: Type.Object({
      server: Type.String({ minLength: 1 }),
      nonce: Type.String({ minLength: 16, maxLength: 64 }),
      proof: Type.String({ minLength: 16, maxLength: 64 }),
    }),
    output: Type.Object({ isSame: Type.Boolean() }),
    from: 'owner',
    by: 'host',
  },
  /**
   * Asks the service for a connection that the user approves in a browser. Replies when there is a code to show; the
   * state shows the progress, and `connection.authorized` waits for it. A second request replaces the first.
   */
  'connection.authorize': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), open: literals('browser', 'nothing') }),
    output: Authorization,
    from: 'page',
  },
  /**
   * Waits for the result of the active authorization. Errors: ACCESS_DENIED, EXPIRED_TOKEN, CANCELLED,
   * KEY_STORE_FAILED.
   */
  'connection.authorized': { input: None, output: Connection, from: 'page' },
  /** Reopens the approval page. Errors: CANCELLED where no authorization is active, ADDRESS_INVALID, APP_FAILED. */
  'connection.reopenAuthorize': { input: None, output: None, from: 'page' },
  /** Cancels the authorization, or removes its error from the state. */
  'connection.cancelAuthorize': { input: None, output: None, from: 'page' },
  /**
   * Starts the host's built-in server, where it has one (`capabilities.tryOut`), and activates its account, as
   * `connection.connect` does.
   */
  'connection.tryOut': { input: None, output: Connection, from: 'page', by: 'host' },
  /** Activates this account. Items that wait for another account stay with it. */
  'connection.activate': { input: Account, output: Connection, from: 'page' },
  /**
   * Removes this account and its key; its items wait until it is connected again. Where the key store cannot delete the
   * key, `refuse` changes nothing and fails with KEY_STORE_FAILED; by default, and where an earlier version may have had
   * the key in memory and there is no store now, a notice says that a key may be left.
   */
  'connection.remove': {
    input: Type.Object({ ...Account.properties, ...IfKeyStays }),
    output: Connection,
    from: 'page',
  },
  /** Refreshes limits, plan and storage if they are older than a few minutes; for a window that gets focus. */
  'connection.freshen': { input: None, output: None, from: 'page' },
  /** Removes the active account, as `connection.remove` does. */
  'connection.disconnect': { input: Type.Object(IfKeyStays), output: Connection, from: 'page' },
  'connection.refresh': { input: None, output: Connection, from: 'page' },
} as const satisfies Record<string, Command>;
