/**
 * Adds files, folders, notes, captures and recordings to the queue and waits for their links. Each item gets exactly
 * one result, in order.
 */
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { connectWithRetry, FIRST_CONTACT_MS } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { copyText } from '../output/copy-text.ts';
import { printable } from '../output/format.ts';
import { formatPrepared } from '../output/prepared-file-summary.ts';
import { createProgressLine } from '../output/progress-line.ts';
import { reportLinked } from '../output/queue-items.ts';

/** One thing to publish, under the given name; null: under the item's name. It may expand to several items. */
export interface Entry {
  readonly name: string | null;
  enter(client: EngineClient): Promise<Result<ItemId | readonly Entry[]>>;
  /** More fields of its line of JSON, once it is entered. */
  readonly more?: () => object;
  /** It also enters when the command is stopped before the service has answered; by then it must end at once. */
  readonly entersWhenStopped?: true;
}

/** Further actions. `copy`: copy the links to the clipboard too. */
interface PublishOptions {
  readonly copy: true | undefined;
}

const PAUSED = failure(
  'CANCELLED',
  'The queue is paused, so the item waits there. Run linkshot queue resume to continue, or linkshot resume to continue and wait for the links.',
);

const STOPPED = failure('CANCELLED', 'Stopped. The data sent so far is kept; linkshot resume continues.');

