/**
 * Who may import whom (docs/architecture.md). A folder is listed with what it may reach; all else is an error.
 * The swc parser is used because TypeScript 7 has no classic API: without it no module would be read, and all would pass.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

const folder = (name) => `^src/${name}/`;
const modulesOfEngine = (...names) => `^src/engine/(${names.join('|')})\\.ts$`;
const engineInterface = modulesOfEngine('engine', 'ports', 'spool-file-endings');
/** Also what a host passes to the engine, and what it uses without one. */
const engineForHosts = modulesOfEngine(
  ...['engine', 'ports', 'detect-tray-icons', 'node-ports', 'open-browser', 'spool-file-endings'],
  ...['capture/areas', 'capture/crop', 'capture/lay-out-physical-displays', 'capture/prefetch-capture'],
  ...['capture/x11/raise-window', 'hotkeys/portal-hotkeys', 'hotkeys/x11-hotkeys', 'profile/system-key-store'],
  ...['recording/input-display/open-input-display', 'video/ffmpeg-capabilities', 'vision/ocr-language-data'],
  ...['upload/upload-source', 'wayland-desktop-abilities', 'x11/x11-clipboard'],
);
const serverApi = '^src/server/create-server\\.ts$';
/** An app carries out command lines too: one that runs for the launcher, a packed one in its own program. */
const commandLineApi = '^src/cli/run-(for-launcher|in-terminal)\\.ts$';

const onlyReaches = (name, ...to) => ({
  name: `${name.replace('/', '-')}-borders`,
  severity: 'error',
  from: { path: folder(name) },
  to: { path: '^src/', pathNot: [folder(name), ...to] },
});

const SPECIFIERS = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g;

/**
 * The imports between sibling folders at every level below `src/PART`, each folder with all that is below it, as
 * `parent -> folder -> folders that it imports`. Types and workers count. dependency-cruiser's own folder scope compares
 * single folders without what is below them, and misses most of these cycles.
 */
const siblingImports = () => {
  const levels = new Map();
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: import.meta.dirname })) {
    const from = file.split(sep);
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const [, specifier] of text.matchAll(SPECIFIERS)) {
      const to = posix.join(dirname(file).replaceAll(sep, '/'), specifier).split('/');
      const fork = from.findIndex((name, level) => name !== to[level]);
      // A file is nobody's sibling folder, and the parts have their own rules.
      if (fork < 2 || fork >= from.length - 1 || fork >= to.length - 1) continue;
      const parent = from.slice(0, fork).join('/');
      const folders = levels.get(parent) ?? new Map();
      levels.set(parent, folders.set(from[fork], (folders.get(from[fork]) ?? new Set()).add(to[fork])));
    }
  }
  return levels;
};

/** Whether `to` can be reached from `from`. */
const reaches = (folders, from, to, seen = new Set()) =>
  from === to ||
  [...(folders.get(from) ?? [])].some((next) => !seen.has(next) && reaches(folders, next, to, seen.add(next)));

/** Forbids every import that closes a cycle of sibling folders. */
const withoutFolderCycles = [...siblingImports()].flatMap(([parent, folders]) =>
  [...folders].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => reaches(folders, to, from))
      .map((to) => ({
        name: 'no-folder-cycles',
        comment: `Two folders of ${parent} must not import each other, directly or through others.`,
        severity: 'error',
        from: { path: `^${parent}/${from}/` },
        to: { path: `^${parent}/${to}/` },
      })),
  ),
);

const isomorphic = ['base/common', 'api', 'common', 'ipc/protocol', 'ipc/client', 'renderer'].map(folder);
const base = folder('base');
const shared = [base, folder('api'), folder('common'), folder('ipc/protocol')];
const hostNeeds = [...shared, folder('ipc'), folder('host'), engineForHosts];

export default {
  forbidden: [
    onlyReaches('base/common'),
    onlyReaches('base/node', folder('base/common')),
    onlyReaches('api', folder('base/common')),
    onlyReaches('common', folder('base/common'), folder('api')),
    onlyReaches('ipc/protocol', ...shared),
    onlyReaches('ipc/client', ...shared),
    onlyReaches('ipc/host', ...shared, folder('ipc/client'), engineInterface),
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
    ...withoutFolderCycles,
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
