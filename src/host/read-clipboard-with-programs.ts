/**
 * Reads the clipboard with the programs of each system, for the browser host and the command line, which have no
 * clipboard API. Files and pictures are read on Linux only, text everywhere.
 */

import { err, failure, ok, type Result } from '../api/errors.ts';
import { pathOfFileUrl } from '../base/node/file-url.ts';
import { type ProgramError, powershell, runProgram } from '../base/node/run-program.ts';
import type { ClipboardReader } from '../engine/ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How to ask one program for the available kinds, and for the content of one kind. */
interface Reader {
  readonly program: string;
  readonly kinds: readonly string[];
  content(kind: string): readonly string[];
}

const XCLIP: Reader = {
  program: 'xclip',
  kinds: ['-selection', 'clipboard', '-out', '-target', 'TARGETS'],
  content: (kind) => ['-selection', 'clipboard', '-out', '-target', kind],
};
const WL_PASTE: Reader = {
  program: 'wl-paste',
  kinds: ['--list-types'],
  content: (kind) => ['--no-newline', '--type', kind],
};
/** These return text only. */
const TEXT_ONLY: Partial<Record<NodeJS.Platform, (environment: Environment) => readonly [string, readonly string[]]>> =
  {
    darwin: () => ['pbpaste', []],
    // As UTF-8 and without a trailing line end: the console has a code page of its own.
    win32: (environment) => [
      powershell(environment),
      [
        '-NoProfile',
        '-Sta',
        '-Command',
        '[Console]::OutputEncoding=[Text.UTF8Encoding]::new($false);[Console]::Out.Write((Get-Clipboard -Raw))',
      ],
    ],
  };

const COPIED_BYTES_MAX = 1 << 28;
const FILES = 'text/uri-list';
const PNG = 'image/png';
const TEXTS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'STRING'];

const UNREACHABLE = failure(
  'COMMAND_INVALID',
  'The clipboard cannot be read from here. On Linux, install wl-clipboard or xclip; over ssh there is no clipboard.',
);

/** Programs wait without end for an owner of the clipboard that hangs, and wl-paste on GNOME for the focus. */
const KINDS_MS = 10_000;
/** The owner may encode a large image first. */
const CONTENT_MS = 60_000;
const UNANSWERED = failure(
  'APP_FAILED',
  'The clipboard cannot be read: the program in which you copied does not answer. Copy again, then try again.',
);

/** Null if the program is missing; with an empty clipboard the output is empty. Error: APP_FAILED after the timeout. */
type OutputOf = (program: string, words: readonly string[], timeout: number) => Promise<Result<Buffer | null>>;

export const createClipboardReader = (
  platform: NodeJS.Platform,
  environment: Environment,
  run: typeof runProgram = runProgram,
): ClipboardReader => {
  const outputOf: OutputOf = (program, words, timeout) =>
    run(program, words, { maxBuffer: COPIED_BYTES_MAX, env: environment, timeout, killSignal: 'SIGKILL' }).then(
      ({ stdout }) => ok(stdout),
      ({ code, signal }: ProgramError) => {
        if (typeof code === 'string') return ok(null);
        return signal === 'SIGKILL' ? err(UNANSWERED) : ok(Buffer.alloc(0));
      },
    );
  const textOnly = TEXT_ONLY[platform];
  return textOnly ? textFrom(textOnly(environment), outputOf) : kindsFrom(environment, outputOf);
};

const textFrom = ([program, words]: readonly [string, readonly string[]], outputOf: OutputOf): ClipboardReader => ({
  readFiles: async () => ok([]),
  readPicture: async () => ok(null),
  async readText() {
    const bytes = await outputOf(program, words, CONTENT_MS);
    if (!bytes.ok) return bytes;
    return bytes.value ? ok(bytes.value.toString()) : err(UNREACHABLE);
  },
});

const kindsFrom = (environment: Environment, outputOf: OutputOf): ClipboardReader => {
  const readers = [...(environment['WAYLAND_DISPLAY'] ? [WL_PASTE] : []), ...(environment['DISPLAY'] ? [XCLIP] : [])];

  /** The first of these kinds that is available; null if none is. */
  const read = async (wanted: readonly string[]): Promise<Result<Buffer | null>> => {
    for (const { program, kinds, content } of readers) {
      const listed = await outputOf(program, kinds, KINDS_MS);
      if (!listed.ok) return listed;
      if (listed.value === null) continue;
      const there = listed.value.toString().split('\n');
      const kind = wanted.find((one) => there.includes(one));
      return kind === undefined ? ok(null) : await outputOf(program, content(kind), CONTENT_MS);
    }
    return err(UNREACHABLE);
  };

  return {
    async readFiles() {
      const list = await read([FILES]);
      return list.ok ? ok(pathsIn(list.value?.toString() ?? '')) : list;
    },
    async readPicture() {
      const png = await read([PNG]);
      return png.ok ? ok(png.value?.length ? png.value : null) : png;
    },
    async readText() {
      const text = await read(TEXTS);
      return text.ok ? ok(text.value?.toString() ?? '') : text;
    },
  };
};

/** One `file:` URL per line (RFC 2483); a file of another computer has no path here. */
const pathsIn = (list: string): readonly string[] =>
  list.split(/\r?\n/).flatMap((line) => pathOfFileUrl(line.trim()) ?? []);
