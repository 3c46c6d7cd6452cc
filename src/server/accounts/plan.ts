/** What an account may do now: its plan's rights, never less than the free plan's, and what the server bounds for everyone. */
import type { Static } from 'typebox';
import type { AccountLimits, Entitlements, Feature, LocalName, Plan } from '../../contract/account.ts';
import type { PlanConfig, ServerConfig } from '../config.ts';
import { ProblemError } from '../problem.ts';
import type { AccountRow, PlanCode } from './accounts.ts';

const PLAN_NAMES: Readonly<Record<PlanCode, Static<typeof LocalName>>> = {
  free: { en: 'Free', ru: 'Бесплатный' },
  pro: { en: 'Pro', ru: 'Про' },
};
const TRIAL_DAYS = 14;

/** The plan in force at `now`: a plan that has ended gives no rights any more. */
const planInForce = (account: AccountRow, now: number): PlanCode =>
  account.planUntil !== null && account.planUntil > now ? account.plan : 'free';

/** Bytes the account may store in all. */
export const quotaOf = (config: ServerConfig, account: AccountRow, now: number): number =>
  rightsOf(config, account, now).quotaBytes;

export const featuresOf = (config: ServerConfig, account: AccountRow, now: number): readonly Feature[] =>
  rightsOf(config, account, now).features;

const rightsOf = ({ plans }: ServerConfig, account: AccountRow, now: number): PlanConfig => {
  if (planInForce(account, now) === 'free') return plans.free;
  const { free, pro } = plans;
  return {
    quotaBytes: Math.max(free.quotaBytes, pro.quotaBytes),
    imageBytes: larger(free.imageBytes, pro.imageBytes),
    videoBytes: larger(free.videoBytes, pro.videoBytes),
    features: [...new Set([...free.features, ...pro.features])],
  };
};

/** Null is no limit. */
const larger = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

/** `limits` of the account answer (API document, "limits"). */
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
  const code = planInForce(account, now);
  if (code === 'free' || account.planUntil === null) return null;
  return { code, name: PLAN_NAMES[code], trial: false, until: new Date(account.planUntil).toISOString() };
};

/** `entitlements` of the account answer. */
export const entitlementsOf = (config: ServerConfig, account: AccountRow, now: number): Entitlements => {
  const limits = limitsOf(config, account, now);
  const plan = planOf(account, now);
  return {
    planUntil: plan?.until ?? null,
    imageBytes: limits.maxImageBytes,
    videoBytes: limits.maxVideoBytes,
    planImageBytes: limits.planImageBytes,
    planVideoBytes: limits.planVideoBytes,
    quotaBytes: quotaOf(config, account, now),
    features: [...featuresOf(config, account, now)],
    trial: {
      state: account.planUntil === null ? 'available' : 'unavailable',
      planCode: 'pro',
      planName: PLAN_NAMES.pro,
      days: TRIAL_DAYS,
      planQuota: true,
      startsAt: null,
      endsAt: null,
      daysLeft: null,
      reason: account.planUntil === null ? null : 'subscribed',
      notice: null,
    },
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