export const publish = async (
  entries: readonly Entry[],
  { copy }: PublishOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> => {
  const { report, contact } = context;
  const refuseAll = (error: Failure): void => {
    for (const { name } of entries) report.failed(name, error);
  };
  const opened = await context.openClient('given', signal, { queue: 'running' });
  if (!opened.ok) return refuseAll(opened.error);
  const client = opened.value;
  try {
    const contacted = await connectWithRetry(client, context, signal);
    const isStopped = signal.aborted && entries.every(({ entersWhenStopped }) => entersWhenStopped);
    const agreed = !contacted.ok && isStopped ? err(STOPPED) : contacted;
    if (!agreed.ok && !mayKeep(client, agreed.error, contact?.server ?? '')) return refuseAll(agreed.error);
    // Added items stay in the queue, whatever prevents them from continuing.
    const mayGoOn = agreed.ok && client.state().queue.paused ? err(PAUSED) : agreed;
    const jobs = (await enterAll(entries, client)).map(({ name, entered, more }): Job => {
      if (!entered.ok || mayGoOn.ok) return { name, entered, ...(more && { more }) };
      return { name: name ?? nameOf(client, entered.value), entered: mayGoOn, left: 'in the queue' };
    });
    const links = await awaitResults(jobs, context, client, signal);
    if (copy && links.length > 0) await copyText(links.join('\n'), context);
  } finally {
    await client.close();
  }
};

const enterAll = async (entries: readonly Entry[], client: EngineClient): Promise<readonly Job[]> => {
  const jobs: Job[] = [];
  for (const { name, enter, more } of entries) {
    const entered = await enter(client);
    if (!entered.ok) jobs.push({ name, entered });
    else if (typeof entered.value === 'string')
      jobs.push({ name, entered: ok(entered.value), ...(more && { more: more() }) });
    else jobs.push(...(await enterAll(entered.value, client)));
  }
  return jobs;
};

/** An item of a run for another service must not wait in a profile whose `resume` would send it to its own. */
const mayKeep = (client: EngineClient, why: Failure, server: string): boolean => {
  const { connection } = client.state();
  const isOfProfile = connection.state === 'none' || URL.parse(connection.server)?.origin === URL.parse(server)?.origin;
  return client.kind() === 'here' && isOfProfile && (why === STOPPED || retryOf(why.code) !== 'never');
};

// Waits for queue items and reports their results. Each gets one result, a link or an error, in order.

/** After the first contact, an interrupted network usually returns. */
const TIMEOUT_MS = 120_000;
/** Items that cannot be cancelled by then are left to a later run. */
const CANCEL_TIMEOUT_MS = 3_000;

export interface Job {
  /** As given; null: the name of the item. */
  readonly name: string | null;
  readonly entered: Result<ItemId>;
  /** It failed but is still in the queue. */
  readonly left?: 'in the queue';
  /** More fields of its line of JSON. */
  readonly more?: object;
}

const LEFT_THERE = failure('CANCELLED', 'Stopped waiting. The running Linkshot continues the upload.');

/** Reports each job when it ends, in order. Returns the links. */
export const awaitResults = async (
  jobs: readonly Job[],
  { report, terminal }: CommandContext,
  client: EngineClient,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const ids = jobs.flatMap(({ entered }) => (entered.ok ? [entered.value] : []));
  const bar = terminal && createProgressLine(terminal, () => ids);
  const stop = client.on((event) => event.type === 'state' && bar?.draw(event.state));
  const answers = jobs.map(async ({ entered }) => (entered.ok ? settle(client, entered.value, signal) : entered));
  const links: string[] = [];
  for (const [index, { name, entered, left, more }] of jobs.entries()) {
    const answer = await (answers[index] as (typeof answers)[number]);
    bar?.clear();
    if (answer.ok) {
      links.push(answer.value.content.url);
      reportLinked(report, name ?? answer.value.name, answer.value, more);
      await client.call('queue.markDelivered', { ids: [answer.value.id] });
      // Beside the link, on a terminal; in JSON it is part of the line.
      if (terminal && answer.value.body)
        report.note(`${printable(name ?? answer.value.name)}: ${formatPrepared(answer.value.body.made)}`);
    } else {
      const about = name ?? (entered.ok ? nameOf(client, entered.value) : null);
      const refused =
        entered.ok && !signal.aborted ? await refusedItem(client, entered.value, answer.error) : undefined;
      const { error } = answer;
      const shown =
        refused?.source.owner === 'spool' ? { ...error, params: { ...error.params, keptIn: 'queue' } } : error;
      report.failed(about, shown, entered.ok ? 'in the queue' : left);
      // Of a capture, a note or the standard input the queue may have the only copy.
      if (refused?.source.owner === 'user') await cancelItem(client, refused.id);
    }
  }
  stop();
  return links;
};

/** The item if it was refused for good, not if only the wait for it has failed. */
const refusedItem = async (client: EngineClient, id: ItemId, why: Failure): Promise<QueueItem | undefined> => {
  if (!isFinal(why)) return undefined;
  // The last received state may be older than the failure.
  const now = await client.call('app.state', {});
  const item = now.ok ? now.value.queue.items.find((one) => one.id === id) : undefined;
  return item?.error?.failure.code === why.code ? item : undefined;
};

/** A folder over the limits is shared in part, or differently: as another item. */
const isFinal = ({ code }: Failure): boolean => retryOf(code) === 'never' || code.startsWith('FOLDER_');

/**
 * An item that was being published is removed only after the service's final reply, so that this run still receives it.
 */
const cancelItem = async (client: EngineClient, id: ItemId): Promise<void> => {
  await client.call('queue.cancel', { ids: [id] });
  await client.call('queue.waitFor', { id, patienceMs: CANCEL_TIMEOUT_MS });
};

/** The name of an item that was given none: the one under which the queue lists it. */
const nameOf = (client: EngineClient, id: ItemId): string | null =>
  client.state().queue.items.find((item) => item.id === id)?.name ?? null;

/** Waits for one item, at first not long: if the service never answers, the address is probably mistyped. */
const settle = async (
  client: EngineClient,
  id: ItemId,
  signal: AbortSignal,
): Promise<Result<QueueItemIn<'linked'>>> => {
  const wait = (patienceMs: number) => client.call('queue.waitFor', { id, patienceMs });
  const first = await wait(client.hasContact() ? TIMEOUT_MS : FIRST_CONTACT_MS);
  const waited = !first.ok && mayPass(client, id, first.error) ? await wait(TIMEOUT_MS) : first;
  if (signal.aborted) return err(client.kind() === 'here' ? STOPPED : LEFT_THERE);
  return waited.ok ? linked(waited.value) : waited;
};

/** A service that never answered is not waited for; a file that another program holds is, as it is tried again. */
const mayPass = (client: EngineClient, id: ItemId, { code }: Failure): boolean => {
  if (['backoff', 'wait'].includes(retryOf(code))) return client.hasContact();
  const item = client.state().queue.items.find((one) => one.id === id);
  return item !== undefined && item.error?.retryAt !== null;
};

const linked = (item: QueueItem): Result<QueueItemIn<'linked'>> => {
  if (item.state === 'linked') return ok(item);
  return err(item.error?.failure ?? failure('CANCELLED', 'The item was cancelled.'));
};
