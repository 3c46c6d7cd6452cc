/** Terminal colours: off if the output is not a terminal, and with NO_COLOR. */
import { styleText } from 'node:util';

export interface Style {
  readonly isColoured: boolean;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
}

const plain = (text: string): string => text;
const drawn = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false });

export const PLAIN: Style = { isColoured: false, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

const COLOURED: Style = {
  isColoured: true,
  bold: drawn('bold'),
  dim: drawn('dim'),
  good: drawn('green'),
  warn: drawn('yellow'),
  bad: drawn('red'),
};

/** Follows the conventions of no-color.org and FORCE_COLOR. */
export const styleFor = (
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style => {
  if (environment['NO_COLOR'] || environment['TERM'] === 'dumb') return PLAIN;
  return stream.isTTY || environment['FORCE_COLOR'] ? COLOURED : PLAIN;
};
