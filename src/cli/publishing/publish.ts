/** Brings things into the queue and waits for their links. Promise: everything named gets exactly one answer, in order. */
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { makeContact } from '../client/connect-with-retry.ts';
import type { Desk } from '../client/engine-client.ts';
import type { Surroundings } from '../context.ts';
import { copyText } from './copy-text.ts';
import { finish, type Job, nameOf } from './await-results.ts';

/** One thing to publish, under the name it was given; null: as it comes to be called. It may turn out to be several. */
export interface Entry {
  readonly name: string | null;
  enter(desk: Desk): Promise<Result<ItemId | readonly Entry[]>>;
}

/** What is to happen besides. `copy`: the links go on the clipboard too. */
export interface Wishes {
  readonly copy: true | undefined;
}

const PAUSED = failure(
  'CANCELLED',
  'The queue is paused, so it waits there. linkshot queue resume lets everything go on; linkshot resume does, and waits for the links.',
);

export const publish = async (
  entries: readonly Entry[],
  { copy }: Wishes,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<void> => {
  const { report, contact } = surroundings;
  const refuseAll = (error: Failure): void => {
    for (const { name } of entries) report.failed(name, error);
  };
  const opened = await surroundings.openDesk('given', signal);
  if (!opened.ok) return refuseAll(opened.error);
  const desk = opened.value;
  try {
    const agreed = await makeContact(desk, surroundings, signal);
    if (!agreed.ok && !mayKeep(desk, agreed.error, contact?.server ?? '')) return refuseAll(agreed.error);
    // What is entered stays, whatever stands against its going on.
    const mayGoOn = agreed.ok && desk.state().queue.paused ? err(PAUSED) : agreed;
    const jobs = (await enterAll(entries, desk)).map(({ name, entered }): Job => {
      if (!entered.ok || mayGoOn.ok) return { name, entered };
      return { name: name ?? nameOf(desk, entered.value), entered: mayGoOn, left: 'in the queue' };
    });
    const links = await finish(jobs, surroundings, desk, signal);
    if (copy && links.length > 0) await copyText(links.join('\n'), surroundings);
  } finally {
    await desk.close();
  }
};

const enterAll = async (entries: readonly Entry[], desk: Desk): Promise<readonly Job[]> => {
  const jobs: Job[] = [];
  for (const { name, enter } of entries) {
    const entered = await enter(desk);
    if (!entered.ok) jobs.push({ name, entered });
    else if (typeof entered.value === 'string') jobs.push({ name, entered: ok(entered.value) });
    else jobs.push(...(await enterAll(entered.value, desk)));
  }
  return jobs;
};

/** An item of a run for another service must not wait in a profile that would later send it to its own. */
const mayKeep = (desk: Desk, { code }: Failure, server: string): boolean => {
  const { connection } = desk.state();
  const isOfProfile = connection.state === 'none' || URL.parse(connection.server)?.origin === URL.parse(server)?.origin;
  return desk.kind() === 'here' && isOfProfile && retryOf(code) !== 'never';
};
