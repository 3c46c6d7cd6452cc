/**
 * `npm run bench:fairness`: how long one account waits for its pictures and pages while another one sends the worst pictures,
 * videos, folders and notes that the tests know, as fast as it may. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Content } from '../../src/api/content.ts';
import type { AccountId } from '../../src/api/ids.ts';
import { zipOf } from '../support/folder/forge-zip.ts';
import { hostileCode } from '../support/hostile-texts.ts';
import { FLAT_40_MP_AVIF, image } from '../support/media/media.ts';
import { ANY_BITRATE, mp4Bytes } from '../support/media/sample-bytes.ts';
import { inflatingPng, interlacedPng, manyScansJpeg } from '../support/media/worst-files.ts';
import { ask, uploader } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';
import { startServer } from './measure.ts';
import { percentile, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(40, 20);
/** The attacker has been at it for so long when the first round begins. */
const WARM_MS = 5_000;
const PAUSE_MS = 200;
const PUBLISH_GOAL_MS = 2_000;
const PAGE_GOAL_MS = 100;

interface Account {
  readonly accountId: AccountId;
  readonly apiKey: string;
}

const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-'));
const root = resolve(import.meta.dirname, '../..');
const command = (...args: string[]): string[] => [
  join(root, 'src/server/cli.ts'),
  ...args,
  '--data',
  join(work, 'data'),
];
const admin = (...args: string[]): Record<string, string> =>
  JSON.parse(execFileSync(process.execPath, command(...args), { encoding: 'utf8' })) as Record<string, string>;

const account = (name: string): Account => {
  const { id } = admin('account', 'add', name, '--plan', 'free');
  const scopes = 'content:read,content:write,content:delete,account:read';
  const { apiKey = '' } = admin('key', 'add', '--account', name, '--scopes', scopes);
  return { accountId: id as AccountId, apiKey };
};

/** The budgets alone would slow an attacker down; here the queues are what is measured. */
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

const note = async (url: string, { apiKey }: Account, body: Readonly<Record<string, string>>): Promise<string> => {
  const answer = await ask<Content>(url, { method: 'POST', path: '/api/v1/pastes', key: apiKey, body });
  if (answer.status !== 201) throw new Error(`A note was answered ${answer.status}.`);
  return answer.body.id;
};

/** What the attacker sends, made before anything is measured. */
const worstFiles = async () => ({
  pictures: [
    interlacedPng(8_000, 5_000),
    readFileSync(FLAT_40_MP_AVIF),
    manyScansJpeg(6_320, 25),
    manyScansJpeg(6_320, 14_000),
    inflatingPng(64),
  ],
  video: await mp4Bytes(1024 * 1024),
  archive: zipOf(
    Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}.ts`, `// ${index}\n`.repeat(900)])),
  ),
});

/** Sends until `isOver`; resolves with what was answered, by status. */
const attack = async (
  url: string,
  attacker: Account,
  { pictures, video, archive }: Awaited<ReturnType<typeof worstFiles>>,
  isOver: () => boolean,
): Promise<ReadonlyMap<string, number>> => {
  const answers = new Map<string, number>();
  const count = (what: string, status: number): void => {
    answers.set(`${what} ${status}`, (answers.get(`${what} ${status}`) ?? 0) + 1);
  };
  const api = uploader(url, attacker);
  const repeat = async (once: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !isOver(); turn += 1) await once(turn).catch(() => sleep(PAUSE_MS));
  };
  const worst = (bytes: Uint8Array) =>
    repeat(async () => {
      const id = await api.send(bytes);
      count('picture', (await api.complete(id, randomUUID())).status);
    });
  const sent = [
    ...pictures.map(worst),
    repeat(async () => {
      const id = await api.send(video);
      count('video', (await api.complete(id, randomUUID())).status);
    }),
    repeat(async () => {
      const request = { path: '/api/v1/folders', key: attacker.apiKey, bytes: archive, filename: 'a.zip' } as const;
      count('folder', (await sendFile(url, request)).status);
    }),
    ...[0, 1, 2, 3].map((lane) =>
      repeat(async (turn) => {
        const text = hostileCode(lane * 1_000_000 + turn);
        const id = await note(url, attacker, { text, format: 'code', language: 'csharp' });
        count('page', (await ask(url, { path: `/s/${id}` })).status);
      }),
    ),
  ];
  await Promise.all(sent);
  return answers;
};

interface Times {
  readonly publish: number[];
  readonly page: number[];
}

const measure = async (url: string, victim: Account): Promise<Times> => {
  const times: Times = { publish: [], page: [] };
  const api = uploader(url, victim);
  const png = readFileSync(await image('png', 640, 480));
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await api.send(png);
    const asked = performance.now();
    const { status } = await api.complete(id, randomUUID());
    if (status !== 200) throw new Error(`A picture was answered ${status}.`);
    times.publish.push(performance.now() - asked);
    const text = `# Round ${round}\n\n${'A **word** of [many](https://example.org).\n\n'.repeat(20)}`;
    const path = `/s/${await note(url, victim, { text, format: 'markdown' })}`;
    const opened = performance.now();
    const page = await ask<string>(url, { path });
    times.page.push(performance.now() - opened);
    if (!page.body.includes('<strong>word</strong>')) throw new Error('A page shows its text plain.');
    await sleep(PAUSE_MS);
  }
  return times;
};

const files = await worstFiles();
const [attacker, victim] = [account('attacker'), account('victim')];
const path = join(work, 'config.json');
writeFileSync(path, JSON.stringify(config));
const server = await startServer(process.execPath, command('serve', '--port', '0', '--config', path));
const url = server.ready['url'] ?? '';
try {
  const quiet = await measure(url, victim);
  let isOver = false;
  const attacking = attack(url, attacker, files, () => isOver);
  await sleep(WARM_MS);
  const attacked = await measure(url, victim);
  isOver = true;
  const answers = await attacking;
  if (answers.size === 0) throw new Error('The attacker was answered nothing.');
  const row = (name: string, goal: number, of: keyof Times): readonly string[] => [
    name,
    ...[quiet[of], attacked[of]].flatMap((values) =>
      [0.5, 0.95].map((share) => `${percentile(values, share).toFixed(0)} ms`),
    ),
    `<= ${goal} ms`,
  ];
  const head = ['', 'Quiet, p50', 'Quiet, p95', 'Attacked, p50', 'Attacked, p95', 'Goal for it'];
  const rows = [row('Publish a PNG', PUBLISH_GOAL_MS, 'publish'), row('Open a new note', PAGE_GOAL_MS, 'page')];
  const sent = [...answers].sort().map(([what, times]) => `${what}: ${times}`);
  writeSection(
    'fairness',
    `${table(head, rows)}\n\n${ROUNDS} rounds. What the other account was answered meanwhile: ${sent.join(', ')}.`,
  );
} finally {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
