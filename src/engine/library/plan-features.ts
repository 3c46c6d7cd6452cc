/** Checks before a request whether the plan includes the needed features (API document, "Feature meanings"). Pure. */

import type { Account, Feature } from '../../api/account.ts';
import type { Content } from '../../api/content.ts';
import { type Failure, failure } from '../../api/errors.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';

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
  link_expiry: 'An end at a certain time needs a larger plan. A day, a week or a month is part of every plan.',
  view_limit: 'A limit of views needs a larger plan. A one-time link is part of every plan.',
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
