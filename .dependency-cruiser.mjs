/**
 * Who may import whom (docs/architecture.md). A folder is listed with what it may reach; all else is an error.
 * The swc parser is used because TypeScript 7 has no classic API: without it no module would be read, and all would pass.
 */
const folder = (name) => `^src/${name}/`;
const door = '^src/engine/(engine|ports|defaults)\\.ts$';
const serverDoor = '^src/server/app\\.ts$';

const onlyReaches = (name, from, ...to) => ({
  name: `${name}-borders`,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: [from, folder('base'), ...to] },
});

const noNode = (from) => ({
  name: 'browser-safe',
  comment: 'This folder also runs in a browser.',
  severity: 'error',
  from: { path: from },
  to: { dependencyTypes: ['core'] },
});

const bridgeClient = '^src/bridge/(client|transport)';
const hostNeeds = [folder('contract'), folder('bridge'), folder('host'), door];
/** An app carries out command lines too: one that runs for the launcher, a packed one in its own program. */
const commandLineDoor = '^src/cli/(in-app|main)\\.ts$';

export default {
  forbidden: [
    onlyReaches('base', folder('base')),
    onlyReaches('contract', folder('contract')),
    onlyReaches('engine', folder('engine'), folder('contract')),
    onlyReaches('server', folder('server'), folder('contract')),
    {
      name: 'service-knows-no-app',
      comment: 'Whoever writes another app or another server needs the service alone.',
      severity: 'error',
      from: { path: ['^src/server/', '^src/contract/(?!app/)'] },
      to: { path: '^src/ipc/protocol/' },
    },
    onlyReaches('bridge-client', bridgeClient, folder('contract')),
    onlyReaches('bridge', folder('bridge'), folder('contract'), door),
    onlyReaches('host', folder('host'), folder('contract'), folder('bridge'), door, serverDoor),
    onlyReaches('preload', folder('preload'), folder('contract')),
    onlyReaches('renderer', folder('renderer'), folder('contract'), bridgeClient),
    onlyReaches('main', folder('main'), ...hostNeeds, commandLineDoor),
    onlyReaches('web', folder('web'), ...hostNeeds, commandLineDoor),
    onlyReaches('cli', folder('cli'), ...hostNeeds),
    {
      name: 'base-of-node',
      comment: 'These folders also run in a browser.',
      severity: 'error',
      from: { path: [folder('contract'), folder('renderer'), folder('preload'), bridgeClient] },
      to: { path: '^src/base/node/' },
    },
    noNode(folder('contract')),
    noNode(folder('renderer')),
    noNode(bridgeClient),
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
      to: { path: '^src/', pathNot: '^src/(base|contract|engine|server|bridge|host|main|preload|web|cli|renderer)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
