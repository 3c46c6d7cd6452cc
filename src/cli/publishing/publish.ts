/** Enqueues things and waits for their links. Every one gets exactly one result, in order. */
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { connectWithRetry } from '../client/connect-with-retry.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { CommandContext } from '../context.ts';
import { awaitResults, type Job, nameOf } from './await-results.ts';
import { copyText } from './copy-text.ts';

/** One thing to publish, under the given name; null: under the item's name. It may expand to several items. */
export interface Entry {
  readonly name: string | null;
  enter(client: EngineClient): Promise<Result<ItemId | readonly Entry[]>>;
}

/** Further actions. `copy`: copy the links to the clipboard too. */
export interface PublishOptions {
  readonly copy: true | undefined;
}

const PAUSED = failure(
  'CANCELLED',
  'The queue is paused, so the item waits there. Run linkshot queue resume to continue, or linkshot resume to continue and wait for the links.',
);

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
  const opened = await context.openClient('given', signal);
  if (!opened.ok) return refuseAll(opened.error);
  const client = opened.value;
  try {
    const agreed = await connectWithRetry(client, context, signal);
    if (!agreed.ok && !mayKeep(client, agreed.error, contact?.server ?? '')) return refuseAll(agreed.error);
    // Added items stay in the queue, whatever prevents them from continuing.
    const mayGoOn = agreed.ok && client.state().queue.paused ? err(PAUSED) : agreed;
    const jobs = (await enterAll(entries, client)).map(({ name, entered }): Job => {
      if (!entered.ok || mayGoOn.ok) return { name, entered };
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
  for (const { name, enter } of entries) {
    const entered = await enter(client);
    if (!entered.ok) jobs.push({ name, entered });
    else if (typeof entered.value === 'string') jobs.push({ name, entered: ok(entered.value) });
    else jobs.push(...(await enterAll(entered.value, client)));
  }
  return jobs;
};

/** An item of a run for another service must not wait in a profile that would later send it to its own. */
const mayKeep = (client: EngineClient, { code }: Failure, server: string): boolean => {
  const { connection } = client.state();
  const isOfProfile = connection.state === 'none' || URL.parse(connection.server)?.origin === URL.parse(server)?.origin;
  return client.kind() === 'here' && isOfProfile && retryOf(code) !== 'never';
};
