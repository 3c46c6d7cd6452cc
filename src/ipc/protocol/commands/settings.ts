/** Commands of the settings, and of presets: named sets of link settings, which are part of the settings. */
import Type from 'typebox';
import { Nullable } from '../../../api/nullable-and-literals.ts';
import { Preset, PresetId } from '../link-settings.ts';
import { Settings } from '../settings.ts';
import { type Command, None } from './command.ts';

export const settingsCommands = {
  'settings.update': { input: Type.Partial(Settings), output: Settings, from: 'page' },
  /** Lets the user choose the folder for screenshots in a system dialog, where the host has one; then saves it. */
  'settings.chooseSaveFolder': { input: None, output: Settings, from: 'page', by: 'host' },
} as const satisfies Record<string, Command>;

// Commands of presets: named sets of link settings. They are part of the settings, where windows see them.

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
