/** The import rules hold, and the tool that checks them really reads the code: each planted violation is caught. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const cruiser = join(root, 'node_modules/.bin/depcruise');
let copy = '';

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
}

const violations = async (): Promise<{ readonly modules: number; readonly found: readonly Violation[] }> => {
  const args = [cruiser, 'src', '--config', '.dependency-cruiser.mjs', '--output-type', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: copy, maxBuffer: 1 << 28 }).catch(
    (error: { stdout: string }) => error,
  );
  const { summary } = JSON.parse(stdout) as { summary: { totalCruised: number; violations: Violation[] } };
  return { modules: summary.totalCruised, found: summary.violations };
};

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'linkshot-architecture-'));
  for (const name of ['src', 'resources', '.dependency-cruiser.mjs', 'package.json', 'tsconfig.base.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const planted: readonly (readonly [rule: string, file: string, line: string])[] = [
  ['api-borders', 'src/api/planted.ts', "import '../common/folder/exclusion-rules.ts';"],
  ['common-borders', 'src/common/planted.ts', "import '../engine/ports.ts';"],
  ['base-common-borders', 'src/base/common/planted.ts', "import '../../api/ids.ts';"],
  ['browser-safe', 'src/api/planted.ts', "import 'node:fs';"],
  ['engine-borders', 'src/engine/planted.ts', "import '../server/create-server.ts';"],
  [
    'engine-borders',
    'src/engine/planted.ts',
    "import type { Transport } from '../ipc/client/transport.ts';\nexport type T = Transport;",
  ],
  ['electron-in-its-host', 'src/engine/planted.ts', "import { app } from 'electron';\nvoid app;"],
  ['server-borders', 'src/server/planted.ts', "import '../engine/ports.ts';"],
  ['server-borders', 'src/server/planted.ts', "import '../ipc/protocol/app-state.ts';"],
  ['api-borders', 'src/api/planted.ts', "import '../ipc/protocol/app-state.ts';"],
  ['ipc-client-borders', 'src/ipc/client/planted.ts', "import '../../engine/ports.ts';"],
  ['renderer-borders', 'src/renderer/planted.ts', "import '../engine/engine.ts';"],
  ['browser-safe', 'src/renderer/planted.ts', "import 'node:path';"],
  ['preload-borders', 'src/preload/planted.ts', "import '../engine/ports.ts';"],
  ['cli-borders', 'src/cli/planted.ts', "import '../web/planted-target.ts';"],
  ['cli-borders', 'src/cli/planted.ts', "import '../engine/queue/planted-target.ts';"],
  ['ipc-host-borders', 'src/ipc/host/planted.ts', "import '../../engine/node-ports.ts';"],
  ['host-borders', 'src/host/planted.ts', "import '../web/planted-target.ts';"],
  ['cli-borders', 'src/cli/planted.ts', "import '../server/create-server.ts';"],
  ['main-borders', 'src/main/planted.ts', "import '../cli/planted-target.ts';"],
  ['react-in-the-renderer', 'src/engine/planted.ts', "import 'react';"],
  ['known-folders', 'src/engine/planted.ts', "import '../utils/planted-target.ts';"],
  ['no-cycles', 'src/common/planted.ts', "import './planted-two.ts';"],
  // Two folders import each other: a type, and from a folder further down.
  ['no-folder-cycles', 'src/server/planted-a/planted.ts', "export type { T } from '../planted-b/planted-target.ts';"],
  ['no-folder-cycles', 'src/server/planted-b/planted.ts', "import '../planted-a/deep/planted-target.ts';"],
  // Three folders in a ring, the last with a lazy import.
  ['no-folder-cycles', 'src/renderer/screens/planted-a/planted.ts', "import '../planted-b/planted-target.ts';"],
  ['no-folder-cycles', 'src/renderer/screens/planted-b/planted.ts', "import '../planted-c/planted-target.ts';"],
  ['no-folder-cycles', 'src/renderer/screens/planted-c/planted.ts', "void import('../planted-a/planted-target.ts');"],
];

/** Files that the planted ones import. */
const targets = [
  ...['web', 'engine/queue', 'cli', 'utils', 'server/planted-a/deep', 'server/planted-b'],
  ...['renderer/screens/planted-a', 'renderer/screens/planted-b', 'renderer/screens/planted-c'],
];

describe('import rules', () => {
  it('hold in the tree, with every module read, and catch every planted violation', async () => {
    for (const target of targets) {
      mkdirSync(join(copy, 'src', target), { recursive: true });
      writeFileSync(join(copy, 'src', target, 'planted-target.ts'), 'export type T = 1;\n');
    }
    for (const [index, [, file, line]] of planted.entries()) {
      writeFileSync(join(copy, dirname(file), `planted-${index}.ts`), `${line}\n`);
    }
    writeFileSync(
      join(copy, 'src/common/planted-two.ts'),
      `import './planted-${planted.findIndex(([rule]) => rule === 'no-cycles')}.ts';\n`,
    );
    const { modules, found } = await violations();
    expect(modules).toBeGreaterThan(40);
    expect(found.filter(({ from }) => !from.includes('planted-'))).toEqual([]);
    const missed = planted.filter(([rule, file], index) => {
      const from = join(dirname(file), `planted-${index}.ts`);
      return !found.some((violation) => violation.rule.name === rule && violation.from === from);
    });
    expect(missed).toEqual([]);
  });
});
