/**
 * Calculates the link settings of an item that is not published yet: its defaults, and how a change by the user affects
 * the other settings. Pure.
 */

import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { CaptureDraft } from '../../../ipc/protocol/drawing.ts';
import { overrideLinkSettings } from '../../../ipc/protocol/override-link-settings.ts';
import type { LinkOptionsValue } from './link-options.tsx';

/** The link settings that the user has changed; an omitted field follows the settings. */
export type LinkChoice = CaptureDraft['share'];

/** The link settings before the user changes any: the preset of new items, otherwise the account's defaults. */
export const plannedLink = (
  { settings, effective }: Pick<AppState, 'settings' | 'effective'>,
  share: LinkChoice,
): LinkOptionsValue => {
  const preset = settings.presets.find(({ id }) => id === settings.defaultPreset)?.link ?? {};
  const ofAccount = effective.visibility === null ? {} : { visibility: effective.visibility };
  const {
    visibility = null,
    ttl = 'forever',
    oneTime = false,
  } = overrideLinkSettings(ofAccount, overrideLinkSettings(preset, share));
  return { visibility, ttl, oneTime, endsAt: null };
};

/** A public link cannot be one-time; the later choice wins. */
export const resolvedShare = (share: LinkChoice, change: LinkChoice, planned: LinkOptionsValue): LinkChoice => {
  const next = { ...share, ...change };
  if (change.oneTime && (next.visibility ?? planned.visibility) === 'public')
    return { ...next, visibility: 'unlisted' };
  if (change.visibility === 'public' && (next.oneTime ?? planned.oneTime)) return { ...next, oneTime: false };
  return next;
};
