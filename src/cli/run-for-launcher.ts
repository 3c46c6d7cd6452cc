/**
 * Runs a command line that the launcher (`bin/linkshot`) sent, inside the app or browser host that owns the profile,
 * with the same output and exit codes as in a process of its own. A command line for another profile is not run.
 */
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { homeFolder } from '../base/node/home-folder.ts';
import { profileFolder } from '../host/profile-folder.ts';
import { workingDirectory } from '../host/working-directory.ts';
import type { CommandCall } from '../ipc/host/command-line-socket.ts';
import type { Dispatcher } from '../ipc/host/dispatcher.ts';
import { ownInstance } from '../ipc/host/instance-socket.ts';
import { readArguments } from './arguments.ts';
import { COMMANDS } from './commands.ts';
import { createInterrupts } from './input/interrupts.ts';
import { runCommandLine } from './run-command-line.ts';

/** Returns the exit code, or null if the command line uses another profile. */
export const runForLauncher = async (
  { words, environment, cwd, stdout, stderr, copy, onInterrupt }: CommandCall,
  app: { readonly profileDir: string; readonly dispatcher: Dispatcher },
  disconnected: AbortSignal,
): Promise<number | null> => {
  const { platform } = process;
  const home = environment['HOME'] ?? homeFolder();
  const line = readArguments(words, environment, COMMANDS);
  const from = { platform, environment, home, cwd: workingDirectory(cwd, environment) };
  if (line.ok && profileFolder(line.value.profile, from) !== resolve(app.profileDir)) return null;
  // A second Ctrl+C disconnects the caller.
  const interrupts = createInterrupts(
    () => performance.now(),
    () => {},
  );
  onInterrupt(interrupts.request);
  const signal = AbortSignal.any([interrupts.signal, disconnected]);
  const caller = { words, environment, cwd, home, platform, stdin: Readable.from([]), stdout, stderr };
  const instance = async () => ownInstance(app.dispatcher, signal);
  const ends = { interrupt: interrupts.request, onInterrupt: interrupts.take };
  return runCommandLine({ ...caller, ...ends, copyByCaller: copy, instance }, signal);
};
