/**
 * Combines link settings: how the own settings of an item override general ones, such as those of a preset. The engine
 * adds items by this rule, and the window shows in advance what it gives. Pure.
 */
import type { LinkSettings } from './link-settings.ts';

/** The own settings override the general ones, also those that conflict with them (ONE_TIME_NOT_PUBLIC). */
export const overrideLinkSettings = (general: LinkSettings, own: LinkSettings): LinkSettings => {
  const { visibility, oneTime, ttl, ...rest } = general;
  return {
    ...rest,
    ...(visibility && { visibility: own.oneTime && visibility === 'public' ? 'unlisted' : visibility }),
    ...(oneTime !== undefined && !(own.visibility === 'public') && { oneTime }),
    ...(ttl && own.expiresAt == null && { ttl }),
    ...own,
  };
};
