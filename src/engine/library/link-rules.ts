/** Validates link settings by the rules of the service before an upload (API document, "Content"; "Limits"). Pure. */

import { type Failure, failure } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';

/** INVALID_INPUT with the service's `params.issues`, or ONE_TIME_NOT_PUBLIC. Null: valid. */
export const validateLink = (link: LinkSettings, now: number): Failure | null => {
  if (link.oneTime && link.visibility === 'public')
    return failure('ONE_TIME_NOT_PUBLIC', 'A one-time link cannot be public; choose private or unlisted.');
  const issue = issueOf(link, now);
  if (!issue) return null;
  return failure('INVALID_INPUT', `The ${issue.path.slice(1)} ${issue.message}.`, { params: { issues: [issue] } });
};

const issueOf = ({ title, tags, password, expiresAt }: LinkSettings, now: number) => {
  const { titleMaxCharacters, tagsMax, tagMaxCharacters, passwordMinCharacters, passwordMaxCharacters } = LIMITS;
  const issue = (path: string, message: string) => ({ path, message });
  if (title !== undefined && characters(title.trim()) > titleMaxCharacters)
    return issue('/title', `must have at most ${titleMaxCharacters} characters`);
  const lengths = (tags ?? []).map((tag) => characters(tag.normalize('NFKC').trim()));
  if (new Set(tags).size > tagsMax) return issue('/tags', `must be at most ${tagsMax}`);
  if (lengths.some((length) => length < 1 || length > tagMaxCharacters))
    return issue('/tags', `must have 1 to ${tagMaxCharacters} characters each`);
  const length = characters((password ?? '').normalize('NFKC'));
  if (password && (length < passwordMinCharacters || length > passwordMaxCharacters))
    return issue('/password', `must have ${passwordMinCharacters} to ${passwordMaxCharacters} characters`);
  if (expiresAt != null && !(Date.parse(expiresAt) > now)) return issue('/expiresAt', 'must be a time in the future');
  return null;
};

/** Counts code points, as the service does. */
const characters = (text: string): number => [...text].length;
