/**
 * `npm run bench:sockets`: one address keeps connections, bodies and answers waiting at full size, while another address
 * reads pages. Prints the memory, the open files, the results of the others, and how long the shutdown takes.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { longPngBytes } from '../support/media/sample-bytes.ts';
import { type CrowdMember, drip, head, join } from '../support/server/crowd.ts';
import { serverCommand, startServerProcess } from '../support/server/server.ts';
import { uploader } from '../support/server/service-client.ts';

const MIB = 1024 * 1024;
const SILENT = 600;
const DRIPPING = 600;
const READERS = 1_100;
/** Longer than an answer may stay unread. */
const LATER_MS = 45_000;
const ATTACKER = '127.0.0.1';
/** Linux answers on all of 127.0.0.0/8. */
const OTHER = '127.0.0.2';
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

/** One page, on a connection of its own from the other address: its status, and how long it took. */
const readPage = (path: string): Promise<{ readonly status: number; readonly ms: number }> =>
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
  for (let turn = 0; turn < turns; turn += 1) answers.push(await readPage(`/s/${content.id}`));
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
const report = async (what: string): Promise<void> =>
  console.log(
    JSON.stringify({ what, open: alive(), files: files(), memoryMiB: Math.round(memoryMiB()), ...(await others(50)) }),
  );

/** Opens the requested number, a few at a time, so that the system's backlog drops no connection. */
const attack = async (count: number, begin: () => void): Promise<void> => {
  for (let made = 0; made < count; made += 1) {
    begin();
    if (made % 25 === 24) await wait(50);
  }
  await wait(2_000);
};

await others(100);
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
console.log(
  JSON.stringify({ grownMiB: Math.round(peak - before), stopMs: Math.round(performance.now() - began), code }),
);
for (const { socket } of crowd) socket.destroy();
rmSync(folder, { recursive: true, force: true });
rmSync(`${data}.config.json`, { force: true });
