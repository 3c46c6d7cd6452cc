/**
 * Stores the app's settings in the profile; they are always complete and valid by the schema. The effective settings
 * combine them with those of the account.
 */
import Type from 'typebox';
import type { User } from '../../api/account.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { DEFAULT_SETTINGS, type Effective, PALETTES, Settings } from '../../ipc/protocol/settings.ts';
import { createValidator } from '../../ipc/protocol/validator.ts';
import { diskFull, isDiskFull, type Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';

export interface SettingsStore {
  get(): Settings;
  /** Errors: COMMAND_INVALID, DISK_FULL. */
  update(change: Partial<Settings>): Result<Settings>;
}

const isSettings = createValidator(Settings);

/** Partial: a profile of an older version has fewer settings and keeps the ones it has. */
const persistedSettings = (profile: Profile) => createPersistedValue(profile, 'settings', Type.Partial(Settings));

/** Users who changed a setting or published something before first steps existed skip them. */
const KNOWS_THE_APP: Pick<Settings, 'firstSteps'> = { firstSteps: { state: 'over', done: [], skipped: [] } };

const hasPublished = ({ database }: Profile): boolean =>
  database.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM library)').pluck().get() === 1;

/** The currently stored settings. */
export const readSettings = (profile: Profile): Settings => {
  const stored = persistedSettings(profile).read();
  const known = stored !== null || hasPublished(profile) ? KNOWS_THE_APP : {};
  return { ...DEFAULT_SETTINGS, ...known, ...stored };
};

export const createSettings = (profile: Profile, onChange: () => void): SettingsStore => {
  const persisted = persistedSettings(profile);
  let settings = readSettings(profile);
  return {
    get: () => settings,
    update(change) {
      const next = { ...settings, ...change };
      if (!isSettings(next)) return err(failure('COMMAND_INVALID', 'This setting cannot have that value.'));
      try {
        persisted.write(next);
      } catch (error) {
        if (isDiskFull(error)) return err(diskFull());
        throw error;
      }
      settings = next;
      onChange();
      return ok(settings);
    },
  };
};

// Computes the effective settings: the user's own choice takes precedence over the account's.

/** `user` null: no account is known yet. An unknown palette falls back to the first one. */
export const effectiveSettings = (settings: Settings, user: User | null): Effective => ({
  copyLink: settings.copyLink ?? user?.copyLink ?? true,
  visibility: settings.visibility ?? (user && (user.privateByDefault ? 'private' : 'unlisted')),
  hotkey: settings.hotkeys.region ?? (user?.captureHotkey || null),
  palette: settings.palette ?? PALETTES.find((known) => known === user?.palette) ?? PALETTES[0],
});
