/**
 * Merges the link settings of an item when it is added: the user's choice for the item overrides the default preset,
 * which overrides the app's settings; the account's defaults apply to the rest. Splits them into those of the request
 * that publishes the item and those applied afterwards, and says why the service would refuse them. A public item is
 * private until those applied afterwards are in effect, whatever fails in between.
 */

import type { Account } from '../../../api/account.ts';
import type { ShareFields } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { LinkSettings, PostPublishSettings } from '../../../ipc/protocol/link-settings.ts';
import { overrideLinkSettings } from '../../../ipc/protocol/override-link-settings.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { Settings } from '../../../ipc/protocol/settings.ts';
import { checkFeatures, normaliseExpiry, validateLink } from '../../link-rules.ts';

export interface RequestedSettings {
  readonly fields: Omit<ShareFields, 'password'>;
  readonly password: string | undefined;
  readonly postPublish: PostPublishSettings | null;
  /**
   * Why the service would refuse them. `user`: the user's own settings, the item is not added. `preset`: the item is
   * added and waits for the user.
   */
  readonly refusal: { readonly of: 'user' | 'preset'; readonly failure: Failure } | null;
}

export const requestedSettingsOf = (
  share: LinkSettings,
  settings: Settings,
  { account, now }: { readonly account: Account | null; readonly now: number },
): RequestedSettings => {
  const preset = settings.presets.find(({ id }) => id === settings.defaultPreset)?.link ?? {};
  const { visibility } = settings;
  const merged = normaliseExpiry(
    overrideLinkSettings(visibility === null ? {} : { visibility }, overrideLinkSettings(preset, share)),
  );
  const ownRefusal = validateLink(share, now) ?? (account && checkFeatures(normaliseExpiry(share), account, null));
  const mergedRefusal = validateLink(merged, now) ?? (account && checkFeatures(merged, account, null));
  return {
    ...splitSettings(merged),
    refusal: ownRefusal
      ? { of: 'user', failure: ownRefusal }
      : mergedRefusal
        ? { of: 'preset', failure: mergedRefusal }
        : null,
  };
};

/** Splits settings into those sent when publishing and those applied afterwards. */
export const splitSettings = (merged: LinkSettings): Omit<RequestedSettings, 'refusal'> => {
  const { expiresAt, viewLimit, allowDownload, password, ...fields } = merged;
  const postPublish: PostPublishSettings = {
    ...(expiresAt != null && { expiresAt }),
    ...(viewLimit != null && { viewLimit }),
    ...(allowDownload === false && { allowDownload }),
  };
  return { fields, password, postPublish: Object.keys(postPublish).length > 0 ? postPublish : null };
};

type ItemSettings = Pick<QueueItem, 'share' | 'postPublish'>;

/** Why the service would refuse the settings of an unpublished item at `now`; null: it would not. */
export const refusalOf = (
  { share, postPublish }: ItemSettings,
  { account, now }: { readonly account: Account; readonly now: number },
): Failure | null => {
  const settings = { ...share, ...postPublish };
  return validateLink(settings, now) ?? checkFeatures(settings, account, null);
};

/** The settings of an item whose publishing request is sent next. */
export const privateUntilApplied = ({ share, postPublish }: ItemSettings): ItemSettings =>
  postPublish === null || share.visibility !== 'public'
    ? { share, postPublish }
    : { share: { ...share, visibility: 'private' }, postPublish: { visibility: 'public', ...postPublish } };
