/**
 * Stores the app's settings in the profile; they are always complete and valid by the schema, and the default preset
 * exists.
 */

import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { findPreset } from '../../ipc/protocol/link-settings.ts';
import { DEFAULT_SETTINGS, Settings } from '../../ipc/protocol/settings.ts';
import { validateLink } from '../link-rules.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';

export interface SettingsStore {
  get(): Settings;
  /**
   * A default preset may be given by its name; it becomes null when its preset is removed. Errors: COMMAND_INVALID with
   * a sentence, DISK_FULL; then nothing has changed.
   */
  update(change: Partial<Settings>): Result<Settings>;
}

const isSettings = createValidator(Settings);

/** Partial: a profile of an older version has fewer settings and keeps the ones it has. */
const persistedSettings = (profile: Profile) => createPersistedValue(profile, 'settings', Type.Partial(Settings));

/** Users who changed a setting or published something before first steps existed skip them. */
const KNOWS_THE_APP: Pick<Settings, 'firstSteps'> = { firstSteps: { state: 'over', done: [], skipped: [] } };

const hasPublished = ({ database }: Profile): boolean =>
  database.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM library)').pluck().get() === 1;

/** An earlier version also accepted a preset that does not exist, and a relative folder. */
const withEffect = (settings: Settings): Settings => ({
  ...settings,
  defaultPreset: findPreset(settings.presets, settings.defaultPreset)?.id ?? null,
  saveFolder: settings.saveFolder !== null && isAbsolute(settings.saveFolder) ? settings.saveFolder : null,
});

/** The currently stored settings. */
export const readSettings = (profile: Profile): Settings => {
  const stored = persistedSettings(profile).read();
  const known = stored !== null || hasPublished(profile) ? KNOWS_THE_APP : {};
  return withEffect({ ...DEFAULT_SETTINGS, ...known, ...stored });
};

const invalid = (detail: string): Result<never> => err(failure('COMMAND_INVALID', detail));

/** Checks what is changed also beyond the schema. Errors: COMMAND_INVALID with a sentence. */
const changed = (settings: Settings, change: Partial<Settings>): Result<Settings> => {
  const next = { ...settings, ...change };
  if (!isSettings(next)) return invalid('This setting cannot have that value.');
  const { presets = [], defaultPreset = null, saveFolder = null } = change;
  if (saveFolder !== null && !isAbsolute(saveFolder))
    return invalid(`The folder "${saveFolder}" is not an absolute path; nothing was changed.`);
  for (const preset of presets) {
    const isKnown = settings.presets.some((known) => isDeepStrictEqual(known, preset));
    const refusal = isKnown ? null : validateLink(preset.link, 0);
    if (refusal) return invalid(`The preset "${preset.name}" is not valid: ${refusal.detail} Nothing was changed.`);
  }
  if (defaultPreset !== null && !findPreset(next.presets, defaultPreset))
    return invalid(`Unknown preset "${defaultPreset}"; nothing was changed.`);
  return ok(withEffect(next));
};

export const createSettings = (profile: Profile, onChange: () => void): SettingsStore => {
  const persisted = persistedSettings(profile);
  let settings = readSettings(profile);
  return {
    get: () => settings,
    update(change) {
      const next = changed(settings, change);
      if (!next.ok) return next;
      try {
        persisted.write(next.value);
      } catch (error) {
        return diskFullOrThrow(error);
      }
      settings = next.value;
      onChange();
      return ok(settings);
    },
  };
};
