/** Runs one command line for a caller with the given arguments, streams and environment, and returns the exit code. */
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Failure, ok } from '../api/errors.ts';
import { normaliseAddress } from '../api/service-address.ts';
import { failureOfThrown } from '../common/disk-full.ts';
import type { StartVisionProcess } from '../engine/ports.ts';
import { profileFolder } from '../host/profile-folder.ts';
import { forgetSecrets } from '../host/secret-variables.ts';
import { workingDirectory } from '../host/working-directory.ts';
import { connectToInstance, type InstanceTransport } from '../ipc/host/instance-socket.ts';
import { type CommandLine, readArguments } from './arguments.ts';
import { openEngineClient } from './client/engine-client.ts';
import type { CommandContext, CopyByCaller, Keys, Waiting } from './command-context.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { promptForSecret } from './input/prompt-for-secret.ts';
import { ASK } from './link-options.ts';
import { createReport } from './output/command-output.ts';
import { printablePage, styleFor } from './output/format.ts';
import type { Terminal } from './output/progress-line.ts';

const KEY_IN_SIGHT =
  'Other users of this computer can read a key on the command line. Set LINKSHOT_KEY in the environment instead.';

/** The process that called, as far as the command line needs it. */
export interface Caller {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Requests the end, as Ctrl+C does. */
  readonly interrupt: () => void;
  /** The command handles the next request to end. Returns the undo. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** The system's by default. */
  readonly clock?: Waiting;
  /** As in `CommandContext`. */
  readonly copyByCaller?: CopyByCaller;
  /** As in `EngineDeps`. */
  readonly startVision?: StartVisionProcess;
  /** The running app, if it is certain that there is one; else it is looked up. */
  readonly instance?: () => Promise<InstanceTransport>;
}

const SYSTEM_CLOCK: Waiting = {
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

export const runCommandLine = async (caller: Caller, signal: AbortSignal): Promise<number> => {
  const { words, environment, stdin, stdout, stderr, interrupt } = caller;
  const read = readArguments(words, environment, COMMANDS);
  if (!read.ok) {
    const { output, message } = read.error;
    if (output === 'json') stdout.write(`${JSON.stringify({ error: { code: 'COMMAND_INVALID', message } })}\n`);
    else stderr.write(`${message}\n`);
    return EXIT.usage;
  }
  const line = read.value;
  if (line.keyFrom === 'arguments') stderr.write(`${KEY_IN_SIGHT}\n`);
  const terminal = { input: { stream: stdin, isWatched: stdin.isTTY === true }, errorStream: stderr, interrupt };
  const key = line.key === ASK ? await promptForSecret(terminal, 'key', signal) : ok(line.key);
  const context = contextOf(line, caller, key.ok ? key.value : undefined);
  try {
    if (key.ok) await line.command.run(line.given, context, signal);
    else context.report.failed(null, key.error);
  } catch (error) {
    context.report.failed(null, failureOfBug(error));
  }
  return signal.aborted ? EXIT.interrupted : context.report.exitCode();
};

/** A command throws nothing that a user can handle, but a full disk. */
const failureOfBug = (error: unknown): Failure =>
  failureOfThrown(error, `Linkshot failed unexpectedly (${String(error)}). Please report this.`);

const contextOf = (
  { output, profile, server, command }: CommandLine,
  { home, platform, stdin, stdout, stderr, interrupt, onInterrupt, ...caller }: Caller,
  key: string | undefined,
): CommandContext => {
  const environment = { ...caller.environment };
  forgetSecrets(environment);
  const cwd = workingDirectory(caller.cwd, environment);
  const profileDir = profileFolder(profile, { platform, environment, home, cwd });
  const contact = server && key && command.connects !== 'by itself' ? { server: canonicalServer(server), key } : null;
  const log = (text: string) => void stderr.write(`${printablePage(text, 'without colours')}\n`);
  const reported = new Set<string>();
  const warn = (text: string): void => {
    if (!reported.has(text)) log(text);
    reported.add(text);
  };
  const instance = caller.instance ?? (() => connectToInstance(profileDir, warn));
  return {
    report: createReport(
      output,
      {
        out: (text) => void stdout.write(text),
        error: (text) => void stderr.write(text),
        isWatched: stdout.isTTY === true,
      },
      { out: styleFor(stdout, environment), error: styleFor(stderr, environment) },
    ),
    cwd,
    profileDir,
    environment,
    platform,
    errorStream: stderr,
    interrupt,
    onInterrupt,
    copyByCaller: caller.copyByCaller,
    clock: caller.clock ?? SYSTEM_CLOCK,
    input: { stream: stdin, isWatched: stdin.isTTY === true },
    terminal: output === 'human' && stderr.isTTY ? stderr : null,
    server,
    key,
    contact,
    openClient: (keys, signal, { queue, capturer, leftRecordings } = {}) =>
      openEngineClient(
        {
          ...{ profileDir, environment, log, instance, capturer, startVision: caller.startVision, leftRecordings },
          secrets: secretsFor(keys, contact),
          queue: queue === 'running' ? undefined : 'resting',
        },
        signal,
      ),
  };
};

/** In the profile's form, so that a bare host name matches the same service; an error is reported on use. */
const canonicalServer = (server: string): string => {
  const address = normaliseAddress(server);
  return address.ok ? address.value : server;
};

/** Keys that this run needs: none for reading, none from the store when one is given. */
const secretsFor = (keys: Keys, contact: CommandContext['contact']) => async () => {
  const { openSystemKeyStore, createMemoryKeyStore } = await import('../engine/profile/system-key-store.ts');
  return keys === 'none' || (keys === 'given' && contact) ? createMemoryKeyStore() : openSystemKeyStore();
};
