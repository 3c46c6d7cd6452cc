/**
 * Writes the output of a command to stdout and stderr, for users or as one JSON object per line. Tracks whether
 * everything succeeded.
 */
import type { Failure } from '../../api/errors.ts';
import { errorMessageOf } from '../error-messages.ts';
import { EXIT } from '../exit-codes.ts';
import { PLAIN, printable, printableJson, printablePage, type Style } from './format.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether `out` is a terminal. */
  readonly isWatched: boolean;
}

export interface Report {
  readonly output: 'human' | 'json';
  /** For output on stdout. */
  readonly style: Style;
  /** One result: a line of JSON, or text for users; `human` null: no text. */
  say(json: object, human: string | null): void;
  /**
   * A text that programs read on, such as a note, and a line end: unchanged in a file or a pipe, without control
   * characters on a terminal.
   */
  content(json: object, text: string): void;
  /** For users only; nothing in JSON. On stdout: it is the result. */
  text(text: string): void;
  /** For users only; nothing in JSON. On stderr: it accompanies the results. */
  note(text: string): void;
  /**
   * `about`: what failed, such as the name of a file; null without a subject. `left`: the item stays in the queue,
   * which is mentioned if the queue will continue it.
   */
  failed(about: string | null, failure: Failure, left?: 'in the queue'): void;
  /** The command line is invalid, and nothing was done. */
  usageError(failure: Failure): void;
  /** Sets the exit code to 1 without a message: the results themselves explain it. */
  markFailed(): void;
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
  const reportError: Report['failed'] = (about, failure, left) => {
    const { code, params } = failure;
    const message = errorMessageOf(failure, left ? 'file' : 'nothing');
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
      reportError(about, failure, left);
    },
    usageError: (failure) => {
      exitCode = EXIT.usage;
      reportError(null, failure);
    },
    markFailed: () => {
      exitCode = EXIT.failed;
    },
    exitCode: () => exitCode,
  };
};
