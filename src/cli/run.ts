/** The commands. Promise: every file named gets exactly one answer, a link or a failure, in the order of the arguments. */
import { resolve } from 'node:path';
import { err, type Failure, failure, ok, type Result, retryOf } from '../contract/errors.ts';
import type { ItemId } from '../contract/ids.ts';
import type { QueueItem, QueueItemIn } from '../contract/queue-item.ts';
import type { Arguments } from './arguments.ts';
import { FIRST_CONTACT_MS, makeContact } from './contact.ts';
import { type Desk, openDesk } from './desk.ts';
import type { PlaceRequest } from './place.ts';
import { createProgressBar, type Terminal } from './progress.ts';
import type { Report } from './report.ts';

/** After the first contact, a network that is gone for a while comes back. */
const PATIENCE_MS = 120_000;

export interface Surroundings {
  readonly place: PlaceRequest;
  readonly cwd: string;
  readonly report: Report;
  /** Null where nobody watches. */
  readonly terminal: Terminal | null;
}

interface Job {
  readonly name: string;
  readonly entered: Result<ItemId>;
}

const LEFT_HERE = 'Stopped. What was sent is kept; linkshot resume goes on with it.';
const LEFT_THERE = 'Stopped waiting. The running Linkshot goes on with it.';

/** Waits for one item, at first not long: without a word from the service a person has probably mistyped its address. */
const settle = async (desk: Desk, id: ItemId, signal: AbortSignal): Promise<Result<QueueItemIn<'linked'>>> => {
  const wait = (patienceMs: number) => desk.call('queue.settled', { id, patienceMs });
  const first = await wait(desk.hasContact() ? PATIENCE_MS : FIRST_CONTACT_MS);
  const mayPass = !first.ok && ['backoff', 'wait'].includes(retryOf(first.error.code));
  const waited = mayPass && desk.hasContact() ? await wait(PATIENCE_MS) : first;
  if (signal.aborted) return err(failure('CANCELLED', desk.kind() === 'here' ? LEFT_HERE : LEFT_THERE));
  return waited.ok ? linked(waited.value) : waited;
};

const linked = (item: QueueItem): Result<QueueItemIn<'linked'>> => {
  if (item.state === 'linked') return ok(item);
  return err(item.trouble?.failure ?? failure('CANCELLED', 'The item was cancelled.'));
};

/** Reports each job as it ends, in their order, and closes the desk. */
const finish = async (
  jobs: readonly Job[],
  { report, terminal }: Surroundings,
  desk: Desk,
  signal: AbortSignal,
): Promise<void> => {
  const ids = jobs.flatMap(({ entered }) => (entered.ok ? [entered.value] : []));
  const bar = terminal && createProgressBar(terminal, () => ids);
  const stop = desk.on((event) => event.type === 'state' && bar?.draw(event.state));
  const answers = jobs.map(async ({ entered }) => (entered.ok ? settle(desk, entered.value, signal) : entered));
  for (const [index, { name, entered }] of jobs.entries()) {
    const answer = await (answers[index] as (typeof answers)[number]);
    bar?.clear();
    if (answer.ok) report.linked(name, answer.value);
    else {
      report.failed(name, answer.error);
      // What the service will never take does not belong in the queue of somebody who has just been told.
      if (entered.ok && !signal.aborted && retryOf(answer.error.code) === 'never')
        await desk.call('queue.cancel', { ids: [entered.value] });
    }
  }
  stop();
  await desk.close();
};

/** An item of a run for another service must not wait in a profile that would later send it to its own. */
const mayKeep = (desk: Desk, { code }: Failure, server: string): boolean => {
  const { connection } = desk.state();
  const isOfProfile = connection.state === 'none' || URL.parse(connection.server)?.origin === URL.parse(server)?.origin;
  return desk.kind() === 'here' && isOfProfile && retryOf(code) !== 'never';
};

/** The same file from an earlier command that was interrupted: it goes on instead of being published twice. */
const findUnfinished = (desk: Desk, path: string): QueueItem | undefined => {
  const { connection, queue } = desk.state();
  const account = connection.state === 'none' ? undefined : connection.account?.user.id;
  return queue.items.find(
    (item) =>
      isLeft(item) &&
      item.source.owner === 'person' &&
      item.source.path === path &&
      (item.accountId === null || item.accountId === account),
  );
};

const enter = async (desk: Desk, path: string): Promise<Result<ItemId>> => {
  const unfinished = findUnfinished(desk, path);
  if (unfinished) {
    await goOn(desk, [unfinished]);
    return ok(unfinished.id);
  }
  const added = await desk.call('queue.addPaths', { paths: [path] });
  if (!added.ok) return added;
  const [id] = added.value.ids;
  return id ? ok(id) : err(failure('APP_FAILED', 'The file got no place in the queue. Try again.'));
};

export const upload = async (given: Arguments, surroundings: Surroundings, signal: AbortSignal): Promise<void> => {
  const { report, cwd } = surroundings;
  const refuseAll = (error: Failure): void => {
    for (const name of given.files) report.failed(name, error);
  };
  const opened = await openDesk(surroundings.place, signal);
  if (!opened.ok) return refuseAll(opened.error);
  const desk = opened.value;
  const contact = await makeContact(desk, given.connection, signal);
  if (!contact.ok && !mayKeep(desk, contact.error, given.connection?.server ?? '')) {
    await desk.close();
    return refuseAll(contact.error);
  }
  const jobs: Job[] = [];
  for (const name of given.files) {
    const entered = await enter(desk, resolve(cwd, name));
    jobs.push({ name, entered: entered.ok && !contact.ok ? contact : entered });
  }
  await finish(jobs, surroundings, desk, signal);
};

const isLeft = (item: QueueItem): boolean =>
  item.state !== 'linked' && item.state !== 'unreadable' && item.intent !== 'cancel';

/** Takes away what holds the items back: a pause, or a trouble that waited for a person. */
const goOn = async (desk: Desk, items: readonly QueueItem[]): Promise<void> => {
  const paused = items.filter(({ intent }) => intent === 'pause').map(({ id }) => id);
  const stuck = items.filter(({ trouble }) => trouble !== null).map(({ id }) => id);
  if (paused.length > 0) await desk.call('queue.resume', { ids: paused });
  if (stuck.length > 0) await desk.call('queue.retry', { ids: stuck });
};

export const resume = async (given: Arguments, surroundings: Surroundings, signal: AbortSignal): Promise<void> => {
  const { report } = surroundings;
  const opened = await openDesk(surroundings.place, signal);
  if (!opened.ok) return report.failed(null, opened.error);
  const desk = opened.value;
  const contact = await makeContact(desk, given.connection, signal);
  if (!contact.ok) {
    await desk.close();
    return report.failed(null, contact.error);
  }
  const left = desk.state().queue.items.filter(isLeft);
  await desk.call('queue.resumeAll', {});
  await goOn(desk, left);
  if (left.length === 0) report.note('Nothing is left to upload.');
  const jobs = left.map(({ id, name }): Job => ({ name, entered: ok(id) }));
  await finish(jobs, surroundings, desk, signal);
};

export const status = async (_: Arguments, surroundings: Surroundings, signal: AbortSignal): Promise<void> => {
  const { report } = surroundings;
  const opened = await openDesk(surroundings.place, signal);
  if (!opened.ok) return report.failed(null, opened.error);
  const { items, live } = opened.value.state().queue;
  if (items.length === 0) report.note('The queue is empty.');
  for (const item of items) report.item(item, live[item.id]);
  await opened.value.close();
};
