/** docs/server.md is complete: every key with its variable and default, and every command; its backup works beside a server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { USAGE } from '../../../src/server/command-line/arguments.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { configKeys } from '../../../src/server/config/environment-overrides.ts';
import { readConfig } from '../../../src/server/config/read-config.ts';
import { openSqlite } from '../../../src/server/database/sqlite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const page = readFileSync(new URL('../../../docs/server.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([\w.]+)` \| `(LINKSHOT_SERVER_\w+)` \| `(.+?)` \| (.+) \|$/gm)].map(
  ([, key = '', variable = '', value = '', meaning = '']) => ({ key, variable, value, meaning }),
);
const valueAt = (config: unknown, key: string): unknown =>
  key.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], config);

it('lists every configuration key once, with its default', () => {
  expect(rows.map(({ key }) => key)).toEqual(configKeys(DEFAULT_CONFIG));
  for (const { key, value } of rows) expect([key, JSON.parse(value)]).toEqual([key, valueAt(DEFAULT_CONFIG, key)]);
});

const S3 = {
  ...{ endpoint: 'https://s3.example.org', region: 'eu-1', bucket: 'linkshot', prefix: 'a/b', pathStyle: false },
  ...{ accessKeyId: 'an-id', secretAccessKey: 'a-secret' },
};

it('lists every key of an S3 store with its variable', () => {
  for (const key of Object.keys(S3)) {
    const variable = key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    expect(page).toMatch(
      new RegExp(`^\\| \`objects\\.s3\\.${key}\` \\| \`LINKSHOT_SERVER_OBJECTS_S3_${variable}\` \\| `, 'm'),
    );
  }
});

/** A valid value other than the default. */
const otherThan = (value: unknown, key: string): unknown => {
  if (key === 'metrics.port') return 9_464;
  if (key === 'objects.s3') return S3;
  if (key === 'database.url') return 'postgres://linkshot:secret@db.example.org:5432/linkshot';
  if (key === 'node.name') return 'node-2';
  if (key === 'node.role') return 'worker';
  if (typeof value === 'number') return key === 'server.videoBytes' ? value - 1 : value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return key.endsWith('features') ? ['view_stats'] : value.slice(1);
  if (key.endsWith('Bytes')) return 5;
  return key.startsWith('web.') ? 'https://share.example.org' : '/a/path';
};

it.each(rows)('$variable sets $key', ({ key, variable, value }) => {
  const other = otherThan(JSON.parse(value), key);
  expect(other).not.toEqual(JSON.parse(value));
  const config = readConfig(null, { [variable]: JSON.stringify(other) });
  expect(valueAt(config, key)).toEqual(other);
});

it('names every command of the server', () => {
  const commands = [...USAGE.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) /gm)].map(([, command = '']) => command);
  expect(commands.length).toBeGreaterThan(6);
  for (const command of commands) expect(page).toContain(command);
});

it('lets no proxy of its examples store downloads, which are cut when their access ends', () => {
  const [, nginx = ''] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  expect(nginx).toMatch(/^ {2}proxy_buffering off;/m);
});

it('backs a database up that is written to meanwhile, from one state and without beginning again', async () => {
  const [line = '', ...more] = page.match(/^sqlite3 DIR\/linkshot\.sqlite .+$/gm) ?? [];
  expect(more).toEqual([]);
  const steps = [...line.matchAll(/"([^"]+)"/g)].map(([, step = '']) => step);
  expect(steps.pop()).toBe('.backup BACKUP/linkshot.sqlite');
  const folder = temporaryFolder('docs-backup');
  const path = join(folder, 'linkshot.sqlite');
  const copy = join(folder, 'copy.sqlite');
  const records = openSqlite(path);
  const [writer, reader] = [new Database(path), new Database(path)];
  try {
    const commit = writer.prepare('INSERT INTO "deletions" ("objectId", "attempts", "dueAt") VALUES (?, 0, 0)');
    for (const step of steps) reader.exec(step);
    let before = Number.POSITIVE_INFINITY;
    await reader.backup(copy, {
      progress: ({ remainingPages }) => {
        if (remainingPages >= before) throw new Error(`${remainingPages} pages remain after ${before}.`);
        before = remainingPages;
        commit.run(`an-object-${remainingPages}`);
        return 20;
      },
    });
    expect(before).toBeLessThan(Number.POSITIVE_INFINITY);
  } finally {
    for (const database of [writer, reader]) database.close();
    await records.close();
  }
  const copied = new Database(copy, { readonly: true });
  expect(copied.pragma('integrity_check', { simple: true })).toBe('ok');
  copied.close();
});
