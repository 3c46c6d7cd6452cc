/**
 * A data folder of 10,000 items and 2 GiB is moved to PostgreSQL and Ceph: killed five times and repeated, everything opens on
 * three nodes, byte for byte, and the folder still works. `npm run test:move`; `ITEMS` and `GIB` set the size.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNode } from '../../scripts/cluster/node-process.ts';
import type { Content } from '../../src/api/content.ts';
import { isLong, lengthOf } from '../support/campaign.ts';
import { startCeph, whyNoCeph } from '../support/engines/ceph.ts';
import { queryPostgres } from '../support/engines/databases.ts';
import { startPostgres, whyNoPostgres } from '../support/engines/postgres-cluster.ts';
import { ANY_BITRATE, mp4Bytes } from '../support/media/sample-bytes.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask, uploader } from '../support/server/service-client.ts';
import { queryData } from '../support/server/stored-bytes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const whyNot = isLong ? (whyNoPostgres() ?? whyNoCeph()) : 'it takes minutes; npm run test:move';
const ITEMS = lengthOf('ITEMS', { short: 100, long: 10_000 });
const GIB = lengthOf('GIB', { short: 1, long: 2 });
const FILE_BYTES = 32 * 1024 ** 2;
const AT_ONCE = 8;
const SERVER = resolve(import.meta.dirname, '../../src/server/cli.ts');
const keyText = randomBytes(32).toString('base64url');
const unlimited = 1_000_000_000;
const LIMITS = {
  requestsPerMinute: unlimited,
  uploadRequestsPerMinute: unlimited,
  partsPerMinute: unlimited,
  guestRequestsPerMinute: unlimited,
};
const settings = { ...ANY_BITRATE, limits: LIMITS };

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Runs `use` for 0 to `count` - 1, some at once. */
const forEach = async (count: number, use: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await use(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

/** SHA-256 of what an item has, by its id. */
interface Published {
  readonly notes: Map<string, string>;
  readonly files: Map<string, string>;
}

const fill = async (server: RunningServer, user: User): Promise<Published> => {
  const files = Math.round((GIB * 1024 ** 3) / FILE_BYTES);
  const published: Published = { notes: new Map(), files: new Map() };
  await forEach(ITEMS - files, async (index) => {
    const text = `note ${index}\n${randomBytes(20).toString('hex')}\n`;
    const { body } = await ask<Content>(server.url, {
      ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey },
      body: { text, format: 'plain' },
    });
    published.notes.set(body.id, sha256(text));
  });
  for (let index = 0; index < files; index += 1) {
    const bytes = await mp4Bytes(FILE_BYTES);
    const { body } = await uploader(server.url, user).publish(bytes);
    published.files.set(body.content?.id ?? '', sha256(bytes));
  }
  return published;
};

const expectServed = async (urls: readonly string[], user: User, { notes, files }: Published): Promise<void> => {
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const urlOf = (index: number): string => urls[index % urls.length] ?? '';
  const texts = [...notes];
  const wrong: string[] = [];
  await forEach(texts.length, async (index) => {
    const [id, hash] = texts[index] ?? ['', ''];
    const answer = await fetch(`${urlOf(index)}/api/v1/content/${id}/text`, { headers });
    const { text } = (await answer.json()) as { readonly text?: string };
    if (text === undefined || sha256(text) !== hash) wrong.push(id);
  });
  for (const [index, [id, hash]] of [...files].entries()) {
    const answer = await fetch(`${urlOf(index)}/api/media/${id}`, { headers });
    if (sha256(new Uint8Array(await answer.arrayBuffer())) !== hash) wrong.push(id);
  }
  expect(wrong).toEqual([]);
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Hashes of all stored files, and of all rows. */
const contentOf = async (data: string): Promise<readonly string[]> => {
  const paths = readdirSync(join(data, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hashes: string[] = [];
  for (const path of paths) hashes.push(`${path} ${await hashOf(path)}`);
  const tables = await queryData<{ name: string }>(
    data,
    `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`,
  );
  for (const { name } of tables)
    hashes.push(`${name} ${sha256(JSON.stringify(await queryData(data, `SELECT * FROM "${name}"`)))}`);
  return hashes;
};

/** Runs the command; kills it at the first line of progress for which `isMoment` is true. Resolves with its outcome or null. */
const runMove = async (
  from: string,
  config: string,
  isMoment: (line: string) => boolean,
): Promise<Readonly<Record<string, unknown>> | null> => {
  const child = spawn(process.execPath, [SERVER, 'move', '--from', from, '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LINKSHOT_SERVER_KEY: keyText },
  });
  const errors: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    errors.push(line);
    if (isMoment(line)) child.kill('SIGKILL');
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return null;
  if (code !== 0) throw new Error(errors.join('\n'));
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
};

describe.skipIf(whyNot !== null)(`server move at length${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  it(`brings ${ITEMS} items and ${GIB} GiB to three nodes although it is killed five times`, {
    timeout: 3_600_000,
  }, async () => {
    const from = temporaryFolder('move-long');
    const server = await startServer({ data: from, keyText, config: settings });
    const user = await server.user({ plan: 'pro' });
    const published = await fill(server, user);
    await expect
      .poll(() => queryData(from, `SELECT 1 FROM content WHERE previewWanted = 1 OR mediaStatus = 'PROCESSING'`))
      .toEqual([]);
    await server.stop();
    const before = await contentOf(from);

    const postgres = await startPostgres({ durable: true });
    onTestFinished(postgres.remove);
    const ceph = await startCeph();
    onTestFinished(ceph.remove);
    await queryPostgres(postgres.url('postgres'), 'CREATE DATABASE linkshot');
    const config = join(temporaryFolder('move-config'), 'config.json');
    const target = { ...settings, database: { url: postgres.url('linkshot') }, objects: { s3: ceph.settings } };
    writeFileSync(config, JSON.stringify(target));

    const moments: readonly ((line: string) => boolean)[] = [
      (line) => line.startsWith('Copied'),
      (line) => line.startsWith('Copied'),
      (line) => line.startsWith('Copied'),
      (line) => line.startsWith('Checked'),
      (line) => line.startsWith('All objects are as in the folder'),
    ];
    for (const isMoment of moments) {
      expect(await runMove(from, config, isMoment)).toBe(null);
      expect(await queryPostgres(postgres.url('linkshot'), 'SELECT "id" FROM "accounts"')).toEqual([]);
    }
    const outcome = await runMove(from, config, () => false);
    expect(outcome).toMatchObject({ done: true, written: 0, damaged: [], rows: { content: ITEMS } });
    expect(await contentOf(from)).toEqual(before);

    const root = temporaryFolder('move-nodes');
    process.env['LINKSHOT_SERVER_KEY'] = keyText;
    onTestFinished(() => {
      delete process.env['LINKSHOT_SERVER_KEY'];
    });
    const start = async (name: string) => {
      const data = join(root, name);
      mkdirSync(data);
      const node = await startNode({ data, config, name });
      onTestFinished(node.stop);
      return node.url;
    };
    await expectServed(await Promise.all(['a', 'b', 'c'].map(start)), user, published);

    const old = await startServer({ data: from, keyText, config: settings });
    onTestFinished(old.stop);
    await expectServed([old.url], user, published);
  });
});
