/** Short summary of a preset's link settings. */

import type { Preset } from '../../../../ipc/protocol/link-settings.ts';
import type { Messages } from '../../../locales/en.ts';

export const presetInWords = (
  { visibility, ttl, oneTime, allowDownload, viewLimit }: Preset['link'],
  t: Messages,
): string => {
  const words = t.settingsMore.presets;
  const parts = [
    visibility && t.library.visibility[visibility],
    ttl && t.panels.link.ttl[ttl],
    oneTime && words.onlyOnce,
    allowDownload === false && words.noDownload,
    viewLimit != null && words.viewsIn(viewLimit),
  ].filter((word) => typeof word === 'string');
  return parts.length === 0 ? words.nothing : parts.join(' · ');
};
