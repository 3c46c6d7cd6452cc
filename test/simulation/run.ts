/**
 * One run from one seed: first with faults, then without. The guarantees hold at all times, and without faults every
 * item must reach its outcome.
 */
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { must } from '../support/results.ts';
import { type Entry, isOf } from './entry.ts';
import type { Alterations } from './machine.ts';
import { createSimulatedUser, type User } from './simulated-user.ts';
import { createWorld, type World } from './world.ts';

export interface Outcome {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly trace: readonly string[];
  /** How often each act, fault and end was met. */
  readonly seen: ReadonlyMap<string, number>;
  readonly events: number;
  readonly virtualMs: number;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

export const runSeed = async (
  seed: number,
  { alter = () => ({}), trace = 'off' }: { readonly alter?: () => Alterations; readonly trace?: 'on' | 'off' } = {},
): Promise<Outcome> => {
  const world = createWorld(seed, alter(), trace === 'on');
  const { timeline, broken } = world;
  try {
    await runWithFaults(world);
    if (broken.length === 0) await runWithoutFaults(world);
    if (broken.length === 0) judge(world);
  } catch (error) {
    broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  world.machine()?.kill('process');
  return {
    ...{ seed, broken, seen: world.seen, trace: world.lines },
    events: timeline.events(),
    virtualMs: timeline.now(),
  };
};

const onceEach = (world: World) => {
  let judged = 0;
  return () => {
    const published = world.service.published();
    for (; judged < published.length; judged++) {
      const item = published[judged] as (typeof published)[number];
      const entry = world.entries.find((other) => isOf(item.name, other));
      if (!entry) world.broken.push(`${item.name} was published, but never added`);
      else if (!entry.allowed.has(item.sha256)) world.broken.push(`${item.name} was published with bytes it never had`);
      const before = published.slice(0, judged).filter(({ isDeleted }) => !isDeleted);
      const twins = before.filter((other) => other.name.split('.')[0] === item.name.split('.')[0]);
      if (twins.length > 0) world.broken.push(`${item.name} was published twice`);
      if (entry?.cancelled === 'early') world.broken.push(`${item.name} was published after it had been cancelled`);
    }
  };
};

/** Things happen at random moments for a while. */
const runWithFaults = async (world: World): Promise<void> => {
  const { timeline, dice, network, broken } = world;
  const user = createSimulatedUser(world);
  network.weather.faults = dice.pick([0, 0.03, 0.1, 0.3, 0.6]);
  network.weather.partMs = dice.pick([20, 200, 2_000, 10_000]);
  const length = dice.pick([20, 120, 600, 600, 3_600]) * SECOND;
  world.start();
  timeline.after(1, null, () => user.connect('a'));
  // Now and then more than the service lets an account have unfinished.
  const items = dice.chance(0.05) ? dice.between(10, 14) : dice.between(1, 5);
  for (let item = 0; item < items; item++) timeline.after(dice.number() * 10_000, null, user.add);
  for (let acts = dice.between(0, 25); acts > 0; acts--) timeline.after(dice.number() * length, null, user.act);
  // Now and then a laptop stays closed for longer than the service keeps an upload.
  if (dice.chance(0.04)) timeline.after(length, null, () => (network.weather.isOnline = false));
  const wait = dice.chance(0.04) ? 26 * HOUR : length;
  await timeline.run(wait, () => broken.length > 0, onceEach(world));
};

const runWithoutFaults = async (world: World): Promise<void> => {
  const { timeline, network, service, disk, now, broken } = world;
  world.trace(() => '--- no faults');
  const watch = onceEach(world);
  const pass = (ms: number, isDone = () => false) => timeline.run(ms, () => broken.length > 0 || isDone(), watch);
  // What is to pass by itself passes: restarts, restored files, full disks.
  await pass(6 * 60 * SECOND);
  Object.assign(network.weather, { faults: 0, isOnline: true, partMs: 50 });
  Object.assign(now, { isDiskFull: false, areSecretsLocked: false, writesToDeath: Number.POSITIVE_INFINITY });
  service.quotaBytes = Number.POSITIVE_INFINITY;
  if (!service.isUp) service.revive();
  disk.locked.clear();
  if (!world.machine() || world.machine()?.life.isOver) world.start();
  await pass(SECOND);
  const user = createSimulatedUser(world);
  for (const account of ['a', 'b', 'a'] as const) await settleAs(account, world, user, pass);
};

/** Connects and does what the app asks of the user; then everything of this account must reach its outcome. */
const settleAs = async (
  account: 'a' | 'b',
  world: World,
  user: User,
  pass: (ms: number, isDone?: () => boolean) => Promise<unknown>,
): Promise<void> => {
  const engine = world.machine()?.engine;
  if (!engine) return void world.broken.push('the app does not start');
  user.connect(account);
  await pass(10 * SECOND);
  engine.queue.resumeAll();
  const mine = () => world.items().filter((item) => item.accountId === null || item.accountId === `account-${account}`);
  const rest = () => mine().filter((item) => item.state !== 'linked' && !isExpected(item, world.entryOf(item)));
  engine.queue.resume({ ids: rest().map(({ id }) => id) });
  for (let help = 0; help < 5; help++) {
    // Ten forgotten uploads block the account for as long as the service keeps them.
    const patience = world.service.unfinished().length >= 10 ? 25 * HOUR : HOUR;
    await pass(patience, () => rest().every(needsUser));
    if (rest().length === 0 || world.broken.length > 0) break;
    world.trace(() => `retries ${rest().map((item) => `${item.name} (${item.error?.failure.code})`)}`);
    // A full disk could not keep that it was cancelled, and the service has deleted it: the user cancels it again.
    const isDeleted = (item: QueueItem) =>
      item.error?.failure.code === 'NOT_FOUND' && world.entryOf(item)?.cancelled !== 'no';
    engine.queue.cancel({
      ids: rest()
        .filter(isDeleted)
        .map(({ id }) => id),
    });
    engine.queue.retry({ ids: rest().map(({ id }) => id) });
  }
  for (const item of rest()) {
    const { failure, retryAt } = item.error ?? {};
    world.broken.push(`${item.name} never settles: ${item.state}, ${item.intent}, ${failure?.code} until ${retryAt}`);
  }
};

const needsUser = ({ error }: QueueItem): boolean => error?.retryAt === null;

/** Items that the service refuses permanently stay in the queue with an error. */
const isExpected = ({ error }: QueueItem, entry: Entry | undefined): boolean =>
  entry?.isUnsupported === true && error?.retryAt === null && error.failure.code === 'UPLOAD_FORMAT_UNSUPPORTED';

/** Everything has come to rest. */
const judge = (world: World): void => {
  const { service, broken, entries, disk } = world;
  const engine = world.machine()?.engine;
  if (!engine) return;
  const items = world.items();
  const library = must(engine.library.search({ text: '' })).items;
  for (const entry of entries) {
    const item = items.find(({ source }) => source.path === entry.path);
    const published = service.published().find(({ name, isDeleted }) => isOf(name, entry) && !isDeleted);
    const isInLibrary = library.some(({ content }) => content.id === published?.id);
    if (published && !isInLibrary) broken.push(`${entry.name} was published and the app does not know it`);
    if (published && !item && !entry.isDismissed) broken.push(`${entry.name} was published and cannot be seen`);
    if (item?.state === 'linked' && item.content.id !== published?.id) broken.push(`${entry.name} has a wrong link`);
    if (published && entry.isGuarded && item?.state === 'linked' && published.content.allowDownload) {
      broken.push(`${entry.name} is linked without what was wished of its link`);
    }
    const mayBeGone = entry.cancelled !== 'no' || entry.taken !== 'yes' || entry.isUnsupported;
    if (!published && !mayBeGone) broken.push(`${entry.name} was taken and is not published`);
    if (
      entry.kind !== 'file' &&
      !published &&
      entry.cancelled === 'no' &&
      entry.taken === 'yes' &&
      !disk.read(entry.path)
    ) {
      broken.push(`${entry.name} was a capture and is gone`);
    }
    world.see(published ? 'end: published' : item ? 'end: refused' : 'end: gone');
  }
  // Data that is only in memory is lost with the process, or on a full disk; the service drops it in time.
  const forgetful = ['killed: process', 'killed: power', 'act: kill at a write', 'act: disk full'];
  const isUninterrupted = !forgetful.some((what) => world.seen.has(what));
  for (const filename of isUninterrupted ? service.unfinished() : []) {
    const entry = entries.find((other) => isOf(filename, other));
    if (entry?.cancelled === 'no') broken.push(`an upload of ${filename} was begun and forgotten`);
  }
  const { connection, queue } = engine.state();
  const { user } = (connection.state === 'connected' && connection.account) || {};
  const used = service.usedBytes(user?.id ?? '');
  if (user?.storageUsed !== used) broken.push(`the app shows ${user?.storageUsed} bytes in use, and it is ${used}`);
  const { live } = queue;
  if (Object.keys(live).length > 0) broken.push(`something is shown as moving at rest: ${JSON.stringify(live)}`);
};
