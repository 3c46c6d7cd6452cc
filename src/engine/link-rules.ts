/**
 * Validates link settings before a request, by the rules of the service (API document, "Content"; "Limits") and by the
 * features of the account's plan, and normalises expiry times. Pure.
 */

import type { Account, Feature } from '../api/account.ts';
import type { Content } from '../api/content.ts';
import { type Failure, failure } from '../api/errors.ts';
import { LAST_INSTANT, LIMITS } from '../api/limits.ts';
import { isValidPassword } from '../api/password-rules.ts';
import type { LinkSettings } from '../ipc/protocol/link-settings.ts';

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
  if (password && !isValidPassword(password))
    return issue('/password', `must have ${passwordMinCharacters} to ${passwordMaxCharacters} characters`);
  if (expiresAt != null && !(Date.parse(expiresAt) > now && Date.parse(expiresAt) <= LAST_INSTANT))
    return issue('/expiresAt', 'must be a time in the future, and before the year 10000');
  return null;
};

/** Counts code points, as the service does. */
const characters = (text: string): number => [...text].length;

// Checks before a request whether the plan includes the needed features (API document, "Feature meanings"). Pure.

/**
 * PLAN_FEATURE_REQUIRED with `params.feature`, and the account's known upgrade: `params.planCode`, `params.planName`
 * and `params.trial` (BillingTrial.state). Null: nothing is missing. `content`: the published item.
 */
export const checkFeatures = (change: LinkSettings, account: Account, content: Content | null): Failure | null => {
  for (const feature of featuresOf(change, content)) {
    const missing = checkFeature(feature, account);
    if (missing) return missing;
  }
  return null;
};

/** The same for one feature. */
export const checkFeature = (
  feature: keyof typeof SENTENCES,
  { entitlements: { features, trial } }: Account,
): Failure | null => {
  if (features.includes(feature)) return null;
  const plan = trial && { planCode: trial.planCode, planName: trial.planName, trial: trial.state };
  return failure('PLAN_FEATURE_REQUIRED', SENTENCES[feature], { params: { feature, ...plan } });
};

const SENTENCES: Readonly<Record<'link_expiry' | 'view_limit' | 'view_stats', string>> = {
  link_expiry: 'An exact expiry needs a larger plan. A day, a week or a month is part of every plan.',
  view_limit: 'A view limit needs a larger plan. A one-time link is part of every plan.',
  view_stats: 'Views by day need a larger plan. Every plan counts total views.',
};

const featuresOf = (
  { expiresAt, viewLimit }: LinkSettings,
  content: Content | null,
): (Feature & keyof typeof SENTENCES)[] => [
  ...(expiresAt != null && !isSameInstant(expiresAt, content?.expiresAt) ? (['link_expiry'] as const) : []),
  ...(viewLimit !== undefined && viewLimit !== (content?.viewLimit ?? null) ? (['view_limit'] as const) : []),
];

const isSameInstant = (a: string, b: string | null | undefined): boolean =>
  b != null && Date.parse(a) === Date.parse(b);

/** Expresses the change in terms that every plan allows: no expiry is `ttl` forever. */
export const normaliseExpiry = ({ expiresAt, ...change }: LinkSettings): LinkSettings => {
  if (expiresAt === undefined) return change;
  return expiresAt === null ? { ...change, ttl: 'forever' } : { ...withoutTtl(change), expiresAt };
};

const withoutTtl = ({ ttl: _, ...change }: LinkSettings): LinkSettings => change;
