/** The settings. */
import Type from 'typebox';
import { Settings } from '../settings.ts';
import { type Command, None } from './command.ts';

export const settingsCommands = {
  'settings.update': { input: Type.Partial(Settings), output: Settings, from: 'page' },
  /** Lets the person choose the folder for captures in a window of the system, where the host has one; then it is set. */
  'settings.chooseSaveFolder': { input: None, output: Settings, from: 'page' },
} as const satisfies Record<string, Command>;
