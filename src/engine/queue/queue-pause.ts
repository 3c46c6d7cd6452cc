/** Whether the user has paused the whole queue; persisted. */
import Type from 'typebox';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';

export interface QueuePause {
  read(): boolean;
  write(value: boolean): void;
}

export const createQueuePause = (profile: Profile): QueuePause => {
  const fact = createPersistedValue(profile, 'paused', Type.Boolean());
  let value = fact.read() ?? false;
  return {
    read: () => value,
    write(next) {
      value = next;
      fact.note(next);
    },
  };
};
