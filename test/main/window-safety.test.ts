/** Every window of the desktop app is made safe, read from its source: no run could show all of them. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseFileSync } from '@swc/core';
import { expect, it } from 'vitest';

const SAFE = { contextIsolation: true, sandbox: true, nodeIntegration: false, webSecurity: true, webviewTag: false };
const WINDOWS = new Set(['BrowserWindow', 'BrowserView', 'WebContentsView']);

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const entry of value) walk(entry, visit);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) visit(value);
    for (const entry of Object.values(value)) walk(entry, visit);
  }
};

const propertyOf = (object: Node | undefined, name: string): Node | undefined => {
  const properties = (object?.['properties'] ?? []) as readonly { key?: { value?: string }; value?: Node }[];
  return properties.find(({ key }) => key?.value === name)?.value;
};

/** The `webPreferences` of every window that the source makes. */
const preferencesIn = (path: string): Record<string, unknown>[] => {
  const found: Record<string, unknown>[] = [];
  walk(parseFileSync(path, { syntax: 'typescript', target: 'es2022' }).body, (node) => {
    if (node.type !== 'NewExpression' || !WINDOWS.has(String((node['callee'] as Node)['value']))) return;
    const [options] = (node['arguments'] ?? []) as readonly { expression: Node }[];
    const preferences = propertyOf(options?.expression, 'webPreferences');
    found.push(Object.fromEntries(Object.keys(SAFE).map((name) => [name, propertyOf(preferences, name)?.['value']])));
  });
  return found;
};

const main = resolve(import.meta.dirname, '../../src/main');

it('isolates and sandboxes every window', () => {
  const windows = readdirSync(main, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => preferencesIn(join(main, name)));
  expect(windows.length).toBeGreaterThan(0);
  for (const preferences of windows) expect(preferences).toEqual(SAFE);
});
