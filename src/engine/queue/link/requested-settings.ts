/**
 * What is wished of a new item's link, settled when it is added: the person's own words, then the default preset, then
 * the settings; what none of them says is as the account has it. Completing again after a crash sends exactly the same.
 */

import type { Account } from '../../../api/account.ts';
import type { ShareFields } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { Afterwards, LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../../ipc/protocol/settings.ts';
import { refusalOfLink } from '../../library/link-rules.ts';
import { missingFeature, plainly } from '../../library/plan-features.ts';

export interface RequestedSettings {
  readonly fields: Omit<ShareFields, 'password'>;
  readonly password: string | undefined;
  readonly afterwards: Afterwards | null;
  /** What stands against them. Of the person's own words: nothing is added. Of a preset: the item waits, nothing is lost. */
  readonly refusal: { readonly of: 'person' | 'preset'; readonly failure: Failure } | null;
}

export const requestedSettingsOf = (
  share: LinkSettings,
  settings: Settings,
  { account, now }: { readonly account: Account | null; readonly now: number },
): RequestedSettings => {
  const preset = settings.presets.find(({ id }) => id === settings.defaultPreset)?.link ?? {};
  const { visibility } = settings;
  const general: LinkSettings = { ...(visibility !== null && { visibility }), ...preset };
  const whole = plainly({ ...withoutClash(general, share), ...share });
  const own = refusalOfLink(share, now) ?? (account && missingFeature(plainly(share), account, null));
  const whose = account && missingFeature(whole, account, null);
  return {
    ...split(whole),
    refusal: own ? { of: 'person', failure: own } : whose ? { of: 'preset', failure: whose } : null,
  };
};

/** What the person asks for now wins over a general wish that would make it impossible (ONE_TIME_NOT_PUBLIC). */
const withoutClash = (general: LinkSettings, share: LinkSettings): LinkSettings => {
  const { visibility, oneTime, ttl, ...rest } = general;
  return {
    ...rest,
    ...(visibility && !(share.oneTime && visibility === 'public') && { visibility }),
    ...(oneTime !== undefined && !(share.visibility === 'public') && { oneTime }),
    ...(ttl && share.expiresAt == null && { ttl }),
  };
};

/** What publishing carries, and what has to wait until then. */
export const split = (whole: LinkSettings): Omit<RequestedSettings, 'refusal'> => {
  const { expiresAt, viewLimit, allowDownload, password, ...fields } = whole;
  const afterwards: Afterwards = {
    ...(expiresAt != null && { expiresAt }),
    ...(viewLimit != null && { viewLimit }),
    ...(allowDownload === false && { allowDownload }),
  };
  return { fields, password, afterwards: Object.keys(afterwards).length > 0 ? afterwards : null };
};
