/**
 * Stores notices, which are errors that concern the whole app: they stay visible, also across restarts, until the user
 * dismisses them or their cause is gone.
 */
import Type from 'typebox';
import { type ErrorCode, Failure } from '../../api/errors.ts';
import { noticeKey } from '../../ipc/protocol/notice-key.ts';
import type { Profile } from './database.ts';
import { createPersistedValue } from './persisted-value.ts';

export interface Notices {
  all(): readonly Failure[];
  /** Replaces an earlier one with the same `noticeKey`. */
  add(notice: Failure): void;
  /** Removes the notices of a problem that is over. */
  withdraw(code: ErrorCode): void;
  dismiss(): void;
}

export const createNotices = (profile: Profile, onChange: () => void): Notices => {
  const persisted = createPersistedValue(profile, 'notices', Type.Array(Failure));
  let notices: readonly Failure[] = persisted.read() ?? [];
  const set = (next: readonly Failure[]) => {
    notices = next;
    persisted.note([...next]);
    onChange();
  };
  return {
    all: () => notices,
    add: (notice) => set([...notices.filter((other) => noticeKey(other) !== noticeKey(notice)), notice]),
    withdraw(code) {
      const others = notices.filter((notice) => notice.code !== code);
      if (others.length < notices.length) set(others);
    },
    dismiss: () => set([]),
  };
};
