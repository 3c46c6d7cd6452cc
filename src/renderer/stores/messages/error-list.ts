/**
 * Store of the errors that the user has not dismissed. The host persists them; errors that it cannot receive now are
 * shown anyway and sent once it is reachable.
 */

import { createStore } from 'zustand/vanilla';
import type { Failure } from '../../../api/errors.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { ErrorHistoryEntry } from '../../../ipc/protocol/commands/error-history.ts';

interface ErrorListState {
  /** As stored by the host, newest first. */
  readonly stored: readonly ErrorHistoryEntry[];
  /** Not sent to the host yet, newest first. Their ids are negative. */
  readonly unsent: readonly ErrorHistoryEntry[];
}

const isSame = (one: ErrorHistoryEntry, other: ErrorHistoryEntry): boolean =>
  one.failure.code === other.failure.code && one.failure.detail === other.failure.detail;

/** Both merged; a repeated error replaces the earlier one, as it will on the host. */
export const shownOf = ({ stored, unsent }: ErrorListState): readonly ErrorHistoryEntry[] => {
  let shown = stored;
  for (const problem of unsent.toReversed()) {
    const before = shown.find((other) => isSame(other, problem));
    const times = problem.times + (before?.times ?? 0);
    shown = [{ ...problem, times }, ...shown.filter((other) => other !== before)];
  }
  return shown;
};

interface Deps {
  readonly transport: Pick<PageTransport, 'call' | 'on' | 'onLink'>;
  readonly now: () => number;
}

export const createErrorList = ({ transport, now }: Deps) => {
  const store = createStore<ErrorListState>(() => ({ stored: [], unsent: [] }));
  let last = 0;
  /** On their way to the host, for which a call may wait. */
  const sending = new Set<number>();

  const send = async (problem: ErrorHistoryEntry): Promise<void> => {
    if (sending.has(problem.id)) return;
    sending.add(problem.id);
    const sent = await transport.call('problem.note', { failure: problem.failure });
    sending.delete(problem.id);
    if (!sent.ok) return;
    store.setState(({ unsent }) => ({
      stored: sent.value.problems,
      unsent: unsent.filter(({ id }) => id !== problem.id),
    }));
  };

  const start = async (): Promise<void> => {
    const listed = await transport.call('problem.list', {});
    if (listed.ok) store.setState({ stored: listed.value.problems });
    for (const problem of store.getState().unsent.toReversed()) await send(problem);
  };

  transport.on((event) => {
    if (event.type === 'problems') store.setState({ stored: event.problems });
  });
  transport.onLink((link) => {
    if (link === 'up') void start();
  });

  return {
    store,
    add: (failure: Failure): void => {
      last -= 1;
      const problem: ErrorHistoryEntry = { id: last, failure, at: now(), times: 1 };
      store.setState(({ unsent }) => ({ unsent: [problem, ...unsent] }));
      void send(problem);
    },
    /** Dismissed by the user: the given errors, or all. */
    forget: async (ids: readonly number[] | 'all'): Promise<void> => {
      const isGone = ({ id }: ErrorHistoryEntry): boolean => ids === 'all' || ids.includes(id);
      store.setState(({ stored, unsent }) => ({
        stored: stored.filter((problem) => !isGone(problem)),
        unsent: unsent.filter((problem) => !isGone(problem)),
      }));
      const forgotten = await transport.call('problem.forget', {
        ids: ids === 'all' ? ids : ids.filter((id) => id > 0),
      });
      if (forgotten.ok) store.setState({ stored: forgotten.value.problems });
    },
  };
};

export type ErrorList = ReturnType<typeof createErrorList>;
