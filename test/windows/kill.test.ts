/**
 * `kill -9`, which is TerminateProcess, of the command line or the server at varied points of a publication: after a
 * resume everything is published exactly once and completely, with at most the parts in flight sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WindowsProcess, windowsPath } from '../../scripts/windows/windows-process.ts';
import { LIMITS } from '../../src/api/limits.ts';
import { type CountingProxy, startCountingProxy } from '../faults/counting-proxy.ts';
import { KINDS, makeCargo } from '../faults/fixtures.ts';
import { lengthOf, seedOf } from '../support/campaign.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  endAll,
  linkshotSucceeds,
  onDriveC,
  startLinkshot,
  startServer,
  type WindowsServer,
  work,
} from './support/linkshot.ts';

const ROUNDS = lengthOf('KILLS', { short: 6, long: 100 });
const SEED = seedOf(23);
/** Request lines, headers, JSON bodies and the hashes of the start. */
const OVERHEAD_BYTES = 256 * 1024;
/** The start of node.exe under Wine, before the command does anything. */
const START_MS = 1_500;

const { windows: profile } = onDriveC('kill');
const { windows: data } = onDriveC('kill-data');
const random = seededRandom(SEED);
let proxy: CountingProxy;
let server: WindowsServer;

beforeAll(async () => {
  proxy = await startCountingProxy();
  server = await startServer({ data });
  proxy.target(Number(new URL(server.url).port));
});
afterAll(async () => {
  await endAll();
  await proxy.close();
});

const command = (words: readonly string[]): WindowsProcess =>
  startLinkshot(words, { profile, key: server.key, url: proxy.url });

const isOver = ({ child }: WindowsProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** How far into their work commands are killed; adaptive, so that most kills hit running work on any machine. */
let reach = 1;

it.each(
  Array.from({ length: ROUNDS }, (_, round) => {
    const kind = KINDS[round % KINDS.length] ?? 'file';
    return { round: round + 1, kind, victim: random() < 0.5 ? 'client' : 'server', at: random() };
  }),
)(`publishes a $kind once after the $victim is killed (round $round, seed ${SEED})`, async (plan) => {
  const { round, kind, victim, at } = plan;
  const title = `round-${round}`;
  const cargo = await makeCargo(kind, { folder: work, name: title, random });
  const words = cargo.command.map((word) => (word.startsWith('/') ? windowsPath(word) : word));
  const published = async () => (await server.published()).filter((item) => item.title === title);
  proxy.reset();

  let publication = command(words);
  await sleep(START_MS + at * reach * (3_000 + 2 * cargo.usualMs));
  reach *= isOver(publication) ? 0.85 : 1.05;
  const target = victim === 'client' ? publication : server.process;
  target.child.kill('SIGKILL');
  await target.done;
  if (victim === 'server') {
    server = await startServer({ data, key: server.key });
    proxy.target(Number(new URL(server.url).port));
  } else publication = command(['resume']);
  const end = await publication.done;
  // A command that stopped waiting for the service has its item in the queue.
  if (end.code !== 0) await command(['resume']).done;
  // Killed before the row was written: the command never confirmed it, so it is repeated.
  if ((await published()).length === 0) await linkshotSucceeds(words, { profile, key: server.key, url: proxy.url });

  const items = await published();
  expect(
    items.map((item) => item.title),
    `${end.stdout}${end.stderr}`,
  ).toEqual([title]);
  const [item] = items;
  if (item !== undefined) await cargo.check(item, server);
  if (cargo.bytes !== null)
    expect(proxy.sentBytes() - cargo.bytes).toBeLessThanOrEqual(LIMITS.partsAtOnce * LIMITS.partBytes + OVERHEAD_BYTES);
  cargo.remove();
});
