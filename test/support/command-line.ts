/** The real `linkshot` command as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const CLI = resolve(import.meta.dirname, '../../src/cli/cli.ts');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Each line of stdout as JSON. */
  json(): readonly Record<string, unknown>[];
}

export interface Command {
  readonly child: ChildProcess;
  readonly done: Promise<Outcome>;
}

/** `input`: what comes through its standard input; without it there is none. */
export const startCommand = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input?: string | Buffer,
): Command => {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
  });
  // A command that is wrong ends before it has read its input.
  child.stdin?.on('error', () => {}).end(input);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  const done = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    ...texts,
    json: () =>
      texts.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }));
  return { child, done };
};

export const runCommand = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input?: string | Buffer,
): Promise<Outcome> => startCommand(args, env, input).done;
