/** Stores the app's settings in the profile; they are always complete and valid by the schema. */

import Type from 'typebox';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { DEFAULT_SETTINGS, Settings } from '../../ipc/protocol/settings.ts';
import type { Profile } from '../profile/database.ts';
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
        return diskFullOrThrow(error);
      }
      settings = next;
      onChange();
      return ok(settings);
    },
  };
};
