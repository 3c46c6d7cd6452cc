/** The app as a whole: its snapshot and its window. */
import { AppState } from '../state.ts';
import { type Command, None } from './command.ts';

export const appCommands = {
  'app.state': { input: None, output: AppState, from: 'page' },
  'app.dismissNotices': { input: None, output: None, from: 'page' },
  /** Brings the window of the running instance to the front. */
  'app.show': { input: None, output: None, from: 'owner' },
} as const satisfies Record<string, Command>;
