/**
 * Every command of every transport passes here. Promises: input is checked by its schema and the sender by the command's
 * `from` before the engine hears of it, and nothing but a `Failure` ever goes back over a wire.
 */
import { basename } from 'node:path';
import { Compile } from 'typebox/compile';
import { err, failure, ok, type Result } from '../contract/errors.ts';
import {
  type AppEvent,
  type Capabilities,
  COMMANDS,
  type CommandInput,
  type CommandName,
  type CommandOutput,
} from '../contract/ipc.ts';
import type { Engine, EngineState } from '../engine/engine.ts';
import type { Intake } from './intake.ts';
import type { Sources } from './sources.ts';

/** `page`: a window or a browser tab. `owner`: another process of the person, over the profile's socket. */
export type Sender = 'page' | 'owner';

export interface Dispatcher {
  dispatch(sender: Sender, command: string, input: unknown, signal: AbortSignal): Promise<Result<unknown>>;
  /** Tells the whole state at once, then every event. Answers its own undo. */
  on(listener: (event: AppEvent) => void): () => void;
}

export interface DispatcherDeps {
  readonly engine: Engine;
  readonly capabilities: Capabilities;
  readonly sources: Sources;
  readonly intake: Intake;
  /** Brings the window to the front, or opens the page. */
  readonly show: () => void;
  /** Where a bug is told; never to a page. */
  readonly log: (line: string) => void;
}

type Handlers = {
  readonly [K in CommandName]: (
    input: CommandInput<K>,
    signal: AbortSignal,
  ) => Promise<Result<CommandOutput<K>>> | Result<CommandOutput<K>>;
};

const DONE = ok({});
const done = async (answer: Promise<Result<void>>): Promise<Result<Record<string, never>>> => {
  const result = await answer;
  return result.ok ? DONE : result;
};

const handlersOf = (
  { engine, sources, intake, show }: DispatcherDeps,
  whole: (state: EngineState) => CommandOutput<'app.state'>,
): Handlers => {
  const forItems =
    (act: (ids: CommandInput<'queue.pause'>['ids']) => void): Handlers['queue.pause'] =>
    ({ ids }) => {
      act(ids);
      return DONE;
    };
  const now = (act: () => void) => () => {
    act();
    return DONE;
  };
  return {
    'app.state': () => ok(whole(engine.state())),
    'app.dismissNotices': now(() => engine.dismissNotices()),
    'app.show': now(show),
    'queue.add': async ({ tokens, share }) => {
      const files = sources.take(tokens);
      if (!files) return err(failure('COMMAND_INVALID', 'One of the files is no longer at hand. Add it again.'));
      const added = await engine.add(files.map((file) => ({ ...file, ...(share && { share }) })));
      return added.ok ? ok({ ids: [...added.value] }) : added;
    },
    'queue.addPaths': async ({ paths, share }) => {
      const added = await engine.add(
        paths.map((path) => ({
          source: { owner: 'person' as const, path },
          name: basename(path),
          ...(share && { share }),
        })),
      );
      return added.ok ? ok({ ids: [...added.value] }) : added;
    },
    'queue.pause': forItems((ids) => engine.pause(ids)),
    'queue.resume': forItems((ids) => engine.resume(ids)),
    'queue.retry': forItems((ids) => engine.retry(ids)),
    'queue.cancel': forItems((ids) => engine.cancel(ids)),
    'queue.dismiss': forItems((ids) => engine.dismiss(ids)),
    'queue.settled': ({ id, patienceMs }, signal) => engine.settled(id, patienceMs, signal),
    'queue.move': ({ id, before }) => {
      engine.move(id, before);
      return DONE;
    },
    'queue.pauseAll': now(() => engine.pauseAll()),
    'queue.resumeAll': now(() => engine.resumeAll()),
    'intake.open': (file) => intake.open(file),
    'intake.state': ({ id }) => intake.state(id),
    'intake.finish': ({ id, sha256 }) => intake.finish(id, sha256),
    'intake.abandon': async ({ id }) => {
      await intake.abandon(id);
      return DONE;
    },
    'library.search': (query) => ok(engine.search(query)),
    'link.copy': ({ id }) => engine.copyLink(id),
    'link.open': ({ id }) => done(engine.openLink(id)),
    'connection.connect': ({ server, key }, signal) => engine.connect({ server, key, keep: 'store' }, signal),
    'connection.embed': async (embedded, signal) => {
      const { connection } = engine.state();
      return connection.state === 'none' ? engine.connect({ ...embedded, keep: 'embedded' }, signal) : ok(connection);
    },
    'connection.isSame': ({ server, key }) => ok({ isSame: engine.isConnectedWith(server, key) }),
    'connection.disconnect': async () => ok(await engine.disconnect()),
    'connection.refresh': async (_, signal) => ok(await engine.refresh(signal)),
    'settings.update': (change) => engine.updateSettings(change),
  };
};

const isCommand = (command: string): command is CommandName => Object.hasOwn(COMMANDS, command);

export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { engine, capabilities, log } = deps;
  const whole = (state: EngineState): CommandOutput<'app.state'> => ({ ...state, capabilities });
  const handlers = handlersOf(deps, whole);
  const checks = new Map<CommandName, ReturnType<typeof Compile>>();
  const checkOf = (command: CommandName): ReturnType<typeof Compile> => {
    const known = checks.get(command) ?? Compile(COMMANDS[command].input);
    checks.set(command, known);
    return known;
  };

  return {
    dispatch: async (sender, command, input, signal) => {
      if (!isCommand(command)) return err(failure('COMMAND_INVALID', 'There is no such command.'));
      if (COMMANDS[command].from === 'owner' && sender !== 'owner')
        return err(failure('COMMAND_INVALID', 'A page may not give this command.'));
      const check = checkOf(command);
      const clean = check.Clean(input);
      if (!check.Check(clean)) return err(failure('COMMAND_INVALID', 'The command is not complete or not valid.'));
      try {
        const handle = handlers[command] as (input: unknown, signal: AbortSignal) => Promise<Result<unknown>>;
        return await handle(clean, signal);
      } catch (error) {
        if (signal.aborted) return err(failure('CANCELLED', 'The command was given up.'));
        log(`${command} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return err(failure('APP_FAILED', 'Linkshot failed while it did this. Try again.'));
      }
    },
    on: (listener) => {
      const stop = engine.on((event) =>
        listener(event.type === 'state' ? { type: 'state', state: whole(event.state) } : event),
      );
      listener({ type: 'state', state: whole(engine.state()) });
      return stop;
    },
  };
};
