/** Commands of presets: named sets of link settings. They are part of the settings, where windows see them. */
import Type from 'typebox';
import { Nullable } from '../../../api/content.ts';
import { Preset, PresetId } from '../link-settings.ts';
import { type Command, None } from './command.ts';

export const presetCommands = {
  /** Creates a preset, or changes the one with the same id. */
  'preset.save': {
    input: Type.Object({ id: Type.Optional(PresetId), name: Preset.properties.name, link: Preset.properties.link }),
    output: Preset,
    from: 'page',
  },
  'preset.remove': { input: Type.Object({ id: PresetId }), output: None, from: 'page' },
  /** The default of new items; null: the account's defaults. */
  'preset.makeDefault': { input: Type.Object({ id: Nullable(PresetId) }), output: None, from: 'page' },
} as const satisfies Record<string, Command>;
