/**
 * Runs the commands of the server's command line, with their output and exit codes, and reports errors as sentences for
 * the operator. The commands for accounts, keys and items also work while a server runs on the same database. `serve`
 * runs until a signal, or until the server stops by itself, and then completes the requests in flight.
 */

import { unreachable } from '../../api/errors.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { spawn } from '../../base/node/run-program.ts';
import { onShutdownSignal } from '../../base/node/shutdown-signals.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { createApiKeys } from '../accounts/api-keys.ts';
import { systemClock, systemRandom } from '../clock-and-random.ts';
import { nodeName, type ServerConfig } from '../config/config.ts';
import { readKeyText } from '../config/environment-overrides.ts';
import { readConfig } from '../config/read-config.ts';
import { contentRows } from '../content/content-rows.ts';
import type { Server } from '../create-server.ts';
import { prepareDataFolder } from '../data-folder.ts';
import type { ServerDatabase } from '../database/database-interface.ts';
import { openDatabase, openStoredRecords } from '../database/open-database.ts';
import { createLogLines, type Log } from '../log.ts';
import { checkPassword } from '../passwords.ts';
import { type Command, parseCommand, USAGE, UsageError } from './arguments.ts';

/** Time after the drain, longer than any clean exit takes. */
const EXIT_LIMIT_S = 5;
/** Elsewhere SIGHUP is left alone: `nohup` ignores it, and a handler would undo that. */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

/**
 * Stops the process gracefully on request, and reliably: Node may hang while it exits, so another process watches it.
 */
const stopOnSignal = (server: Pick<Server, 'close'>, log: Log): void => {
  let isStopping = false;
  onShutdownSignal((reason) => {
    if (isStopping) exit(1);
    isStopping = true;
    log(`${reason}: finishing the requests in flight.`);
    server.close().then(
      () => exit(0),
      (error: unknown) => {
        log(`Stopping failed: ${String(error)}`, { level: 'error' });
        exit(1);
      },
    );
  }, SIGNALS);
};

const exit = (code: number): void => {
  startWatchdog();
  process.exit(code);
};

/**
 * `cat` ends when this process does, because its input closes; if it times out instead, this process hangs and is
 * killed. Its data is safe: everything was committed and closed before.
 */
