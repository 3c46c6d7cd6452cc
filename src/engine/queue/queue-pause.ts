/** Whether the person has paused the whole queue; remembered over restarts. */
import Type from 'typebox';
import type { Profile } from '../profile/database.ts';
import { createFact } from '../profile/persisted-value.ts';

export interface PausedFact {
  read(): boolean;
  write(value: boolean): void;
}

export const createPausedFact = (profile: Profile): PausedFact => {
  const fact = createFact(profile, 'paused', Type.Boolean());
  let value = fact.read() ?? false;
  return {
    read: () => value,
    write(next) {
      value = next;
      fact.note(next);
    },
  };
};
