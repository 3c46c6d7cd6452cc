/**
 * `npm run bench:server`: what the reference server adds to a bare Fastify route with the same JSON, how many parts it
 * confirms in a second, and how long an open takes while media is processed. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Content } from '../../src/api/content.ts';
import type { AccountId } from '../../src/api/ids.ts';
import { FLAT_40_MP_AVIF } from '../support/media/media.ts';
import { ANY_BITRATE, mp4Bytes } from '../support/media/sample-bytes.ts';
import { ask, partsOf, uploader } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';
import { getLoad } from './get-load.ts';
import { type ServerProcess, startServer } from './measure.ts';
import { isCheck, median, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(3, 2);
const SESSIONS = roundsOf(9, 5, 'BENCH_SESSIONS');
const PART_ROUNDS = 5;
const OPENS = Number(process.env['BENCH_OPENS'] ?? 400);
const SLICE = { connections: 16, milliseconds: 1_000 } as const;
const OPEN_EVERY_MS = 50;
const MIB = 1024 * 1024;

const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-'));
const data = join(work, 'data');
const serverCommand = (...args: string[]): string[] => [join(root, 'src/server/cli.ts'), ...args, '--data', data];
const admin = (...args: string[]): Record<string, string> =>
  JSON.parse(execFileSync(process.execPath, serverCommand(...args), { encoding: 'utf8' })) as Record<string, string>;

const unlimited = 100_000_000;
const config = {
  ...ANY_BITRATE,
  limits: {
    requestsPerMinute: unlimited,
    uploadRequestsPerMinute: unlimited,
    partsPerMinute: unlimited,
    guestRequestsPerMinute: unlimited,
  },
};

const startLinkshot = (): Promise<ServerProcess> => {
  const path = join(work, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return startServer(process.execPath, serverCommand('serve', '--port', '0', '--config', path));
};

interface Slice {
  readonly answers: number;
  /** Seconds of CPU of the server. */
  readonly cpu: number;
}

const slice = async (server: ServerProcess, url: string, headers: Record<string, string>): Promise<Slice> => {
  const before = server.usage().cpu;
  const answers = await getLoad(url, headers, SLICE);
  return { answers, cpu: server.usage().cpu - before };
};

type Round = Record<'ours' | 'bare', Slice>;

/** An endpoint of the server beside a bare route with the same JSON, in turns. */
const compareReads = async (server: ServerProcess, path: string, key: string): Promise<readonly Round[]> => {
  const url = `${server.ready['url']}${path}`;
  const headers = { authorization: `Bearer ${key}` };
  const file = join(work, 'answer.json');
  writeFileSync(file, await (await fetch(url, { headers })).text());
  const bare = await startServer(process.execPath, [join(import.meta.dirname, 'peers/bare-server.ts'), file]);
  const ask = {
    ours: () => slice(server, url, headers),
    bare: () => slice(bare, `${bare.ready['url']}/`, headers),
  };
  await ask.ours();
  await ask.bare();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The first one may run on a busier or a cooler machine.
    const first = round % 2 === 0 ? await ask.ours() : undefined;
    const second = await ask.bare();
    rounds.push({ ours: first ?? (await ask.ours()), bare: second });
  }
  await bare.stop();
  return rounds;
};

/** All rounds of all sessions, by path. How well V8 compiles a process varies by half, so each session has new ones. */
const measureReads = async (paths: readonly string[], key: string): Promise<ReadonlyMap<string, readonly Round[]>> => {
  const measured = new Map<string, readonly Round[]>();
  for (let session = 0; session < SESSIONS; session += 1) {
    const server = await startLinkshot();
    for (const path of paths) {
      const rounds = await compareReads(server, path, key);
      measured.set(path, [...(measured.get(path) ?? []), ...rounds]);
    }
    await server.stop();
  }
  return measured;
};

const endpointOf = (path: string): string => `GET ${path.replace(/[^/]{12,}$/, '{id}')}`;

/** Requests a second against the bare route. */
const ratioOf = (rounds: readonly Round[]): number =>
  median(rounds.map(({ ours, bare }) => ours.answers / bare.answers));

