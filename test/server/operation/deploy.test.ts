/** The files in `deploy` and docs/scale.md fit the server: paths, commands and variables are real. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseCommand } from '../../../src/server/command-line/arguments.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { parseConfig, readConfig } from '../../../src/server/config/read-config.ts';

const root = resolve(import.meta.dirname, '../../..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

it('compose.yaml configures nodes with variables that the server knows', () => {
  const text = textOf('deploy/compose.yaml');
  const names = [...text.matchAll(/^ +(LINKSHOT_SERVER_\w+): /gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(8);
  const values: Readonly<Record<string, string>> = {
    LINKSHOT_SERVER_DATABASE_URL: 'postgres://linkshot:secret@postgres:5432/linkshot',
    LINKSHOT_SERVER_OBJECTS_S3_ENDPOINT: 'https://s3.example.org',
    LINKSHOT_SERVER_WEB_ORIGIN: 'https://share.example.org',
    LINKSHOT_SERVER_WEB_TRUST_PROXY: 'true',
    LINKSHOT_SERVER_NODE_STOP_DELAY_SECONDS: '5',
  };
  const environment = Object.fromEntries(names.map((name) => [name, values[name] ?? 'value']));
  const config = readConfig(null, environment);
  expect(config.objects.s3?.bucket).toBe('value');
  expect(config.node.name).toBe('value');
});

it('the unit of systemd and the image start the server with a command that it knows', () => {
  const unit = /^ExecStart=\S+ src\/server\/cli\.ts (.+)$/m.exec(textOf('deploy/linkshot.service'))?.[1] ?? '';
  expect(parseCommand(unit.split(' '))).toMatchObject({ name: 'serve', port: 8080 });
  const image = textOf('deploy/Containerfile');
  const words = JSON.parse(/^CMD (\["serve".+\])$/m.exec(image)?.[1] ?? '[]') as string[];
  expect(parseCommand(words)).toMatchObject({ name: 'serve', host: '0.0.0.0', port: 8080 });
  const copied = [...image.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  expect(copied.length).toBeGreaterThan(5);
  for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  // By default systemd stops the whole unit when a process that inspects a file runs out of memory.
  expect(textOf('deploy/linkshot.service')).toMatch(/^OOMPolicy=continue$/m);
  const drain = DEFAULT_CONFIG.limits.drainSeconds;
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(textOf('deploy/linkshot.service'))?.[1])).toBeGreaterThan(2 * drain);
});

it('docs/scale.md shows a configuration that the server accepts, and files that are there', () => {
  const page = textOf('docs/scale.md');
  const example = JSON.parse(/```json\n([\s\S]+?)```/.exec(page)?.[1] ?? '') as {
    readonly objects: { readonly s3: object };
  };
  const s3 = { ...example.objects.s3, accessKeyId: 'id', secretAccessKey: 'secret' };
  expect(parseConfig({ ...example, objects: { s3 } }).objects.s3?.bucket).toBe('linkshot');
  const files = [...page.matchAll(/\]\(\.\.\/(deploy\/[\w.]+)\)/g)].map(([, path = '']) => path);
  expect(new Set(files).size).toBe(4);
  for (const path of files) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
});

it('the nightly workflow builds the image and gives the compose file each variable that has no default', () => {
  const workflow = textOf('.github/workflows/campaigns.yml');
  expect(workflow).toContain('docker build --file deploy/Containerfile');
  expect(workflow).toContain('docker compose --file deploy/compose.yaml config');
  const required = [...textOf('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect(required.length).toBeGreaterThan(4);
  for (const name of required) expect(workflow).toMatch(new RegExp(`^          ${name}: \\S`, 'm'));
});
