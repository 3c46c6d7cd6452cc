/**
 * Dispatches every command of every transport. Validates the input by its schema and the sender by the command's `from`
 * before it calls the engine; errors cross the wire only as a `Failure`.
 */
import { Value } from 'typebox/value';
import { err, failure, type Result } from '../../api/errors.ts';
import type { EngineState } from '../../engine/engine.ts';
import { type AppEvent, COMMANDS, type CommandName } from '../protocol/ipc.ts';
import type { AppState } from '../protocol/state.ts';
import { createValidator } from '../protocol/validator.ts';
import { appHandlers } from './handlers/app.ts';
import { captureHandlers } from './handlers/capture.ts';
import { connectionHandlers } from './handlers/connection.ts';
import { intakeHandlers } from './handlers/file-upload.ts';
import { fitHandlers } from './handlers/fit.ts';
import { folderHandlers } from './handlers/folder.ts';
import type { DispatcherDeps, HandlerDeps, HandlersOf } from './handlers/handlers.ts';
import { hotkeyHandlers } from './handlers/hotkeys.ts';
import { libraryHandlers } from './handlers/library.ts';
import { noteHandlers } from './handlers/note.ts';
import { presetHandlers } from './handlers/presets.ts';
import { problemHandlers } from './handlers/problems.ts';
import { profileHandlers } from './handlers/profile.ts';
import { queueHandlers } from './handlers/queue.ts';
import { recordingHandlers } from './handlers/recording.ts';
import { settingsHandlers } from './handlers/settings.ts';

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

const handlersOf = (deps: HandlerDeps): HandlersOf<CommandName> => ({
  ...appHandlers(deps),
  ...captureHandlers(deps),
  ...recordingHandlers(deps),
  ...hotkeyHandlers(deps),
  ...queueHandlers(deps),
  ...intakeHandlers(deps),
  ...fitHandlers(deps),
  ...folderHandlers(deps),
  ...libraryHandlers(deps),
  ...noteHandlers(deps),
  ...presetHandlers(deps),
  ...connectionHandlers(deps),
  ...settingsHandlers(deps),
  ...profileHandlers(deps),
  ...problemHandlers(deps),
});

const isCommand = (command: string): command is CommandName => Object.hasOwn(COMMANDS, command);

export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { engine, capabilities, log } = deps;
  const withCapabilities = (state: EngineState): AppState => ({ ...state, capabilities });
  const handlers = handlersOf({ ...deps, state: () => withCapabilities(engine.state()) });
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
      const clean = Value.Clean(COMMANDS[command].input, input);
      if (!checkOf(command)(clean)) return err(failure('COMMAND_INVALID', 'The command is not complete or not valid.'));
      try {
        const handle = handlers[command] as (input: unknown, signal: AbortSignal) => Promise<Result<unknown>>;
        return await handle(clean, signal);
      } catch (error) {
        if (signal.aborted) return err(failure('CANCELLED', 'The command was cancelled.'));
        log(`${command} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return err(failure('APP_FAILED', 'Linkshot failed while it did this. Try again.'));
      }
    },
    on: (listener) => {
      engine.warm();
      const stop = engine.on((event) =>
        listener(event.type === 'state' ? { type: 'state', state: withCapabilities(event.state) } : event),
      );
      listener({ type: 'state', state: withCapabilities(engine.state()) });
      const waiting = engine.pendingClipboardPicture();
      if (waiting !== null) listener({ type: 'picture', id: waiting });
      return stop;
    },
  };
};
