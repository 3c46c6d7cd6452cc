/**
 * Stores presets, which are named sets of link settings, in the app's settings. One of them can be the default for new
 * items.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { PRESETS_MAX, type Preset } from '../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE } from '../empty-result.ts';
import { validateLink } from '../link-rules.ts';
import type { Random } from '../ports.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

export interface PresetsDeps {
  readonly random: Random;
  readonly settings: SettingsStore;
}

export const createPresets = ({ random, settings }: PresetsDeps): CommandsOf<'preset'> => {
  const change = (part: Partial<Settings>): Result<Record<string, never>> => {
    const updated = settings.update(part);
    return updated.ok ? DONE : updated;
  };
  const unknown = () => err(failure('COMMAND_INVALID', 'This preset no longer exists.'));
  const has = (id: string) => settings.get().presets.some((preset) => preset.id === id);

  return {
    save({ id = random.uuid(), name, link }) {
      const { presets } = settings.get();
      if (!has(id) && presets.length >= PRESETS_MAX)
        return err(failure('COMMAND_INVALID', `There can be at most ${PRESETS_MAX} presets. Remove one first.`));
      const refusal = validateLink(link, 0);
      if (refusal) return err(refusal);
      const preset: Preset = { id, name, link };
      const saved = change({
        presets: has(id) ? presets.map((known) => (known.id === id ? preset : known)) : [...presets, preset],
      });
      return saved.ok ? ok(preset) : saved;
    },
    remove({ id }) {
      if (!has(id)) return unknown();
      return change({ presets: settings.get().presets.filter((preset) => preset.id !== id) });
    },
    makeDefault: ({ id }) => (id === null || has(id) ? change({ defaultPreset: id }) : unknown()),
  };
};
