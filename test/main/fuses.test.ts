/** The fuses of the packed program in the configuration of electron-builder; each is set explicitly. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

interface Scheme {
  readonly definitions: { readonly FuseOptionsV1: { readonly properties: Readonly<Record<string, unknown>> } };
}

it('the packed program cannot run as Node, cannot be inspected, and runs only its own checked archive', () => {
  const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
  const [, block = ''] = /^electronFuses:\n((?: {2}.*\n)+)/m.exec(config) ?? [];
  const fuses = Object.fromEntries(
    [...block.matchAll(/^ {2}(\w+): (true|false)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(fuses).toEqual({
    runAsNode: 'false',
    enableCookieEncryption: 'true',
    enableNodeOptionsEnvironmentVariable: 'false',
    enableNodeCliInspectArguments: 'false',
    enableEmbeddedAsarIntegrityValidation: 'true',
    onlyLoadAppFromAsar: 'true',
    loadBrowserProcessSpecificV8Snapshot: 'false',
    grantFileProtocolExtraPrivileges: 'false',
  });
  // A fuse that a newer electron-builder adds must be decided here too.
  const scheme = JSON.parse(readFileSync(join(root, 'node_modules/app-builder-lib/scheme.json'), 'utf8')) as Scheme;
  const decided = new Set([...Object.keys(fuses), 'resetAdHocDarwinSignature', 'strictlyRequireAllFuses']);
  expect(Object.keys(scheme.definitions.FuseOptionsV1.properties).filter((name) => !decided.has(name))).toEqual([]);
});
