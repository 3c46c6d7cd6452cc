/**
 * Nodes of the version before and of this one serve side by side, while one after the other is replaced under load. The
 * version before is its real program (`scripts/earlier-server.ts`), which knows one migration less.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import type { AccountId } from '../../../src/api/ids.ts';
import { POSTGRES_SCHEMA } from '../../../src/server/database/migrate-postgres.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { startHaproxy, whyNoHaproxy } from '../../support/engines/haproxy.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { freePort } from '../../support/free-port.ts';
import { longPngBytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { startS3Double } from '../../support/server/s3-double.ts';
import { type ServerProcess, startServerProcess, type User } from '../../support/server/server.ts';
import { type Answer, ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const ARCHIVE = join(ROOT, `test/fixtures/server-schema-${POSTGRES_SCHEMA - 1}.tar.gz`);
const whyNot = whyNoPostgres() ?? whyNoHaproxy();
const NODES = 3;
const WORKERS = 4;
/** Longer than HAProxy needs to notice that a node is not ready. */
const STOP_DELAY_SECONDS = 3;
const PAUSE_MS = 50;

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

interface Item {
  readonly title: string;
  readonly hash: string;
  readonly id: string;
  isDeleted: boolean;
}

/** How a request of the load ended that was sent again: what it was, and its status or error. */
const repeats: string[] = [];
const items: Item[] = [];
let rounds = 0;
let isOver = false;
let url = '';
let user: Pick<User, 'accountId' | 'apiKey'>;

type Repeatable = 'always' | 'if refused';

/**
 * Sends a request again that was refused, or whose fate is unknown if it may be repeated then. Rejects where a request is
 * lost: another answer, or an unknown fate.
 */
