/** Commands of the app itself: its state, its window and panels, its notices and updates, and quitting. */
import Type from 'typebox';
import { literals, Nullable } from '../../../api/nullable-and-literals.ts';
import { AppState } from '../app-state.ts';
import { type Command, None } from './command.ts';

export const appCommands = {
  'app.state': { input: None, output: AppState, from: 'page', by: 'host' },
  'app.dismissNotices': { input: None, output: None, from: 'page' },
  /**
   * The current height of a panel's page in logical pixels; null: nothing to show. Hosts with panel windows
   * (`capabilities.panels`) show and size them by it; other hosts ignore it.
   */
  'app.panel': {
    input: Type.Object({
      panel: literals('toast', 'recorder'),
      height: Nullable(Type.Integer({ minimum: 1, maximum: 4_000 })),
    }),
    output: None,
    from: 'page',
    by: 'host',
  },
  /**
   * The update status. `not-looked-for`: this host does not check for updates; `not-checked`: no check has completed
   * yet; `found`: the host downloads and verifies it, and tries again where that fails; `ready`: installed when the app
   * quits; `there`: the user has to download it. `checkedAt` in milliseconds since 1970; null: not yet.
   */
  'app.updates': {
    input: None,
    output: Type.Object({
      state: literals('not-looked-for', 'not-checked', 'current', 'found', 'there', 'ready'),
      version: Nullable(Type.String()),
      checkedAt: Nullable(Type.Integer({ minimum: 0 })),
    }),
    from: 'page',
    by: 'host',
  },
  /** Whether the desktop shows the host's tray icon at the moment. `none`: this host has no icon. */
  'app.trayIcon': {
    input: None,
    output: Type.Object({ state: literals('shown', 'hidden', 'none') }),
    from: 'page',
    by: 'host',
  },
  /**
   * Brings the window of the running instance to the front, on this screen, if given; a browser decides itself. Errors:
   * PROFILE_BUSY (a command line, which has no window), APP_FAILED (the browser does not open; names the address).
   */
  'app.show': {
    input: Type.Object({ screen: Type.Optional(literals('home', 'library', 'settings')) }),
    output: None,
    from: 'page',
    by: 'host',
  },
  /** Quits the running instance cleanly, as its own menu does. Windows has no signal that asks a program to end. */
  'app.quit': { input: None, output: None, from: 'owner', by: 'host' },
} as const satisfies Record<string, Command>;
