/** The options that every command takes. */
import { flag, text } from './command.ts';

export const GLOBAL_OPTIONS = {
  json: flag('one JSON object per line on stdout'),
  server: text('URL', 'the service to use for this run', { environment: 'LINKSHOT_SERVER' }),
  key: text('KEY', 'its API key; better the variable, or `-` to be asked', {
    environment: 'LINKSHOT_KEY',
  }),
  profile: text('DIR', 'the folder of the queue, the library and the settings', {
    environment: 'LINKSHOT_PROFILE',
    offers: 'folders',
  }),
  help: flag('how the command is used', { short: 'h' }),
  version: flag('the version of Linkshot'),
} as const;
