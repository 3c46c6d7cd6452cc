/** Handlers of the preset commands. */

import type { Result } from '../../../api/errors.ts';
import type { presetCommands } from '../../protocol/commands/presets.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handlers.ts';

const withoutOutput = (result: Result<void>) => (result.ok ? DONE : result);

export const presetHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof presetCommands> => ({
  'preset.save': (preset) => engine.savePreset(preset),
  'preset.remove': ({ id }) => withoutOutput(engine.removePreset(id)),
  'preset.makeDefault': ({ id }) => withoutOutput(engine.makeDefaultPreset(id)),
});
