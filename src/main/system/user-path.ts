/** Adds a folder to the user's PATH on Windows, and removes it again; all other entries stay as they are. */
import type { UserEnvironment } from './windows-user-variables.ts';

export interface UserPath {
  has(folder: string): boolean;
  /** Does nothing where the folder is in it. Throws where Windows refuses, or the PATH would become too long. */
  add(folder: string): void;
  /** Does nothing where the folder is not in it. Throws where Windows refuses. */
  remove(folder: string): void;
}

const NAME = 'Path';
/** Characters; Windows takes no longer variable. */
const LONGEST = 32_767;

/** Windows ignores case, a closing backslash, and quotes around an entry. */
const normalised = (entry: string): string => entry.trim().replaceAll('"', '').replace(/\\+$/, '').toLowerCase();

const entriesOf = (value: string): readonly string[] => (value === '' ? [] : value.split(';'));

export const createUserPath = (environment: UserEnvironment): UserPath => {
  const value = (): string => environment.read(NAME)?.value ?? '';
  const isIn = (folder: string): boolean =>
    entriesOf(value()).some((entry) => normalised(entry) === normalised(folder));
  return {
    has: isIn,
    add(folder) {
      if (isIn(folder)) return;
      const before = environment.read(NAME);
      // A closing semicolon is no entry.
      const kept = (before?.value ?? '').replace(/;+$/, '');
      const after = kept === '' ? folder : `${kept};${folder}`;
      if (after.length > LONGEST) throw new Error('The PATH of this user is too long for another folder.');
      environment.write(NAME, { value: after, hasReferences: before?.hasReferences ?? true });
      environment.announce();
    },
    remove(folder) {
      const before = environment.read(NAME);
      if (before === null || !isIn(folder)) return;
      const kept = entriesOf(before.value).filter((entry) => normalised(entry) !== normalised(folder));
      if (kept.length === 0) environment.remove(NAME);
      else environment.write(NAME, { ...before, value: kept.join(';') });
      environment.announce();
    },
  };
};
