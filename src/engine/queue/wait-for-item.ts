/**
 * Waits for an item's outcome on behalf of a command of the command line. A temporary error ends the wait only after a
 * given time without progress. Also cancels items whose command no longer waits for them.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE } from '../empty-result.ts';
import type { EventEmitter } from '../event-emitter.ts';
import type { Clock } from '../ports.ts';
import type { QueueStore } from './queue-store.ts';

export interface WaitForItemDeps {
  readonly store: QueueStore;
  readonly events: EventEmitter;
  readonly clock: Clock;
  readonly cancel: CommandsOf<'queue'>['cancel'];
}

export const createWaitForItem = (deps: WaitForItemDeps): Pick<CommandsOf<'queue'>, 'waitFor' | 'replace'> => {
  const waiting = new Set<{ readonly id: ItemId }>();
  const hasWaiter = (id: ItemId) => [...waiting].some((one) => one.id === id);
  return {
    waitFor: ({ id, patienceMs }, signal) => {
      const one = { id };
      waiting.add(one);
      return waitForOutcome(deps, id, patienceMs, signal).finally(() => waiting.delete(one));
    },
    replace({ ids }) {
      deps.cancel({ ids: ids.filter((id) => deps.store.get(id)?.printPending === true && !hasWaiter(id)) });
      return DONE;
    },
  };
};

const waitForOutcome = async (
  { store, events, clock }: WaitForItemDeps,
  id: ItemId,
  patienceMs: number,
  signal: AbortSignal,
): Promise<Result<QueueItem, Failure>> => {
  let mark = '';
  let since = clock.monotonic();
  let passing: Failure | null = null;
  for (;;) {
    if (signal.aborted) return err(failure('CANCELLED', 'Waiting was cancelled; the upload continues.'));
    const item = store.get(id);
    if (!item) return err(failure('CANCELLED', 'The upload was cancelled.'));
    if (item.state === 'linked') return ok(item);
    if (item.error?.retryAt === null) return err(item.error.failure);

    const progress = `${item.state} ${item.state === 'started' ? item.confirmedBytes : ''}`;
    if (progress !== mark) {
      mark = progress;
      since = clock.monotonic();
      passing = null;
    }
    passing = item.error?.failure ?? passing;
    const left = since + patienceMs - clock.monotonic();
    if (passing && left <= 0) return err(passing);
    await nextChange(events, clock, passing ? left : null, signal);
  }
};

/** Resolves at the next change of any item, after `ms`, or when the signal is aborted. */
const nextChange = async (
  events: EventEmitter,
  clock: Clock,
  ms: number | null,
  signal: AbortSignal,
): Promise<void> => {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const changed = new Promise<void>((resolve) => {
    const undo = events.onChange(() => {
      undo();
      resolve();
    });
    onAbort(either, () => {
      undo();
      resolve();
    });
  });
  const late = ms === null ? [] : [clock.sleep(ms, either).catch(() => {})];
  await Promise.race([changed, ...late]);
  // With an explicit reason: creating the default one costs a stack trace at every change.
  stop.abort('answered');
};