const startWatchdog = (): void => {
  if (process.platform === 'win32') return;
  const watch = `timeout ${EXIT_LIMIT_S} cat >/dev/null; [ $? = 124 ] && kill -9 ${process.pid}`;
  const dog = spawn('sh', ['-c', watch], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  dog.on('error', () => {});
  dog.unref();
};

interface Terminal {
  /** One line of JSON on stdout. */
  readonly print: (value: unknown) => void;
  /** A line on stderr. */
  readonly log: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called before a command other than `serve` opens the data folder. */
  readonly becomeOwner?: (data: string) => void;
}

/**
 * Resolves with the exit code when the command is done; `serve` once the server is ready. Throws with a sentence for the
 * operator.
 */
const runCommand = async (command: Command, { print, log, environment, becomeOwner }: Terminal): Promise<number> => {
  if (command.name === 'help') {
    log(USAGE);
    return 0;
  }
  const config = configFor(command, environment);
  const keyText = readKeyText(environment);
  // The configuration may be for root alone. A server runs as the user who starts it.
  if (command.name !== 'serve') becomeOwner?.(command.name === 'move' ? command.from : command.data);
  switch (command.name) {
    case 'doctor': {
      const { diagnose } = await import('../operations/doctor.ts');
      const checks = await diagnose({ data: command.data, config, keyText });
      const ok = checks.every((check) => check.ok);
      print({ ok, checks });
      return ok ? 0 : 1;
    }
    case 'serve': {
      const logLine = createLogLines(log, systemClock, nodeName(config));
      // Loaded only here, because it would delay the other commands by half a second.
      const { createServer } = await import('../create-server.ts');
      const server = await createServer({ data: command.data, config, keyText, log: logLine });
      const ready = await server.listen({ host: command.host, port: command.port }).catch(async (error: unknown) => {
        await server.close();
        throw new Error(unheard(error, command));
      });
      stopOnSignal(server, logLine);
      void server.refused.then(() => exit(1));
      print(ready);
      return 0;
    }
    case 'keys rotate': {
      const { rotateKeys } = await import('../operations/rotate-keys.ts');
      const outcome = await rotateKeys({ data: command.data, config, keyText });
      print(outcome);
      return outcome.done ? 0 : 1;
    }
    case 'objects check': {
      const { checkObjects } = await import('../operations/check-objects.ts');
      const outcome = await checkObjects({ data: command.data, config, deleteOrphans: command.deleteOrphans, log });
      print(outcome);
      return outcome.ok ? 0 : 1;
    }
    case 'move': {
      const { move } = await import('../operations/move/move.ts');
      const { from, skipDamaged } = command;
      print(await move({ from, config, keyText, skipDamaged, log }));
      return 0;
    }
    default:
      print(await changeRecords(command, config));
      return 0;
  }
};

type NotRecords = 'help' | 'doctor' | 'serve' | 'keys rotate' | 'objects check' | 'move';

const configFor = (
  command: Exclude<Command, { readonly name: 'help' }>,
  environment: Terminal['environment'],
): ServerConfig => {
  const config = readConfig(command.config, environment);
  const role = command.name === 'serve' ? command.role : null;
  return role === null ? config : { ...config, node: { ...config.node, role } };
};

/** Runs a command that opens the records briefly; returns what it prints. */
const changeRecords = async (
  command: Exclude<Command, { readonly name: NotRecords }>,
  config: ServerConfig,
): Promise<object> => {
  const open = (): Promise<ServerDatabase> => openRecords(command, config);
  switch (command.name) {
    case 'account add': {
      const passwordHash = command.password === null ? null : await hashPassword(command.password);
      return await withStores(open, async ({ accounts }) => {
        const { id, username } = await accounts.add({ username: command.username, plan: command.plan, passwordHash });
        return { id, username };
      });
    }
    case 'account plan':
      return await withStores(open, async ({ accounts }) => {
        const { id, username, plan, planUntil } = await accounts.setPlan(command.username, command.plan, command.until);
        return { id, username, plan, until: planUntil === null ? null : new Date(planUntil).toISOString() };
      });
    case 'account password': {
      const passwordHash = await hashPassword(command.password);
      return await withStores(open, async ({ accounts }) => {
        const { id, username } = await accounts.setPassword(command.username, passwordHash);
        return { id, username, passwordChanged: true };
      });
    }
    case 'account ban':
      return await withStores(open, async ({ accounts }) => {
        const { id, username } = await accounts.ban(command.username);
        return { id, username, banned: true };
      });
    case 'account unban':
      return await withStores(open, async ({ accounts }) => {
        const { id, username } = await accounts.unban(command.username);
        return { id, username, banned: false };
      });
    case 'key add':
      return await withStores(open, async ({ accounts, keys }) =>
        keys.add({
          accountId: (await accounts.byUsername(command.username)).id,
          scopes: command.scopes,
          expiresAt: command.expiresAt,
          ...(command.keyName !== null && { name: command.keyName }),
        }),
      );
    case 'key revoke':
      return await withStores(open, async ({ keys }) => {
        await keys.revoke(command.id);
        return { id: command.id, revoked: true };
      });
    case 'content hold':
      return await withStores(open, async ({ content }) => {
        if (!(await content.hold(command.id, command.hold)))
          throw new Error(`There is no item with the id ${command.id}.`);
        return { id: command.id, moderationHold: command.hold };
      });
    default:
      return unreachable(command);
  }
};

/** Why the server cannot listen at this address, and what to do. */
const unheard = (error: unknown, { host, port }: { readonly host: string; readonly port: number }): string => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program. Choose another port with --port, or 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} is reserved for the system. Choose one above 1023 with --port, and put a proxy in front of the server.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this computer. Choose one with --host; 0.0.0.0 means all of them.`;
    case undefined:
      return messageOf(error);
    default:
      return `The server cannot listen on ${host}, port ${port}: ${messageOf(error)}`;
  }
};

const hashPassword = async (password: string): Promise<string> => {
  const checked = checkPassword(password);
  if (checked === null) throw new Error('The password is empty; leave --password out for an account without one.');
  const { createPasswords } = await import('../passwords.ts');
  return await createPasswords().hash(checked);
};

/** Accounts are added before the first start too; everything else concerns what a server has stored. */
const openRecords = async (
  { name, data }: Pick<Exclude<Command, { readonly name: NotRecords }>, 'name' | 'data'>,
  config: ServerConfig,
): Promise<ServerDatabase> =>
  name === 'account add'
    ? await openDatabase(config, prepareDataFolder(data))
    : (await openStoredRecords(config, data)).records;

const withStores = async <T>(
  open: () => Promise<ServerDatabase>,
  use: (stores: {
    readonly accounts: ReturnType<typeof createAccounts>;
    readonly keys: ReturnType<typeof createApiKeys>;
    readonly content: ReturnType<typeof contentRows>;
  }) => Promise<T>,
): Promise<T> => {
  const records = await open();
  try {
    const deps = { records, clock: systemClock, random: systemRandom };
    return await use({
      accounts: createAccounts(deps),
      keys: createApiKeys(deps),
      content: contentRows(records),
    });
  } finally {
    await records.close();
  }
};

// Runs one line of the server's command line. Every error becomes a sentence for the operator and an exit code.

/** Returns the exit code; for a long-running command such as `serve`, once it is ready. */
export const runServerCommandLine = async (words: readonly string[], terminal: Terminal): Promise<number> => {
  try {
    return await runCommand(parseCommand(words), terminal);
  } catch (error) {
    terminal.log(messageOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
};
