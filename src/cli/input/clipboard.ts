/** Reads what a person has copied, with the programs that each system has for it. A file manager also copies names or icons of files, so files come first. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { err, failure, ok, type Result } from '../../contract/errors.ts';

export type Copied =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'picture'; readonly png: Buffer }
  | { readonly kind: 'text'; readonly text: string };

/** How to ask one program: for the kinds of what is there, and for one of them. */
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
/** These hand out text alone. */
const TEXT_ONLY: Partial<Record<NodeJS.Platform, readonly [string, readonly string[]]>> = {
  darwin: ['pbpaste', []],
  win32: ['powershell.exe', ['-NoProfile', '-Command', 'Get-Clipboard -Raw']],
};

const COPIED_BYTES_MAX = 1 << 28;
const FILES = 'text/uri-list';
const PNG = 'image/png';
const TEXTS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'STRING'];

const EMPTY = failure(
  'COMMAND_INVALID',
  'Nothing on the clipboard can be shared. Copy a picture, files or text first.',
);
const UNREACHABLE = failure(
  'COMMAND_INVALID',
  'The clipboard cannot be read from here. On Linux, install wl-clipboard or xclip; over ssh there is none.',
);

/** Errors: COMMAND_INVALID, with words, where nothing can be read or nothing useful lies there. */
export const readClipboard = async (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<Copied>> => {
  const textOnly = TEXT_ONLY[platform];
  if (textOnly) return textOf(await outputOf(...textOnly));
  const readers = [...(environment['WAYLAND_DISPLAY'] ? [WL_PASTE] : []), ...(environment['DISPLAY'] ? [XCLIP] : [])];
  for (const reader of readers) {
    const copied = await copiedBy(reader, environment);
    if (copied) return copied;
  }
  return err(UNREACHABLE);
};

/** Null: the program is not there, or sees no clipboard. An empty clipboard has no kinds, which xclip calls an error. */
const copiedBy = async (
  reader: Reader,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<Copied> | null> => {
  const ask = (words: readonly string[]) => outputOf(reader.program, words, environment);
  const listed = await ask(reader.kinds);
  if (listed === null) return null;
  const kinds = listed.toString().split('\n');
  const paths = kinds.includes(FILES) ? pathsIn((await ask(reader.content(FILES)))?.toString() ?? '') : [];
  if (paths.length > 0) return ok({ kind: 'files', paths });
  const png = kinds.includes(PNG) ? await ask(reader.content(PNG)) : null;
  if (png?.length) return ok({ kind: 'picture', png });
  const text = TEXTS.find((kind) => kinds.includes(kind));
  return textOf(text === undefined ? Buffer.alloc(0) : await ask(reader.content(text)));
};

const textOf = (bytes: Buffer | null): Result<Copied> => {
  if (bytes === null) return err(UNREACHABLE);
  const text = bytes.toString();
  return text.trim() === '' ? err(EMPTY) : ok({ kind: 'text', text });
};

/** One `file:` address a line (RFC 2483); a file of another computer has no path here. */
const pathsIn = (list: string): readonly string[] =>
  list.split(/\r?\n/).flatMap((line) => {
    try {
      return line.startsWith('file:') ? [fileURLToPath(line.trim())] : [];
    } catch {
      return [];
    }
  });

/** Null where the program is not there; what an empty clipboard makes it say is empty output. */
const outputOf = async (
  program: string,
  words: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<Buffer | null> => {
  const options = {
    encoding: 'buffer',
    maxBuffer: COPIED_BYTES_MAX,
    ...(environment && { env: environment }),
  } as const;
  return promisify(execFile)(program, [...words], options).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException) => (typeof error.code === 'string' ? null : Buffer.alloc(0)),
  );
};
