/**
 * Real processes die by SIGKILL at random moments, and every file is still published exactly once with the right bytes,
 * with at most the parts in flight sent again.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../src/contract/limits.ts';
import { makeVideo } from '../support/padded-video.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';

const ROUNDS = Number(process.env['KILLS'] ?? 25);
const SEED = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 31));
/** Request lines, headers, JSON bodies and the hashes of the start. */
const OVERHEAD_BYTES = 256 * 1024;

const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'linkshot-kill-'));
const data = join(work, 'data');
const profile = join(work, 'profile');
const random = seededRandom(SEED);

let proxy: CountingProxy;
let server: { readonly child: ChildProcess; readonly url: string };
let key = '';

const nodeScript = (script: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(root, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LINKSHOT_KEY: key },
  });

const startServer = async (): Promise<typeof server> => {
  const config = join(work, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      limits: { requestsPerMinute: 100_000, uploadRequestsPerMinute: 100_000, partsPerMinute: 100_000 },
      video: { bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1e12, max: 1e12 } },
    }),
  );
  const child = nodeScript('src/server/cli.ts', ['serve', '--port', '0', '--data', data, '--config', config]);
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  proxy.target(Number(new URL(url).port));
  return { child, url };
};

const admin = async (...args: string[]): Promise<Record<string, string>> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[join(root, 'src/server/cli.ts'), ...args],
    ...['--data', data],
  ]);
  return JSON.parse(stdout) as Record<string, string>;
};

const linkshot = (...args: string[]): ChildProcess =>
  nodeScript('src/cli/cli.ts', [...args, '--json', '--profile', profile, '--server', proxy.url]);

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** Waits for a command that must succeed; what it printed stands in the failure. */
const succeeds = async (child: ChildProcess, where: string): Promise<void> => {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await ended(child);
  expect(child.exitCode, `${where}: ${output}`).toBe(0);
};

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${key}` } });

const published = async (name: string): Promise<readonly { id: string; originalName: string }[]> => {
  const { items } = (await (await ask('/api/v1/content')).json()) as { items: { id: string; originalName: string }[] };
  return items.filter((item) => item.originalName === name);
};

beforeAll(async () => {
  proxy = await startCountingProxy();
  server = await startServer();
  await admin('account', 'add', 'victim', '--plan', 'pro');
  const scopes = 'content:read,content:write,content:delete,account:read';
  key = (await admin('key', 'add', '--account', 'victim', '--scopes', scopes))['apiKey'] ?? '';
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await ended(server.child);
  await proxy.close();
  rmSync(work, { recursive: true, force: true });
});

it(`publishes every file exactly once over ${ROUNDS} kills (seed ${SEED})`, { timeout: ROUNDS * 20_000 }, async () => {
  const kills = { client: 0, server: 0, late: 0 };
  let mostSentAgain = 0;
  /** How far into an upload the kills reach; learnt, so that most of them hit a running upload on any machine. */
  let reach = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const victim = random() < 0.5 ? 'client' : 'server';
    const parts = 1 + Math.floor(random() * 40);
    const size = Math.max(64 * 1024, Math.floor((parts - random()) * LIMITS.partBytes));
    const name = `round-${round}.mp4`;
    const file = join(work, name);
    const sha256 = makeVideo(file, size);
    proxy.reset();

    let upload = linkshot('upload', file);
    await sleep(random() * reach * (500 + 25 * parts));
    const target = victim === 'client' ? upload : server.child;
    const isLate = upload.exitCode !== null;
    kills[isLate ? 'late' : victim]++;
    reach *= isLate ? 0.85 : 1.05;
    target.kill('SIGKILL');
    await ended(target);
    if (victim === 'server') {
      await sleep(random() * 300);
      server = await startServer();
    } else {
      upload = linkshot('resume');
    }
    const where = `round ${round}, ${victim} killed, ${parts} parts, seed ${SEED}`;
    await succeeds(upload, where);
    // Killed before the row was written: the command never said that it took the file, so it is given again.
    if (victim === 'client' && (await published(name)).length === 0) await succeeds(linkshot('upload', file), where);

    const items = await published(name);
    expect(items, where).toHaveLength(1);
    const [item] = items;
    const media = await ask(`/api/media/${item?.id}?download=1`);
    const hash = createHash('sha256').update(Buffer.from(await media.arrayBuffer()));
    expect(hash.digest('hex'), where).toBe(sha256);
    const sentAgain = proxy.sentBytes() - size;
    mostSentAgain = Math.max(mostSentAgain, sentAgain);
    expect(sentAgain, where).toBeLessThanOrEqual(3 * LIMITS.partBytes + OVERHEAD_BYTES);
    expect((await ask(`/api/v1/content/${item?.id}`, { method: 'DELETE' })).status, where).toBe(204);
    rmSync(file);
  }
  console.log(
    `kills: ${JSON.stringify(kills)}; most sent again: ${(mostSentAgain / LIMITS.partBytes).toFixed(2)} parts`,
  );
  expect(kills.client + kills.server).toBeGreaterThan(ROUNDS / 2);
});
