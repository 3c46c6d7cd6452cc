/** The options about a link that upload, folder, note and set have in common, and the settings they make. */
import { type ShareFields, TTLS, VISIBILITIES } from '../contract/content.ts';
import { err, ok, type Result } from '../contract/errors.ts';
import { LIMITS } from '../contract/limits.ts';
import { choice, flag, parsed, type Values } from './command.ts';

/** Lengths of the API count characters as people do: code points. */
const characters = (text: string): number => [...text].length;

const readTitle = (text: string): Result<string, string> =>
  characters(text) <= LIMITS.titleMaxCharacters
    ? ok(text)
    : err(`has at most ${LIMITS.titleMaxCharacters} characters, not ${characters(text)}`);

const readTags = (text: string): Result<string[], string> => {
  const tags = text.split(',').flatMap((tag) => tag.trim() || []);
  const long = tags.find((tag) => characters(tag) > LIMITS.tagMaxCharacters);
  if (long !== undefined) return err(`has tags of at most ${LIMITS.tagMaxCharacters} characters each, not "${long}"`);
  return tags.length <= LIMITS.tagsMax ? ok(tags) : err(`has at most ${LIMITS.tagsMax} tags, not ${tags.length}`);
};

/** `-`: ask for it. The word itself is never repeated, also not when it is wrong. */
export const readPassword = (text: string): Result<string, string> => {
  const { passwordMinCharacters: least, passwordMaxCharacters: most } = LIMITS;
  const length = characters(text);
  return text === ASK || (length >= least && length <= most)
    ? ok(text)
    : err(`has ${least} to ${most} characters, not ${length}`);
};

/** The value of --password that asks for it. */
export const ASK = '-';

export const LINK_OPTIONS = {
  visibility: choice('WHO', VISIBILITIES, 'who may open the link; otherwise as the account has it'),
  password: parsed('WORD', 'open only with this password; `-` asks for it', readPassword, {
    environment: 'LINKSHOT_PASSWORD',
  }),
  'one-time': flag('the first browser that opens the link gets it, and nobody after'),
  ttl: choice('TIME', TTLS, 'how long the link lives'),
  title: parsed('TEXT', 'its title; otherwise its name', readTitle),
  tags: parsed('A,B', 'its tags, with commas between them', readTags),
} as const;

export type LinkValues = Values<typeof LINK_OPTIONS>;

/** Only what was given. `password` is the word itself by now, not the wish to be asked. */
export const shareOf = (options: LinkValues, password: string | undefined): ShareFields => ({
  ...(options.visibility && { visibility: options.visibility }),
  ...(password !== undefined && { password }),
  ...(options['one-time'] && { oneTime: true }),
  ...(options.ttl && { ttl: options.ttl }),
  ...(options.title !== undefined && { title: options.title }),
  ...(options.tags && { tags: options.tags }),
});
