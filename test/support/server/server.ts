/** Starts real servers for tests: in this process on a free port, or as a separate process that can be killed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { SCOPES, type Scope } from '../../../src/api/account.ts';
import type { AccountId } from '../../../src/api/ids.ts';
import { runServerCommandLine } from '../../../src/server/command-line/run-server-command-line.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { createServer, type Server, type ServerOptions } from '../../../src/server/create-server.ts';
import { engineVariables, forgetEngines, withEngines } from '../engines/engines.ts';
import { freePort } from '../free-port.ts';
import { KEEP_COMPILED, SERVER_CLI } from '../programs.ts';
import { NODES, removeServerNodes, startNodeProcesses, startServerNodes } from './server-nodes.ts';
import { lendInspector } from './spare-inspectors.ts';

/** The content of the configuration file. */
export type ConfigFile = Readonly<Record<string, unknown>>;

/** An account with one key. */
export interface User {
  readonly accountId: AccountId;
  readonly username: string;
  readonly keyId: string;
  readonly apiKey: string;
}

interface UserOptions {
  readonly plan?: 'free' | 'pro';
  readonly scopes?: readonly Scope[];
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

export interface RunningServer {
  readonly url: string;
  readonly data: string;
  readonly server: Server;
  /** The server's log lines. */
  readonly logged: readonly string[];
  /** A new account with a key of all scopes by default. */
  user(options?: UserOptions): Promise<User>;
  /** Another key of an account. */
  key(user: User, options?: Omit<UserOptions, 'plan'>): Promise<User>;
  /** Stops the server; a data folder given by the caller stays for the next server. */
  stop(): Promise<void>;
}

export interface StartOptions extends Omit<ServerOptions, 'config' | 'data' | 'log'> {
  readonly config?: ConfigFile;
  /** An existing folder; by default a new one that `stop` removes. */
  readonly data?: string;
}

let people = 0;

/** For the setting `rendering`: a busy machine shows a short text plain that it could not render within a second. */
export const PATIENT_RENDERING = { secondsAtFirst: 6, seconds: 10 } as const;

const launch = async (options: Omit<ServerOptions, 'config'>, config: ConfigFile) => {
  if (NODES > 1) return await startServerNodes(options, config);
  const server = await createServer({ ...options, config: parseConfig(config) });
  const { url } = await server.listen({ host: '127.0.0.1', port: await freePort() });
  return { server, url, close: server.close };
};

/**
 * Starts a real server on the engines of this run (`engines.ts`), on a free port of the loopback address; or several behind
 * a proxy (`server-nodes.ts`).
 */
export const startServer = async ({ config = {}, data, ...rest }: StartOptions = {}): Promise<RunningServer> => {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'linkshot-server-'));
  const logged: string[] = [];
  const options = {
    startInspector: lendInspector,
    ...rest,
    data: folder,
    log: (line: string): void => {
      // Every new data folder logs this once; it is not an error.
      if (!line.startsWith('A new key was made')) logged.push(line);
    },
  };
  const { server, url, close } = await launch(options, await withEngines(folder, config));

  const key = async (
    user: Pick<User, 'accountId' | 'username'>,
    options: Omit<UserOptions, 'plan'> = {},
  ): Promise<User> => {
    const { scopes = SCOPES, expiresAt = null } = options;
    const { id, apiKey } = await server.keys.add({ accountId: user.accountId, scopes, expiresAt });
    return { accountId: user.accountId, username: user.username, keyId: id, apiKey };
  };

  return {
    url,
    data: folder,
    server,
    logged,
    user: async ({ plan = 'free', ...options } = {}) => {
      people += 1;
      const account = await server.accounts.add({ username: `person-${people}`, plan, passwordHash: null });
      return await key({ accountId: account.id, username: account.username }, options);
    },
    key,
    stop: async () => {
      await close();
      if (data !== undefined) return;
      removeServerNodes(folder);
      await forgetEngines(folder);
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}.key`, { force: true });
    },
  };
};

const run = promisify(execFile);

/** A server command as a separate process; otherwise like `serverCommand`. */
export const serverCommandAlone = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const env = { ...process.env, ...(await engineVariables(args)) };
  const { stdout } = await run(process.execPath, [SERVER_CLI, ...args], { env });
  return JSON.parse(stdout) as Record<string, string>;
};

/**
 * Runs a server command such as `account add` in this process; resolves with its line of JSON. Rejects with `stdout`,
 * `stderr` and `code`.
 */
export const serverCommand = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const texts = { stdout: '', stderr: '' };
  const code = await runServerCommandLine(args, {
    print: (value) => {
      texts.stdout += JSON.stringify(value);
    },
    log: (line) => {
      texts.stderr += `${line}\n`;
    },
    environment: { ...process.env, ...(await engineVariables(args)) },
  });
  if (code !== 0) throw Object.assign(new Error(texts.stderr), { code, ...texts });
  return JSON.parse(texts.stdout) as Record<string, string>;
};

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Sends a signal and resolves with the exit code, or null when the signal ended the process. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Everything the process wrote to stderr. */
  stderr(): string;
}

interface ProcessOptions {
  readonly config?: ConfigFile;
  readonly port?: number;
  readonly nodeArgs?: readonly string[];
  /** Another program than that of this version. */
  readonly program?: string;
}

/**
 * Starts `serve` on `data` as a separate process and resolves once it is ready; or several behind a proxy
 * (`server-nodes.ts`).
 */
export const startServerProcess = async (
  data: string,
  { config = {}, ...options }: ProcessOptions = {},
): Promise<ServerProcess> => {
  const onEngines = await withEngines(data, config);
  const launchProcess = (folder: string, own: ConfigFile) => startOneProcess(folder, own, options);
  return await (NODES > 1 ? startNodeProcesses(data, onEngines, launchProcess) : launchProcess(data, onEngines));
};

const startOneProcess = async (
  data: string,
  config: ConfigFile,
  { port, nodeArgs = [], program = SERVER_CLI }: Omit<ProcessOptions, 'config'>,
): Promise<ServerProcess> => {
  const args = ['serve', '--data', data, '--port', String(port ?? (await freePort()))];
  if (Object.keys(config).length > 0) {
    const path = `${data}.config.json`;
    writeFileSync(path, JSON.stringify(config));
    args.push('--config', path);
  }
  const child = spawn(process.execPath, [KEEP_COMPILED, ...nodeArgs, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const first = await Promise.race([ready, exited.then(() => null)]);
  if (first === null) throw new Error(`serve ended before it was ready: ${stderr}`);
  return {
    url: (JSON.parse(first[0]) as { url: string }).url,
    pid: pidOf(child),
    end: async (signal) => {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
    stderr: () => stderr,
  };
};

const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error('The process has not started.');
  return pid;
};
