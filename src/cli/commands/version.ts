/** `linkshot version`: prints the version. */
import { VERSION } from '../../host/version.ts';
import { command } from '../command.ts';

export const version = command({
  name: 'version',
  summary: 'print the version of Linkshot',
  group: 'Linkshot itself',
  arguments: [],
  options: {},
  description: ['`linkshot --version` prints the same.'],
  json: ['{"version","node","platform"}'],
  examples: [{ words: 'version', does: 'such as Linkshot 0.1.0' }],
  run: async (_, { report, platform }) =>
    report.say({ version: VERSION, node: process.versions.node, platform }, `Linkshot ${VERSION}`),
});
