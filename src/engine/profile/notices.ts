/** What must be told to the person until they have seen it; remembered over restarts. */
import Type from 'typebox';
import { Failure } from '../../contract/errors.ts';
import type { Profile } from './database.ts';
import { createFact } from './facts.ts';

export interface Notices {
  all(): readonly Failure[];
  add(notice: Failure): void;
  dismiss(): void;
}

export const createNotices = (profile: Profile, onChange: () => void): Notices => {
  const fact = createFact(profile, 'notices', Type.Array(Failure));
  let notices: readonly Failure[] = fact.read() ?? [];
  const set = (next: readonly Failure[]) => {
    notices = next;
    fact.write([...next]);
    onChange();
  };
  return { all: () => notices, add: (notice) => set([...notices, notice]), dismiss: () => set([]) };
};
