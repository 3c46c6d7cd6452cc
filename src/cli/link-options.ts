/**
 * The link options of the commands that publish or change links: how their values are validated, and which link
 * settings they produce.
 */

import { TTLS, VISIBILITIES } from '../api/content.ts';
import { err, ok, type Result } from '../api/errors.ts';
import { LIMITS } from '../api/limits.ts';
import { readInstant } from '../base/common/read-instant.ts';
import type { LinkSettings } from '../ipc/protocol/link-settings.ts';
import { choice, flag, parsed, text, type Values } from './command-definition.ts';

/** The value of --password that prompts for it. */
export const ASK = '-';
/** The value that removes a limit. */
const NONE = 'none';

/** API lengths count code points. */
const characters = (text: string): number => [...text].length;

const readTitle = (text: string): Result<string, string> =>
  characters(text) <= LIMITS.titleMaxCharacters
    ? ok(text)
    : err(`can have at most ${LIMITS.titleMaxCharacters} characters, not ${characters(text)}`);

export const readTags = (text: string): Result<string[], string> => {
  const tags = text.split(',').flatMap((tag) => tag.trim() || []);
  const long = tags.find((tag) => characters(tag) > LIMITS.tagMaxCharacters);
  if (long !== undefined)
    return err(`must have tags of at most ${LIMITS.tagMaxCharacters} characters each, not "${long}"`);
  return tags.length <= LIMITS.tagsMax ? ok(tags) : err(`can have at most ${LIMITS.tagsMax} tags, not ${tags.length}`);
};

/** Never repeats the password, not even in an error. */
export const readPassword = (text: string): Result<string, string> => {
  const { passwordMinCharacters: least, passwordMaxCharacters: most } = LIMITS;
  const length = characters(text);
  return text === ASK || (length >= least && length <= most)
    ? ok(text)
    : err(`must have ${least} to ${most} characters, not ${length}`);
};

const readViews = (text: string): Result<number | null, string> => {
  if (text === NONE) return ok(null);
  const views = /^\d+$/.test(text) ? Number(text) : 0;
  return views >= 1 && views <= LIMITS.viewLimitMax
    ? ok(views)
    : err(`must be a number from 1 to ${LIMITS.viewLimitMax.toLocaleString('en-US')}, or ${NONE}, not "${text}"`);
};

/** An instant, or a duration from now. Null: never. */
export type Expiry = { readonly at: Date } | { readonly inMs: number } | null;

const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** A time in the API has a year of four digits. */
const TOO_LATE = Date.UTC(10_000, 0);
const LONGEST_MS = 1_000 * 365 * DAY_MS;

const readExpiry = (text: string): Result<Expiry, string> => {
  if (text === NONE) return ok(null);
  const far = err(`must be within 1,000 years, or ${NONE}, not "${text}"`);
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const inMs = Number(count) * (UNIT_MS[unit] as number);
    return inMs <= LONGEST_MS ? ok({ inMs }) : far;
  }
  const at = readInstant(text);
  if (at === null)
    return err(`must be a duration (90m, 12h, 3d, 2w), a time such as 2027-01-31T18:00, or ${NONE}, not "${text}"`);
  return at.getTime() < TOO_LATE ? ok({ at }) : far;
};

/** Options of a link before or after it is published. */
export const LINK_OPTIONS = {
  visibility: choice('WHO', VISIBILITIES, 'who can open the link; by default as set in the account'),
  password: parsed('WORD', 'require this password; `-` prompts for it', readPassword, {
    environment: 'LINKSHOT_PASSWORD',
  }),
  'one-time': flag('only the first browser that opens the link gets access'),
  ttl: choice('TIME', TTLS, 'how long the link is valid', {
    clashes: { expires: 'Use either --ttl or --expires: both set when the link expires.' },
  }),
  expires: parsed('WHEN', 'exact expiry: 12h, 3d, 2027-01-31T18:00, none (a feature of paid plans)', readExpiry),
  views: parsed('N', 'maximum number of views, or none (a feature of paid plans)', readViews),
  downloads: choice('MAY', ['allowed', 'forbidden'], 'whether others may download the file'),
  title: parsed('TEXT', 'its title; the file name by default', readTitle),
  tags: parsed('A,B', 'its tags, separated by commas', readTags),
} as const;

export type LinkValues = Values<typeof LINK_OPTIONS>;

/** Options of a new item. */
export const PUBLISH_OPTIONS = {
  ...LINK_OPTIONS,
  preset: text('NAME', 'a named set of link settings; other options override it'),
  copy: flag('also copy the link to the clipboard'),
} as const;

/** Only given values. `password` is the password itself, no longer the request to prompt. */
export const settingsOf = (options: LinkValues, password: string | undefined, now: Date): LinkSettings => ({
  ...(options.visibility && { visibility: options.visibility }),
  ...(password !== undefined && { password }),
  ...(options['one-time'] && { oneTime: true }),
  ...(options.ttl && { ttl: options.ttl }),
  ...expiryOf(options, now),
  ...(options.views !== undefined && { viewLimit: options.views }),
  ...(options.downloads && { allowDownload: options.downloads === 'allowed' }),
  ...(options.title !== undefined && { title: options.title }),
  ...(options.tags && { tags: options.tags }),
});

/** Only where the option is given. */
export const expiryOf = ({ expires }: Pick<LinkValues, 'expires'>, now: Date): Pick<LinkSettings, 'expiresAt'> =>
  expires === undefined ? {} : { expiresAt: momentOf(expires, now) };

const momentOf = (expiry: Expiry, now: Date): string | null => {
  if (expiry === null) return null;
  return ('at' in expiry ? expiry.at : new Date(now.getTime() + expiry.inMs)).toISOString();
};