const send = async <T extends Pick<Answer<unknown>, 'status' | 'problem'>>(
  kind: string,
  request: () => Promise<T>,
  repeatable: Repeatable = 'always',
): Promise<T> => {
  for (;;) {
    const answer = await request().catch((error: unknown) => String(error));
    const status = typeof answer === 'string' ? null : answer.status;
    if (typeof answer !== 'string' && answer.status < 300) return answer;
    const isTwin = typeof answer !== 'string' && answer.problem.code === 'IDEMPOTENCY_CONFLICT';
    const isRefused = status === 429 || status === 503;
    const isUnknown = status === null || status === 502 || status === 504 || isTwin;
    const text = typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.problem)}`;
    if (!isRefused && !(isUnknown && repeatable === 'always')) throw new Error(`${kind} was lost: ${text}`);
    repeats.push(`${kind}: ${text.slice(0, 120)}`);
    await sleep(PAUSE_MS);
  }
};

const publishInParts = async (title: string): Promise<Item> => {
  const bytes = await longPngBytes(3 * 1024 ** 2);
  const [idempotencyKey, completeKey] = [randomUUID(), randomUUID()];
  const api = uploader(url, user);
  const { body } = await send('start', () => api.start(bytes, { idempotencyKey }));
  await Promise.all(
    [...partsOf(bytes).entries()].map(([index, part]) => send('part', () => api.part(body.id, index, part))),
  );
  const done = await send('complete', () => api.complete(body.id, completeKey, { title }));
  return { title, hash: sha256(bytes), id: done.body.content?.id ?? '', isDeleted: false };
};

const publishWhole = async (title: string): Promise<Item> => {
  const bytes = await pngBytes();
  const request = { key: user.apiKey, bytes, fields: { title }, idempotencyKey: randomUUID() };
  const { body } = await send('file', () => sendFile(url, request));
  return { title, hash: sha256(bytes), id: body.content.id, isDeleted: false };
};

/** Without an Idempotency-Key a request that may have arrived is not repeated. */
const publishNote = async (title: string, repeatable: Repeatable): Promise<Item> => {
  const text = `${title}\n${randomUUID()}`;
  const headers = repeatable === 'always' ? { 'idempotency-key': randomUUID() } : {};
  const body = { text, format: 'plain', title };
  const note = { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, headers, body } as const;
  const made = await send('note', () => ask<Content>(url, note), repeatable);
  return { title, hash: sha256(text), id: made.body.id, isDeleted: false };
};

const round = async (): Promise<void> => {
  const name = randomUUID();
  const published = [
    await publishInParts(`large ${name}`),
    await publishWhole(`picture ${name}`),
    await publishNote(`note ${name}`, 'always'),
    await publishNote(`another note ${name}`, 'if refused'),
  ];
  items.push(...published);
  const [large, , , note] = published as [Item, Item, Item, Item];
  const at = (item: Item) => ({ path: `/api/v1/content/${item.id}`, key: user.apiKey });
  await send('change', () => ask(url, { ...at(large), method: 'PATCH', body: { tags: ['upgraded'] } }));
  await send('list', () => ask(url, { path: '/api/v1/content', key: user.apiKey }));
  await send('delete', async () => {
    const answer = await ask(url, { ...at(note), method: 'DELETE' });
    // The answer of an earlier try was lost.
    return answer.status === 404 ? { ...answer, status: 204 } : answer;
  });
  note.isDeleted = true;
  rounds += 1;
};

const work = async (): Promise<void> => {
  while (!isOver) await round();
};

describe.skipIf(whyNot !== null)(`three nodes${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  const folder = temporaryFolder('upgrade');
  const nodes: ServerProcess[] = [];
  const ports: number[] = [];
  const ends: (() => Promise<unknown>)[] = [];
  let databaseUrl = '';
  let config: Readonly<Record<string, unknown>> = {};
  let earlier = '';

  const dataOf = (node: number): string => join(folder, `node-${node}`);
  const start = async (node: number, program?: string): Promise<void> => {
    nodes[node] = await startServerProcess(dataOf(node), {
      ...{ config: { ...config, node: { name: `node-${node}`, stopDelaySeconds: STOP_DELAY_SECONDS } } },
      ...{ port: ports[node] ?? 0, ...(program !== undefined && { program }) },
    });
  };
  const at = (node: number): ServerProcess => nodes[node] as ServerProcess;
  const schema = async (): Promise<number | undefined> =>
    (await queryPostgres<{ version: number }>(databaseUrl, 'SELECT "version" FROM "schemaVersion"'))[0]?.version;

  beforeAll(async () => {
    expect(existsSync(ARCHIVE), `no ${ARCHIVE}: run node scripts/earlier-server.ts for the commit before`).toBe(true);
    const program = join(folder, 'earlier');
    mkdirSync(program);
    execFileSync('tar', ['-xzf', ARCHIVE, '-C', program]);
    symlinkSync(join(ROOT, 'node_modules'), join(program, 'node_modules'));
    earlier = join(program, 'src/server/cli.ts');

    databaseUrl = await runPostgresUrl('upgrade');
    // The version before makes its own tables.
    await queryPostgres(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const double = await startS3Double();
    ends.push(double.close);
    const keyFile = join(folder, 'nodes.key');
    writeFileSync(keyFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
    for (let node = 0; node < NODES; node += 1) ports.push(await freePort());
    const proxy = await startHaproxy(ports);
    ends.push(proxy.stop);
    url = proxy.url;
    const many = 1_000_000;
    const atOnce = { uploadsAtOnce: 50, partsAtOnce: 50, pendingUploads: 50 };
    config = {
      ...{ database: { url: databaseUrl }, objects: { s3: double.settings }, keyFile },
      web: { origin: url, trustProxy: true },
      limits: { requestsPerMinute: many, uploadRequestsPerMinute: many, partsPerMinute: many, ...atOnce },
    };
    for (let node = 0; node < NODES; node += 1) await start(node, earlier);
    const command = async (...words: readonly string[]): Promise<Readonly<Record<string, string>>> => {
      const where = ['--data', dataOf(0), '--config', `${dataOf(0)}.config.json`];
      const { stdout } = await promisify(execFile)(process.execPath, [earlier, ...words, ...where]);
      return JSON.parse(stdout) as Record<string, string>;
    };
    const { id } = await command('account', 'add', 'someone', '--plan', 'pro');
    const scopes = 'content:read,content:write,content:delete';
    const { apiKey = '' } = await command('key', 'add', '--account', 'someone', '--scopes', scopes);
    user = { accountId: id as AccountId, apiKey };
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    for (const end of ends.reverse()) await end();
  });

  it('of the version before are replaced under load, and no request is lost but those that succeed when repeated', async () => {
    expect(await schema()).toBe(POSTGRES_SCHEMA - 1);
    const load = Promise.all(Array.from({ length: WORKERS }, work));
    load.catch(() => {});
    /** Further rounds of the load. */
    const some = async (): Promise<void> => {
      const enough = rounds + WORKERS;
      await Promise.race([load, expect.poll(() => rounds).toBeGreaterThanOrEqual(enough)]);
    };
    const eachServes = async (): Promise<void> => {
      for (const node of nodes) {
        expect((await ask(node.url, { path: '/readyz' })).status).toBe(200);
        expect((await uploader(node.url, user).list()).status).toBe(200);
      }
    };
    await some();
    for (let node = 0; node < NODES; node += 1) {
      expect(await at(node).end('SIGTERM'), at(node).stderr()).toBe(0);
      await start(node);
      expect(await schema()).toBe(POSTGRES_SCHEMA);
      await eachServes();
      await some();
    }
    // Back to the version before, on the newer schema.
    expect(await at(0).end('SIGTERM')).toBe(0);
    await start(0, earlier);
    await eachServes();
    await some();
    isOver = true;
    await load;

    const rows = await queryPostgres<{ id: string; title: string; size: number }>(
      databaseUrl,
      'SELECT "id", "title", "size" FROM "content"',
    );
    const kept = items.filter(({ isDeleted }) => !isDeleted);
    const names = (all: readonly { readonly id: string; readonly title: string }[]) =>
      all.map(({ id, title }) => `${id} ${title}`).toSorted();
    expect(names(rows)).toEqual(names(kept));
    const [account] = await queryPostgres<{ used: number }>(
      databaseUrl,
      `SELECT "storageUsed" AS "used" FROM "accounts" WHERE "id" = '${user.accountId}'`,
    );
    expect(account?.used).toBe(rows.reduce((sum, { size }) => sum + size, 0));
    const headers = { authorization: `Bearer ${user.apiKey}` };
    for (const { id, hash, title } of kept) {
      const media = await fetch(`${url}/api/media/${id}?download=1`, { headers });
      expect(sha256(new Uint8Array(await media.arrayBuffer())), title).toBe(hash);
    }
    console.log(
      `upgrade: ${rounds} rounds, ${items.length} items, ${repeats.length} requests repeated`,
      repeats.slice(0, 5),
    );
  });
});
