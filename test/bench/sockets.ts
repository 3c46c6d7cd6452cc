/**
 * `npm run bench:sockets`: one address keeps connections, bodies and answers waiting at full size, while another address
 * reads pages. Writes docs/benchmarks.md, and ends with code 1 where a goal was missed: what the others got, the memory, and
 * how long the stop takes. `SOCKETS=0.05` tries a twentieth of the connections, and writes nothing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { DEFAULT_CONFIG } from '../../src/server/config/config.ts';
import { longPngBytes } from '../support/media/sample-bytes.ts';
import { type CrowdMember, drip, head, join } from '../support/server/crowd.ts';
import { serverCommand, startServerProcess } from '../support/server/server.ts';
import { uploader } from '../support/server/service-client.ts';
import { table, writeSection } from './report.ts';
import { type Attacked, DRAIN_SECONDS, GROWN_GOAL_MIB, missedGoals } from './sockets-goals.ts';

const MIB = 1024 * 1024;
const SHARE = Number(process.env['SOCKETS'] ?? 1);
const SILENT = Math.ceil(600 * SHARE);
const DRIPPING = Math.ceil(600 * SHARE);
const READERS = Math.ceil(1_100 * SHARE);
/** Longer than an answer may stay unread. */
const LATER_MS = SHARE === 1 ? 45_000 : 1_000;
const ATTACKER = '127.0.0.1';
/** Linux answers on all of 127.0.0.0/8. */
const OTHER = '127.0.0.2';
/** Rounds of pictures at most, and what one may add to the memory once it is settled. */
const WARM_UPS = 20;
const SETTLED_MIB = 1;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '5000' };

if (process.platform !== 'linux') throw new Error('bench:sockets reads /proc and uses 127.0.0.2: run it on Linux.');

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const folder = mkdtempSync(joinPath(tmpdir(), 'linkshot-sockets-'));
const data = joinPath(folder, 'data');
// The budget only paces the attack: without it the limits of connections and readers are all that holds.
const config = { limits: { guestRequestsPerMinute: 1_000_000 } };
const server = await startServerProcess(data, { config });
const { id } = await serverCommand('account', 'add', 'owner', '--plan', 'pro', '--data', data);
const key = await serverCommand('key', 'add', '--account', 'owner', '--scopes', 'content:write', '--data', data);
const owner = { accountId: id as never, apiKey: key['apiKey'] ?? '' };
const content = (await uploader(server.url, owner).publish(await longPngBytes(9 * MIB))).body.content;
if (content == null) throw new Error('The picture was not published.');

const memoryMiB = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
const files = (): number => readdirSync(`/proc/${server.pid}/fd`).length;

/** One answer, on a connection of its own from the other address: its status, and how long it took. */
const get = (path: string): Promise<{ readonly status: number; readonly ms: number }> =>
  new Promise((resolve) => {
    const began = performance.now();
    const end = (status: number): void => resolve({ status, ms: performance.now() - began });
    const asked = request(`${server.url}${path}`, { localAddress: OTHER, agent: false }, (answer) =>
      answer.resume().on('end', () => end(answer.statusCode ?? 0)),
    );
    asked.on('error', () => end(0)).end();
  });

const others = async (turns: number) => {
  const answers = [];
  for (let turn = 0; turn < turns; turn += 1) answers.push(await get(`/s/${content.id}`));
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  return { served: answers.filter(({ status }) => status === 200).length, of: turns, p50: at(0.5), p95: at(0.95) };
};

const crowd: CrowdMember[] = [];
const member = (bytes: string): CrowdMember => {
  const one = join(server.url, bytes, ATTACKER);
  crowd.push(one);
  return one;
};
const alive = (): number => crowd.filter(({ socket }) => !socket.destroyed).length;
const found: (Attacked & { readonly cells: readonly string[] })[] = [];
const report = async (what: string): Promise<void> => {
  const [open, used, memory] = [alive(), files(), memoryMiB()];
  const { served, of, p50, p95 } = await others(50);
  const cells = [
    what,
    `${open}`,
    `${used}`,
    `${memory.toFixed(0)} MiB`,
    `${served} of ${of}`,
    `${p50} ms`,
    `${p95} ms`,
  ];
  console.log(cells.join(' | '));
  found.push({ what, served, of, cells });
};

/** Opens the requested number, a few at a time, so that the system's backlog drops no connection. */
const attack = async (count: number, begin: () => void): Promise<void> => {
  for (let made = 0; made < count; made += 1) {
    begin();
    if (made % 25 === 24) await wait(50);
  }
  await wait(2_000);
};

/**
 * As many requests as the attack has connections, then as many pictures at once as one address may read, until that needs
 * no more memory: what a busy server needs for readers who do read is not what the attack costs.
 */
const warmUp = async (): Promise<void> => {
  await others(Math.ceil(2_300 * SHARE));
  for (let round = 0, last = 0; round < WARM_UPS && memoryMiB() - last > SETTLED_MIB; round += 1) {
    last = memoryMiB();
    await Promise.all(Array.from({ length: DEFAULT_CONFIG.limits.openReadsPerAddress }, () => get(content.mediaUrl)));
  }
};

await warmUp();
const before = memoryMiB();
await report('quiet');
await attack(SILENT, () => void member(''));
await report(`${SILENT} silent connections`);
await attack(READERS, () => {
  const reader = member(head(server.url, `GET ${content.mediaUrl}`));
  reader.socket.once('data', () => reader.pause());
});
await report(`${READERS} readers who do not read`);
await wait(LATER_MS);
await report('45 s later');
await attack(DRIPPING, () => drip(member(head(server.url, 'POST /sign-in', FORM)), 1_000));
await report(`${DRIPPING} dripping forms`);
const peak = memoryMiB();
const began = performance.now();
const code = await server.end('SIGTERM');
const stopMs = performance.now() - began;
for (const { socket } of crowd) socket.destroy();
rmSync(folder, { recursive: true, force: true });
rmSync(`${data}.config.json`, { force: true });

const end = { grownMiB: peak - before, stopMs, code };
const columns = ['While there are', 'Open', 'Files', 'Memory', 'Pages served', 'p50', 'p95'];
const findings = [
  table(
    columns,
    found.map(({ cells }) => cells),
  ),
  `The memory grew by ${end.grownMiB.toFixed(0)} MiB (goal: less than ${GROWN_GOAL_MIB}). After SIGTERM the server ended in ` +
    `${(stopMs / 1_000).toFixed(1)} s (goal: ${DRAIN_SECONDS} s) with code ${code}.`,
].join('\n\n');
if (SHARE === 1) writeSection('sockets', findings);
else console.log(findings);
const missed = missedGoals(found, end);
for (const sentence of missed) console.error(sentence);
if (missed.length > 0) process.exitCode = 1;
