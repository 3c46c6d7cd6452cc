/**
 * Runs the desktop app's built-in server in a process of its own, so that its load blocks no window and its crash does
 * not end the app. Starts it on first use, restarts it after a crash, at the same address if that is free, and closes
 * it with the app.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UtilityProcess, utilityProcess } from 'electron';
import { variableIn } from '../../base/node/run-program.ts';
import type { InspectorSettings } from '../../host/try-out-server.ts';
import type { FromServer, ToServer } from './process-messages.ts';

interface Place {
  readonly server: string;
  readonly key: string;
}

export interface TryOut {
  /** Rejects with a sentence if the server cannot run. */
  begin(): Promise<Place>;
  close(): Promise<void>;
}

export interface TryOutDeps {
  readonly profileDir: string;
  /** `out/server`. */
  readonly programDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fork: (typeof utilityProcess)['fork'];
  readonly clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** It was restarted after a crash: with another key. */
  readonly onRestart: (place: Place) => void;
  readonly log: (line: string) => void;
}

/** Programs in `programDir`. */
export const SERVER_PROGRAM = 'server-process.js';
const INSPECTOR_PROGRAM = 'inspector-child.js';

/** Null: this app was built without a server. */
export const createTryOut = (deps: TryOutDeps): TryOut | null => {
  const program = join(deps.programDir, SERVER_PROGRAM);
  return existsSync(program) ? createProcess(program, deps) : null;
};

const RESTART_MS = 2_000;
const CLOSE_MS = 15_000;

const definedIn = (environment: TryOutDeps['environment']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const createProcess = (program: string, deps: TryOutDeps): TryOut => {
  const { profileDir, programDir, fork, clock, onRestart, log } = deps;
  const environment = definedIn(deps.environment);
  const path = variableIn(environment, 'PATH');
  const closing = new AbortController();
  let running: { readonly server: UtilityProcess; readonly begun: Promise<Place> } | null = null;

  const startInspector = (
    id: number,
    settings: InspectorSettings,
    send: (message: ToServer) => void,
  ): UtilityProcess => {
    const child = fork(join(programDir, INSPECTOR_PROGRAM), [], {
      serviceName: 'Linkshot: looking into files',
      execArgv: [...settings.flags],
      env: { ...(path !== undefined && { PATH: path }), ...settings.environment },
      stdio: 'ignore',
    });
    child.once('spawn', () => send({ kind: 'inspector', id, event: 'started', pid: child.pid }));
    child.on('message', (message: unknown) => send({ kind: 'inspector', id, event: 'message', message }));
    child.once('exit', () => send({ kind: 'inspector', id, event: 'end' }));
    return child;
  };

  const start = (): Promise<Place> => {
    const server = fork(program, [], { serviceName: 'Linkshot: built-in server', env: environment, stdio: 'ignore' });
    const inspectors = new Map<number, UtilityProcess>();
    const send = (message: ToServer): void => server.postMessage(message);
    const { promise, resolve, reject } = Promise.withResolvers<Place>();
    server.on('message', (message: FromServer) => {
      if (message.kind === 'begun') resolve({ server: message.server, key: message.key });
      else if (message.kind === 'failed') {
        reject(new Error(message.detail));
        // The next request starts a new process.
        running = null;
        server.kill();
      } else if (message.act === 'start')
        inspectors.set(message.id, startInspector(message.id, message.settings, send));
      else if (message.act === 'send') inspectors.get(message.id)?.postMessage(message.message);
      else inspectors.get(message.id)?.kill();
    });
    server.once('exit', (code) => {
      for (const inspector of inspectors.values()) inspector.kill();
      if (running?.server === server) running = null;
      reject(new Error(`The built-in server ended at its start (${code}).`));
      promise.then(
        () => void restart(code),
        () => {},
      );
    });
    running = { server, begun: promise };
    send({ kind: 'begin', profileDir });
    return promise;
  };

  const restart = async (code: number): Promise<void> => {
    if (closing.signal.aborted) return;
    log(`The built-in server ended by itself (${code}); it is started again.`);
    try {
      await clock.sleep(RESTART_MS, closing.signal);
      onRestart(await begin());
    } catch (error) {
      if (!closing.signal.aborted) log(`The built-in server did not start again: ${String(error)}`);
    }
  };

  const begin = (): Promise<Place> => {
    if (closing.signal.aborted) return Promise.reject(new Error('The app is closing.'));
    return running?.begun ?? start();
  };

  return {
    begin,
    close: async () => {
      closing.abort();
      if (!running) return;
      const { server } = running;
      const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
      server.postMessage({ kind: 'close' } satisfies ToServer);
      const late = setTimeout(() => server.kill(), CLOSE_MS);
      await ended;
      clearTimeout(late);
    },
  };
};
