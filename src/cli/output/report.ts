/** What a command says on stdout and stderr, for a person or as one JSON object per line. Remembers whether all went well. */
import type { Failure } from '../../api/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { sentenceOf } from '../messages.ts';
import { printable, printableJson, printablePage } from './format.ts';
import { PLAIN, type Style } from './style.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether `out` is a terminal. */
  readonly isWatched: boolean;
}

export interface Report {
  readonly output: 'human' | 'json';
  /** For what is said on stdout. */
  readonly style: Style;
  /** One answer: a line of JSON, or what a person reads; `human` null: a person reads nothing. */
  say(json: object, human: string | null): void;
  /** The text of a note: byte for byte in a file or a pipe, and without control characters on a terminal. */
  content(json: object, text: string): void;
  /** For a person only; nothing in JSON. On stdout: it is what was asked for. */
  text(text: string): void;
  /** For a person only; nothing in JSON. On stderr: it is beside the answers. */
  note(text: string): void;
  /**
   * `about`: what failed, such as the name of a file; null where there is nothing to name. `left`: what it is about stays
   * in the queue, and that is said where the queue goes on with it.
   */
  failed(about: string | null, failure: Failure, left?: 'in the queue'): void;
  /** The command line cannot be run as it is, and nothing was done. */
  misused(failure: Failure): void;
  /** Makes the exit code 1 without a sentence: the answers themselves tell it. */
  spoil(): void;
  exitCode(): typeof EXIT.done | typeof EXIT.failed | typeof EXIT.usage;
}

export const createReport = (
  output: Report['output'],
  { out, error, isWatched }: Streams,
  styles: { readonly out: Style; readonly error: Style },
): Report => {
  let exitCode: ReturnType<Report['exitCode']> = EXIT.done;
  const isJson = output === 'json';
  const line = (value: object): void => out(`${printableJson(value)}\n`);
  const page = (text: string, style: Style): string =>
    `${printablePage(text, style.isColoured ? 'with colours' : 'without colours')}\n`;
  const tell: Report['failed'] = (about, failure, left) => {
    const { code, params } = failure;
    const message = sentenceOf(failure, left ? 'file' : 'nothing');
    if (isJson) line({ error: { code, message, ...(about !== null && { file: about }), ...(params && { params }) } });
    else error(page(`${about === null ? '' : `${styles.error.bad(printable(about))}: `}${message}`, styles.error));
  };
  return {
    output,
    style: styles.out,
    say: (json, human) => {
      if (isJson) line(json);
      else if (human !== null) out(page(human, styles.out));
    },
    content: (json, text) => {
      if (isJson) line(json);
      else if (isWatched) out(page(text.replaceAll('\r\n', '\n'), PLAIN));
      else out(`${text}\n`);
    },
    text: (text) => {
      if (!isJson) out(page(text, styles.out));
    },
    note: (text) => {
      if (!isJson) error(page(text, styles.error));
    },
    failed: (about, failure, left) => {
      exitCode = EXIT.failed;
      tell(about, failure, left);
    },
    misused: (failure) => {
      exitCode = EXIT.usage;
      tell(null, failure);
    },
    spoil: () => {
      exitCode = EXIT.failed;
    },
    exitCode: () => exitCode,
  };
};
