/**
 * Stores the newest 100 errors in the profile until the user dismisses them, each limited in size. Removes the
 * service's API keys, bearer tokens, and keys, tokens, passwords and codes in addresses. The same error again raises a
 * count.
 */
import Type from 'typebox';
import { type Failure, ok } from '../../api/errors.ts';
import { ErrorHistoryEntry, PROBLEMS_MAX } from '../../ipc/protocol/commands/error-history.ts';
import type { CommandsOf } from '../command-types.ts';
import type { Clock } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';

const DETAIL_CHARACTERS = 500;
const PARAMS_CHARACTERS = 2_000;
const SECRET = /\blsk_[\w-]+|([?&](?:key|token|password|code)=)[^&\s]+|(Bearer )\S+|(:\/\/)[^/\s@]+(?=@)/gi;

const withoutSecrets = (text: string): string => text.replace(SECRET, '$1$2$3…');

const keptOf = ({ code, detail, status, params, afterMs }: Failure): Failure => {
  const words = JSON.stringify(params ?? null, (_, value: unknown) =>
    typeof value === 'string' ? withoutSecrets(value) : value,
  );
  return {
    code,
    detail: withoutSecrets(detail).slice(0, DETAIL_CHARACTERS),
    ...(status !== undefined && { status }),
    ...(afterMs !== undefined && { afterMs }),
    ...(params !== undefined &&
      words.length <= PARAMS_CHARACTERS && { params: JSON.parse(words) as Record<string, unknown> }),
  };
};

export interface ErrorHistoryDeps {
  readonly profile: Profile;
  readonly clock: Pick<Clock, 'now'>;
  readonly onChange: (problems: readonly ErrorHistoryEntry[]) => void;
}

export const createErrorHistory = ({ profile, clock, onChange }: ErrorHistoryDeps): CommandsOf<'problem'> => {
  const persisted = createPersistedValue(profile, 'problems', Type.Array(ErrorHistoryEntry));
  let problems: readonly ErrorHistoryEntry[] = persisted.read() ?? [];
  const set = (next: readonly ErrorHistoryEntry[]): void => {
    problems = next.slice(0, PROBLEMS_MAX);
    if (problems.length === 0) persisted.clear();
    else persisted.note([...problems]);
    onChange(problems);
  };
  const list = () => ok({ problems: [...problems] });
  return {
    list,
    note({ failure: reported }) {
      const failure = keptOf(reported);
      const isSame = (other: ErrorHistoryEntry): boolean =>
        other.failure.code === failure.code && other.failure.detail === failure.detail;
      const times = (problems.find(isSame)?.times ?? 0) + 1;
      const id = Math.max(0, ...problems.map((other) => other.id)) + 1;
      set([{ id, failure, at: clock.now(), times }, ...problems.filter((other) => !isSame(other))]);
      return list();
    },
    forget({ ids }) {
      set(ids === 'all' ? [] : problems.filter(({ id }) => !ids.includes(id)));
      return list();
    },
  };
};