const rowOf = (path: string, rounds: readonly Round[]): readonly string[] => {
  const perSecond = (pick: (round: Round) => Slice): string =>
    median(rounds.map((round) => (pick(round).answers * 1_000) / SLICE.milliseconds)).toFixed(0);
  const cost = ({ answers, cpu }: Slice): number => cpu / answers;
  return [
    endpointOf(path),
    perSecond(({ ours }) => ours),
    perSecond(({ bare }) => bare),
    ratioOf(rounds).toFixed(2),
    median(rounds.map(({ ours, bare }) => cost(bare) / cost(ours))).toFixed(2),
  ];
};

const partsPerSecond = async (url: string, user: { accountId: AccountId; apiKey: string }): Promise<string> => {
  const api = uploader(url, user);
  const parts = partsOf(await mp4Bytes(50 * 2 * MIB));
  const rates: number[] = [];
  for (let round = 0; round < PART_ROUNDS; round += 1) {
    const { id } = (await api.start(Buffer.concat(parts))).body;
    const left = [...parts.entries()];
    const started = performance.now();
    await Promise.all(
      [1, 2, 3].map(async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const { status } = await api.part(id, next[0], next[1]);
          if (status !== 200) throw new Error(`A part was answered ${status}.`);
        }
      }),
    );
    rates.push((parts.length * 1_000) / (performance.now() - started));
    await api.cancel(id);
  }
  const rate = median(rates);
  return `Parts: **${rate.toFixed(0)} a second** (${(rate * 2).toFixed(0)} MiB/s), median of ${rates.length} uploads of 50 parts.`;
};

const opensWhileBusy = async (url: string, user: { accountId: AccountId; apiKey: string }): Promise<string> => {
  const [avif, video] = [readFileSync(FLAT_40_MP_AVIF), await mp4Bytes(MIB)];
  const { body: note } = await ask<Content>(url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey },
    body: { text: 'opened often', format: 'plain', visibility: 'public' },
  });
  let isOver = false;
  const processed = { avif: 0, video: 0 };
  const keepBusy = async (kind: keyof typeof processed, bytes: Uint8Array): Promise<void> => {
    while (!isOver) {
      const sent = await sendFile(url, { key: user.apiKey, bytes, filename: `busy.${kind}` });
      if (sent.status === 201) processed[kind] += 1;
      else if (sent.status !== 503) throw new Error(`${kind}: ${sent.status} ${JSON.stringify(sent.body)}`);
    }
  };
  const busy = Promise.all([keepBusy('avif', avif), keepBusy('video', video)]);
  await sleep(2_000);
  const times = await Promise.all(
    Array.from({ length: OPENS }, async (_, count) => {
      await sleep(count * OPEN_EVERY_MS);
      const asked = performance.now();
      const { status } = await ask(url, { method: 'POST', path: `/api/share/${note.id}/open` });
      if (status !== 200) throw new Error(`An open was answered ${status}.`);
      return performance.now() - asked;
    }),
  );
  isOver = true;
  await busy;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0);
  return (
    `POST open while media is processed: p50 ${at(0.5)} ms, **p99 ${at(0.99)} ms**, longest ${at(1)} ms, of ${OPENS} opens; ` +
    `meanwhile ${processed.avif} AVIF of 40 megapixels and ${processed.video} videos were published.`
  );
};

const { id } = admin('account', 'add', 'bench', '--plan', 'pro');
const scopes = 'content:read,content:write,content:delete,account:read';
const { apiKey = '' } = admin('key', 'add', '--account', 'bench', '--scopes', scopes);
const user = { accountId: id as AccountId, apiKey };
const server = await startLinkshot();
try {
  const url = server.ready['url'] ?? '';
  const { body: item } = await ask<Content>(url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: apiKey },
    body: { text: 'read often', format: 'plain', tags: ['bench'] },
  });
  const parts = isCheck ? '' : await partsPerSecond(url, user);
  const opens = isCheck ? '' : await opensWhileBusy(url, user);
  await server.stop();
  const reads = await measureReads(['/api/v1/account', `/api/v1/content/${item.id}`], apiKey);
  const head = ['Endpoint', 'Requests/s', 'Bare route, requests/s', 'Ratio', 'Ratio by CPU of the server'];
  const rows = [...reads].map(([path, rounds]) => rowOf(path, rounds));
  const figures = Object.fromEntries(
    [...reads].map(([path, rounds]) => [`${endpointOf(path)}: requests / bare route`, ratioOf(rounds)]),
  );
  const findings = `${SESSIONS} sessions with new processes, ${ROUNDS} rounds each.\n\n${table(head, rows)}`;
  writeSection('server', `${findings}\n\n${parts}\n\n${opens}`, figures);
} finally {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
