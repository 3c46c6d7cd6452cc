/** Commands of the settings. */
import Type from 'typebox';
import { Settings } from '../settings.ts';
import { type Command, None } from './command.ts';

export const settingsCommands = {
  'settings.update': { input: Type.Partial(Settings), output: Settings, from: 'page' },
  /** Lets the user choose the folder for screenshots in a system dialog, where the host has one; then saves it. */
  'settings.chooseSaveFolder': { input: None, output: Settings, from: 'page', by: 'host' },
} as const satisfies Record<string, Command>;
