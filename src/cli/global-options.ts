/** The options that every command takes. */
import { flag, text } from './command.ts';

export const GLOBAL_OPTIONS = {
  json: flag('one JSON object per line on stdout'),
  server: text('URL', 'the service to use for this run', { environment: 'LINKSHOT_SERVER' }),
  key: text('KEY', 'its API key; prefer the variable, or `-` to be prompted', {
    environment: 'LINKSHOT_KEY',
  }),
  profile: text('DIR', 'the folder of the queue, the library and the settings', {
    environment: 'LINKSHOT_PROFILE',
    offers: 'folders',
  }),
  help: flag('show the help of the command', { short: 'h' }),
  version: flag('print the version of Linkshot'),
} as const;
