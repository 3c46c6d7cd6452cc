/**
 * Dispatches every command of every transport to the engine, or to a handler for what only the host can do. Validates
 * the input, refuses an owner's unknown fields, and checks whether this sender may call the command; errors cross the
 * wire only as a `Failure`. Also passes on the engine's events, and adds the capabilities of the host to the state.
 */

import { err, failure, type Result } from '../../api/errors.ts';
import { stackOf } from '../../base/common/error-text.ts';
import { guarded } from '../../base/common/event-channel.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { EngineCommands, EngineState } from '../../engine/engine.ts';
import type { AppState } from '../protocol/app-state.ts';
import { type AppEvent, COMMANDS, type CommandName, type HostCommandName } from '../protocol/command-table.ts';
import { createValidator } from '../protocol/create-validator.ts';
import { splitKnown } from '../protocol/split-known.ts';
import { appHandlers } from './handlers/app.ts';
import { connectionHandlers } from './handlers/connection.ts';
import { folderHandlers } from './handlers/folders.ts';
import type { DispatcherDeps, HandlerDeps, HandlersOf } from './handlers/handler-types.ts';
import { fileHandlers } from './handlers/incoming-files.ts';
import { pinHandlers } from './handlers/pins.ts';

/** `page`: a window or a browser tab. `owner`: another process of the user, over the profile's socket. */
export type Sender = 'page' | 'owner';

export interface Dispatcher {
  dispatch(sender: Sender, command: string, input: unknown, signal: AbortSignal): Promise<Result<unknown>>;
  /**
   * Emits the full state immediately, and which picture still waits for a page; then every event. Returns the
   * unsubscribe function.
   */
  on(listener: (event: AppEvent) => void): () => void;
}

const hostHandlers = (deps: HandlerDeps): HandlersOf<HostCommandName> => ({
  ...appHandlers(deps),
  ...connectionHandlers(deps),
  ...fileHandlers(deps),
  ...folderHandlers(deps),
  ...pinHandlers(deps),
});

type Run = (input: unknown, signal: AbortSignal) => Result<unknown> | Promise<Result<unknown>>;

/**
 * What runs a command. The types prove that it exists, with the shapes of the table: `HandlersOf` for the host's
 * commands, `EngineCommands` for the engine's.
 */
const runnerOf = (command: CommandName, engine: EngineCommands, handlers: HandlersOf<HostCommandName>): Run => {
  if (isHostCommand(command)) return handlers[command] as Run;
  const [feature, name] = command.split('.') as [keyof EngineCommands, string];
  return (engine[feature] as Readonly<Record<string, Run>>)[name] as Run;
};

const UNKNOWN = (paths: readonly string[]): string =>
  `This version of Linkshot does not know ${paths.map((path) => `"${path}"`).join(', ')}, and did nothing. If it was updated, quit the running Linkshot and start it again.`;

const isCommand = (command: string): command is CommandName => Object.hasOwn(COMMANDS, command);
const isHostCommand = (command: CommandName): command is HostCommandName => 'by' in COMMANDS[command];

export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { engine, capabilities, log } = deps;
  const withCapabilities = (state: EngineState): AppState => ({ ...state, capabilities });
  const handlers = hostHandlers({ ...deps, state: () => withCapabilities(engine.state()) });
  const checks = new Map<CommandName, (value: unknown) => boolean>();
  const checkOf = (command: CommandName): ((value: unknown) => boolean) => {
    const known = checks.get(command) ?? createValidator(COMMANDS[command].input);
    checks.set(command, known);
    return known;
  };

  return {
    dispatch: async (sender, command, input, signal) => {
      if (!isCommand(command)) return err(failure('COMMAND_INVALID', 'There is no such command.'));
      if (COMMANDS[command].from === 'owner' && sender !== 'owner')
        return err(failure('COMMAND_INVALID', 'A page may not give this command.'));
      try {
        const { known, unknown } = splitKnown(COMMANDS[command].input, input);
        // It may be of another version; a page is of this one, and sends back what it has read.
        if (unknown.length > 0 && sender === 'owner') return err(failure('COMMAND_INVALID', UNKNOWN(unknown)));
        if (!checkOf(command)(known))
          return err(failure('COMMAND_INVALID', 'The command is not complete or not valid.'));
        return await runnerOf(command, engine, handlers)(known, signal);
      } catch (error) {
        if (signal.aborted) return err(failure('CANCELLED', 'The command was cancelled.'));
        log(`${command} failed: ${stackOf(error)}`);
        return err(failureOfThrown(error, 'Linkshot failed while it did this. Try again.'));
      }
    },
    on: (listener) => {
      engine.warm();
      // The engine emits amid its work.
      const emit = guarded(listener, (error) => log(`A listener failed: ${stackOf(error)}`));
      const stop = engine.on((event) =>
        emit(event.type === 'state' ? { type: 'state', state: withCapabilities(event.state) } : event),
      );
      emit({ type: 'state', state: withCapabilities(engine.state()) });
      const waiting = engine.capture.pendingCopy();
      if (waiting !== null) emit({ type: 'picture', id: waiting });
      return stop;
    },
  };
};
