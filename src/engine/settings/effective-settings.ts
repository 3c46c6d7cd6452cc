/** Computes the effective settings: the user's own choice takes precedence over the account's. */

import type { User } from '../../api/account.ts';
import { type Effective, PALETTES, type Settings } from '../../ipc/protocol/settings.ts';

/** `user` null: no account is known yet. An unknown palette falls back to the first one. */
export const effectiveSettings = (settings: Settings, user: User | null): Effective => ({
  copyLink: settings.copyLink ?? user?.copyLink ?? true,
  visibility: settings.visibility ?? (user && (user.privateByDefault ? 'private' : 'unlisted')),
  hotkey: settings.hotkeys.region ?? (user?.captureHotkey || null),
  palette: settings.palette ?? PALETTES.find((known) => known === user?.palette) ?? PALETTES[0],
});
