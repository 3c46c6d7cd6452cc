/** The connection to the service. */
import Type from 'typebox';
import { Connection } from '../state.ts';
import { type Command, None } from './command.ts';

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
  /** Whether the running instance uses this service with this key: else it must not do another one's work. */
  'connection.isSame': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Type.Object({ isSame: Type.Boolean() }),
    from: 'owner',
  },
  'connection.disconnect': { input: None, output: Connection, from: 'page' },
  'connection.refresh': { input: None, output: Connection, from: 'page' },
} as const satisfies Record<string, Command>;
