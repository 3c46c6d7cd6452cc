/**
 * Calculates the plan, quota, limits and features that an account has at a given time. A paid plan or a trial grants at
 * least what the free plan grants, and the limits of the server apply to every plan. Also refuses uploads and media
 * that exceed the limits.
 */
import type { Static } from 'typebox';
import type { AccountLimits, BillingTrial, Entitlements, Feature, LocalName, Plan } from '../../api/account.ts';
import type { PlanConfig, ServerConfig } from '../config/config.ts';
import { ProblemError } from '../problem-details.ts';
import type { AccountRow, PlanCode } from './accounts.ts';

export const PLAN_NAMES: Readonly<Record<PlanCode, Static<typeof LocalName>>> = {
  free: { en: 'Free', ru: 'Бесплатный' },
  pro: { en: 'Pro', ru: 'Про' },
};

/** The plan of a trial, including its storage. */
export const TRIAL_PLAN = 'pro';

interface PaidPlan {
  readonly code: Exclude<PlanCode, 'free'>;
  readonly trial: boolean;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The plan in force at `now`, or null: an expired plan or trial grants nothing. */
const planInForce = ({ plan, planUntil, trialEndsAt }: AccountRow, now: number): PaidPlan | null => {
  if (plan !== 'free' && planUntil !== null && planUntil > now) return { code: plan, trial: false, until: planUntil };
  if (planUntil === null && trialEndsAt !== null && trialEndsAt > now)
    return { code: TRIAL_PLAN, trial: true, until: trialEndsAt };
  return null;
};

/** Total bytes that the account may store. */
export const quotaOf = (config: ServerConfig, account: AccountRow, now: number): number =>
  rightsOf(config, account, now).quotaBytes;

export const featuresOf = (config: ServerConfig, account: AccountRow, now: number): readonly Feature[] =>
  rightsOf(config, account, now).features;

const rightsOf = ({ plans }: ServerConfig, account: AccountRow, now: number): PlanConfig => {
  if (planInForce(account, now) === null) return plans.free;
  const { free, pro } = plans;
  return {
    quotaBytes: Math.max(free.quotaBytes, pro.quotaBytes),
    imageBytes: larger(free.imageBytes, pro.imageBytes),
    videoBytes: larger(free.videoBytes, pro.videoBytes),
    features: [...new Set([...free.features, ...pro.features])],
  };
};

/** Null is unlimited. */
const larger = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

/** `limits` of the account response (API document, "limits"). */
export const limitsOf = (config: ServerConfig, account: AccountRow, now: number): AccountLimits => {
  const { imageBytes, videoBytes } = rightsOf(config, account, now);
  const maxImageBytes = Math.min(imageBytes ?? Number.POSITIVE_INFINITY, config.server.imageBytes);
  const maxVideoBytes = Math.min(videoBytes ?? Number.POSITIVE_INFINITY, config.server.videoBytes);
  return {
    requestsPerMinute: config.limits.requestsPerMinute,
    maxUploadBytes: Math.max(maxImageBytes, maxVideoBytes),
    maxImageBytes,
    maxVideoBytes,
    planImageBytes: imageBytes,
    planVideoBytes: videoBytes,
    serverImageBytes: config.server.imageBytes,
    serverVideoBytes: config.server.videoBytes,
    uploadsAtOnce: config.limits.uploadsAtOnce,
    video: config.video,
  };
};

/** `user.plan`; null is the free plan. */
export const planOf = (account: AccountRow, now: number): Plan | null => {
  const plan = planInForce(account, now);
  return plan && { ...plan, name: PLAN_NAMES[plan.code], until: new Date(plan.until).toISOString() };
};

/** `entitlements` of the account response, with the trial as available to this requester. */
export const entitlementsOf = (
  config: ServerConfig,
  account: AccountRow,
  now: number,
  trial: BillingTrial,
): Entitlements => {
  const limits = limitsOf(config, account, now);
  return {
    planUntil: planOf(account, now)?.until ?? null,
    imageBytes: limits.maxImageBytes,
    videoBytes: limits.maxVideoBytes,
    planImageBytes: limits.planImageBytes,
    planVideoBytes: limits.planVideoBytes,
    quotaBytes: quotaOf(config, account, now),
    features: [...featuresOf(config, account, now)],
    trial,
  };
};

/**
 * Refuses a file of any type that is over `limits.maxUploadBytes` (413 UPLOAD_TOO_LARGE). `params.ceiling` is `server`
 * where the plan sets no lower limit.
 */
export const refuseOversizedUpload = (limits: AccountLimits, size: number): void => {
  const { maxUploadBytes: limitBytes, serverImageBytes, serverVideoBytes } = limits;
  if (size <= limitBytes) return;
  const byServer = limitBytes >= Math.max(serverImageBytes, serverVideoBytes);
  throw new ProblemError('UPLOAD_TOO_LARGE', `The file is over the limit of ${limitBytes} bytes.`, {
    params: { limitBytes, ...(byServer && { ceiling: 'server' }) },
  });
};

/** Refuses an image or video over its type's limit (413); above the ceiling of every account `params.ceiling` is `server`. */
export const refuseOversizedMedia = (limits: AccountLimits, type: 'IMAGE' | 'VIDEO', size: number): void => {
  const [planLimit, serverLimit] =
    type === 'IMAGE'
      ? [limits.maxImageBytes, limits.serverImageBytes]
      : [limits.maxVideoBytes, limits.serverVideoBytes];
  if (size <= planLimit) return;
  const byServer = size > serverLimit;
  const limitBytes = byServer ? serverLimit : planLimit;
  const noun = type === 'IMAGE' ? 'image' : 'video';
  throw new ProblemError(`${type}_TOO_LARGE`, `The ${noun} is over the limit of ${limitBytes} bytes.`, {
    params: { limitBytes, ...(byServer && { ceiling: 'server' }) },
  });
};

/** 403 PLAN_FEATURE_REQUIRED with `params.feature` (API document, "entitlements"). */
export const planFeatureRequired = (feature: Feature): ProblemError =>
  new ProblemError('PLAN_FEATURE_REQUIRED', 'The plan of this account does not include this; choose a larger plan.', {
    params: { feature },
  });
