/** The app as a whole: its snapshot and its window. */
import Type from 'typebox';
import { literals, Nullable } from '../../../api/content.ts';
import { AppState } from '../state.ts';
import { type Command, None } from './command.ts';

export const appCommands = {
  'app.state': { input: None, output: AppState, from: 'page' },
  'app.dismissNotices': { input: None, output: None, from: 'page' },
  /**
   * How high the page of a little window is now, in logical pixels; null: it has nothing to show. Hosts whose windows
   * those are (`capabilities.panels`) show and size them by it; elsewhere nothing is done.
   */
  'app.panel': {
    input: Type.Object({
      panel: literals('toast', 'recorder'),
      height: Nullable(Type.Integer({ minimum: 1, maximum: 4_000 })),
    }),
    output: None,
    from: 'page',
  },
  /**
   * How it stands with newer versions, as far as this host looks for them. `ready`: it takes over at the next start;
   * `there`: the person has to get it. `checkedAt` in milliseconds since 1970; null: not yet.
   */
  'app.updates': {
    input: None,
    output: Type.Object({
      state: literals('not-looked-for', 'current', 'there', 'ready'),
      version: Nullable(Type.String()),
      checkedAt: Nullable(Type.Integer({ minimum: 0 })),
    }),
    from: 'page',
  },
  /** Brings the window of the running instance to the front. */
  'app.show': { input: None, output: None, from: 'page' },
  /** Ends the running instance in order, as its own menu does. Windows has no signal that asks a program to end. */
  'app.quit': { input: None, output: None, from: 'owner' },
} as const satisfies Record<string, Command>;
