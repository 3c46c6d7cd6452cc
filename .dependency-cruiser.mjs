/**
 * Who may import whom (docs/architecture.md). A folder is listed with what it may reach; all else is an error.
 * The swc parser is used because TypeScript 7 has no classic API: without it no module would be read, and all would pass.
 */
const folder = (name) => `^src/${name}/`;
const engineApi = '^src/engine/(engine|ports|node-adapters)\\.ts$';
const serverApi = '^src/server/app\\.ts$';
/** An app carries out command lines too: one that runs for the launcher, a packed one in its own program. */
const commandLineApi = '^src/cli/(in-app|main)\\.ts$';

const onlyReaches = (name, ...to) => ({
  name: `${name.replace('/', '-')}-borders`,
  severity: 'error',
  from: { path: folder(name) },
  to: { path: '^src/', pathNot: [folder(name), ...to] },
});

const isomorphic = ['base/common', 'api', 'common', 'ipc/protocol', 'ipc/client', 'renderer'].map(folder);
const base = folder('base');
const shared = [base, folder('api'), folder('common'), folder('ipc/protocol')];
const hostNeeds = [...shared, folder('ipc'), folder('host'), engineApi];

export default {
  forbidden: [
    onlyReaches('base/common'),
    onlyReaches('base/node', folder('base/common')),
    onlyReaches('api', folder('base/common')),
    onlyReaches('common', folder('base/common'), folder('api')),
    onlyReaches('ipc/protocol', ...shared),
    onlyReaches('ipc/client', ...shared),
    onlyReaches('ipc/host', ...shared, folder('ipc/client'), engineApi),
    onlyReaches('engine', ...shared),
    onlyReaches('server', base, folder('api'), folder('common')),
    onlyReaches('host', ...hostNeeds, serverApi),
    onlyReaches('preload', ...shared),
    onlyReaches('renderer', ...shared, folder('ipc/client')),
    onlyReaches('main', ...hostNeeds, commandLineApi),
    onlyReaches('web', ...hostNeeds, commandLineApi),
    onlyReaches('cli', ...hostNeeds),
    {
      name: 'base-of-node',
      comment: 'These folders also run in a browser.',
      severity: 'error',
      from: { path: [...isomorphic, folder('preload')] },
      to: { path: '^src/base/node/' },
    },
    {
      name: 'browser-safe',
      comment: 'These folders also run in a browser.',
      severity: 'error',
      from: { path: isomorphic },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron-in-its-host',
      severity: 'error',
      from: { pathNot: ['^src/(main|preload)/'] },
      to: { path: ['node_modules/electron/', '^electron$'] },
    },
    {
      name: 'react-in-the-renderer',
      severity: 'error',
      from: { pathNot: ['^src/renderer/'] },
      to: { path: 'node_modules/react(-dom)?/' },
    },
    {
      name: 'leases-by-the-row',
      comment: 'Only what has just read the row of an upload may say that a part of it may be written.',
      severity: 'error',
      from: { pathNot: ['^src/server/uploads/part-leases\\.ts$'] },
      to: { path: '^src/server/storage/write-lease\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^electron$' } },
    {
      name: 'known-folders',
      comment: 'There is no utils/: a helper lives with its only user.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: '^src/(base|api|common|ipc|engine|server|host|main|preload|web|cli|renderer)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
