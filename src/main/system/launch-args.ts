/**
 * Parses the command-line arguments of the desktop app: the profile, whether the window stays hidden, and files to
 * share or a `linkshot://` link. Also validates the launch message that a second instance of the app sends to the
 * running one.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { pathOfFileUrl } from '../../base/node/file-url.ts';
import { isLink } from './deep-link.ts';

/** As one start sends it to another. Paths are absolute; a link is unparsed until it is opened. */
export const Start = Type.Object({
  paths: Type.Array(Type.String()),
  link: Type.Union([Type.String(), Type.Null()]),
  isHidden: Type.Boolean(),
});
export type Start = Static<typeof Start>;

export interface LaunchEnvironment {
  readonly cwd: string;
  /** The app's folder, when Electron is started with it as its argument; null in a packed app. */
  readonly appPath: string | null;
}

const pathOf = (word: string, cwd: string): string | null =>
  word.startsWith('file:') ? pathOfFileUrl(word) : resolve(cwd, word);

/** The arguments after the program's name; switches of Chromium and Node may be among them. */
const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: { profile: { type: 'string' }, hidden: { type: 'boolean' }, require: { type: 'string', short: 'r' } },
    allowPositionals: true,
    strict: false,
  });

/** `--profile DIR`; undefined: the default. */
export const profileOf = (args: readonly string[]): string | undefined => {
  const { profile } = parse(args).values;
  return typeof profile === 'string' ? profile : undefined;
};

/**
 * A start by a link uses only the link: the link comes from a web page, which must not be able to add files, however
 * the system builds the command line.
 */
export const readStart = (args: readonly string[], { cwd, appPath }: LaunchEnvironment): Start => {
  const { values, positionals } = parse(args);
  const isHidden = values['hidden'] === true;
  const link = args.find(isLink) ?? null;
  if (link !== null) return { paths: [], link, isHidden };
  const paths = positionals.flatMap((word) => pathOf(word, cwd) ?? []).filter((path) => path !== appPath);
  return { paths, link, isHidden };
};

/** Validates the message of another start; null if it is invalid. */
export const parseStart = (message: unknown): Start | null =>
  Value.Check(Start, message) ? (Value.Clean(Start, message) as Start) : null;
