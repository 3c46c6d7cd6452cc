/** The settings. */
import Type from 'typebox';
import { Settings } from '../settings.ts';
import type { Command } from './command.ts';

export const settingsCommands = {
  'settings.update': { input: Type.Partial(Settings), output: Settings, from: 'page' },
} as const satisfies Record<string, Command>;
