/** Runs the real `linkshot` command as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { Readable } from 'node:stream';
import { type Caller, runCommandLine } from '../../src/cli/run-command-line.ts';
import { CLI } from './programs.ts';

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

const outcome = (code: number | null, texts: { readonly stdout: string; readonly stderr: string }): Outcome => ({
  code,
  ...texts,
  json: () =>
    texts.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
});

/** `input`: its standard input; empty without it. */
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
  // An invalid command exits before it has read its input.
  child.stdin?.on('error', () => {}).end(input);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  const done = once(child, 'close').then(([code]) => outcome(code as number | null, texts));
  return { child, done };
};

export const runCommand = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input?: string | Buffer,
): Promise<Outcome> => startCommand(args, env, input).done;

/** The same command line in this process, with its own streams: much faster, where the process does not matter. */
export const performCommand = async (
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input: string | Buffer = '',
  {
    signal = new AbortController().signal,
    ...more
  }: Pick<Caller, 'clock' | 'instance'> & { readonly signal?: AbortSignal } = {},
): Promise<Outcome> => {
  const texts = { stdout: '', stderr: '' };
  const into = (name: keyof typeof texts) => ({
    write: (text: string) => {
      texts[name] += text;
    },
  });
  const code = await runCommandLine(
    {
      words,
      ...more,
      environment: { PATH: process.env['PATH'], ...environment },
      cwd: process.cwd(),
      home: homedir(),
      platform: process.platform,
      stdin: Readable.from([Buffer.from(input)]),
      interrupt: () => {},
      onInterrupt: () => () => {},
      stdout: into('stdout'),
      stderr: into('stderr'),
    },
    signal,
  );
  return outcome(code, texts);
};
