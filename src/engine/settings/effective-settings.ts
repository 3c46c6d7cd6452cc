/** The settings as they take effect. The one place where the person's own choice is put over what the account says. */

import type { User } from '../../api/account.ts';
import { type Effective, PALETTES, type Settings } from '../../ipc/protocol/settings.ts';

/** `user` null: no account is known yet. A palette that this version does not know is the first one. */
export const effectiveSettings = (settings: Settings, user: User | null): Effective => ({
  copyLink: settings.copyLink ?? user?.copyLink ?? true,
  visibility: settings.visibility ?? (user && (user.privateByDefault ? 'private' : 'unlisted')),
  hotkey: settings.hotkeys.region ?? (user?.captureHotkey || null),
  palette: settings.palette ?? PALETTES.find((known) => known === user?.palette) ?? PALETTES[0],
});
