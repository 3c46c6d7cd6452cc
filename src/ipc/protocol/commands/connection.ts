/** The connections to services: accounts, their keys, and which of them new items go to. */
import Type from 'typebox';
import { literals } from '../../../api/content.ts';
import { ConnectionId } from '../../../api/ids.ts';
import { Authorization, Connection } from '../state.ts';
import { type Command, None } from './command.ts';

const Account = Type.Object({ id: ConnectionId });

export const connectionCommands = {
  'connection.connect': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Connection,
    from: 'page',
  },
  /** Connects to the try-out server that the starter runs beside the app, unless a service is configured already. */
  'connection.embed': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Connection,
    from: 'owner',
  },
  /**
   * Whether the running instance uses this service with the key that was proven: else it must not do another one's work. The
   * key itself is not sent (`src/ipc/host/key-proof.ts`).
   */
  'connection.isSame': {
    input: Type.Object({
      server: Type.String({ minLength: 1 }),
      nonce: Type.String({ minLength: 16, maxLength: 64 }),
      proof: Type.String({ minLength: 16, maxLength: 64 }),
    }),
    output: Type.Object({ isSame: Type.Boolean() }),
    from: 'owner',
  },
  /**
   * Asks the service for a connection that the person approves in a browser. Answers when there is a code to show; how it
   * goes on is in the state, and `connection.authorized` waits for it. A second one takes the place of the first.
   */
  'connection.authorize': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), open: literals('browser', 'nothing') }),
    output: Authorization,
    from: 'page',
  },
  /** Waits for the end of the authorization under way: the connection, or why there is none. */
  'connection.authorized': { input: None, output: Connection, from: 'page' },
  /** Opens the page for the approval once more. */
  'connection.reopenAuthorize': { input: None, output: None, from: 'page' },
  /** Gives the authorization up, or takes its failure off the state. */
  'connection.cancelAuthorize': { input: None, output: None, from: 'page' },
  /** Begins the host's built-in server, where it has one (`capabilities.tryOut`), and makes its account the active one. */
  'connection.tryOut': { input: None, output: Connection, from: 'page' },
  /** Makes this account the active one. Items that wait for another one stay with it. */
  'connection.activate': { input: Account, output: Connection, from: 'page' },
  /** Forgets this account and its key; its items wait until it is connected again. */
  'connection.remove': { input: Account, output: Connection, from: 'page' },
  /** Reads limits, plan and storage again where they are older than a few minutes; for a window that comes to the front. */
  'connection.freshen': { input: None, output: None, from: 'page' },
  'connection.disconnect': { input: None, output: Connection, from: 'page' },
  'connection.refresh': { input: None, output: Connection, from: 'page' },
} as const satisfies Record<string, Command>;
