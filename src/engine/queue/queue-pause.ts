/** Stores whether the user has paused the whole queue. On a full disk a change takes effect in memory only. */

import Type from 'typebox';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';

export interface QueuePause {
  read(): boolean;
  write(value: boolean): void;
}

export const createQueuePause = (profile: Profile): QueuePause => {
  const persisted = createPersistedValue(profile, 'paused', Type.Boolean());
  let value = persisted.read() ?? false;
  return {
    read: () => value,
    write(next) {
      value = next;
      persisted.note(next);
    },
  };
};
