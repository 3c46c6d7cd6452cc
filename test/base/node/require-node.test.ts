/** The Node that is needed, as the code checks it and as package.json, the lock file and the documents name it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isNewEnough } from '../../../src/base/node/require-node.ts';

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
const NEEDED = '>=24';

describe('the Node that is needed', () => {
  it.each([
    ['20.17.0', false],
    ['22.21.1', false],
    ['23.11.1', false],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('of version %s may run the code: %s', (version, expected) => {
    expect(isNewEnough(version)).toBe(expected);
  });

  it('is the same in package.json, the lock file and the documents', () => {
    expect(JSON.parse(read('package.json')).engines.node).toBe(NEEDED);
    expect(JSON.parse(read('package-lock.json')).packages[''].engines.node).toBe(NEEDED);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/decisions/0019-node-versions.md'])
      expect(read(page), page).toContain('code needs Node 24');
    expect(read('docs/decisions/0019-node-versions.md')).toContain(`\`${NEEDED}\``);
  });

  it('is checked by every entry file', () => {
    for (const entry of ['src/cli/cli.ts', 'src/server/cli.ts', 'scripts/start.ts', 'scripts/dev.ts'])
      expect(read(entry), entry).toMatch(/import '[./]*(src\/)?base\/node\/require-node\.ts';/);
  });
});
