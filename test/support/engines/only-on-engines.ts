/** Tests about one of the engines: on others they are skipped, and their title says why. */
import { describe, it, type SuiteAPI, type TestAPI } from 'vitest';
import { ENGINES, IS_REAL_S3 } from './engines.ts';

type Subject = 'SQLite' | 'PostgreSQL' | 'local files' | 'a store that waits on request';

const IS_HERE: Readonly<Record<Subject, boolean>> = {
  SQLite: ENGINES.records === 'sqlite',
  PostgreSQL: ENGINES.records !== 'sqlite',
  'local files': ENGINES.objects === 'files',
  'a store that waits on request': ENGINES.objects === 'files' || !IS_REAL_S3,
};

/** Empty: they run here. */
const whyNot = (subjects: readonly Subject[]): string => {
  const missing = subjects.filter((subject) => !IS_HERE[subject]);
  return missing.length === 0 ? '' : ` [skipped: about ${missing.join(' and ')}]`;
};

/** `it` where the servers of this run have the engines that the test is about. */
export const itAbout = (...subjects: readonly Subject[]): TestAPI => {
  const why = whyNot(subjects);
  return why === '' ? it : (((title: string, ...rest: [() => void]) => it.skip(title + why, ...rest)) as TestAPI);
};

/** `describe` where the servers of this run have the engines that the tests are about. */
export const describeAbout = (...subjects: readonly Subject[]): SuiteAPI => {
  const why = whyNot(subjects);
  return why === ''
    ? describe
    : (((title: string, ...rest: [() => void]) => describe.skip(title + why, ...rest)) as SuiteAPI);
};
