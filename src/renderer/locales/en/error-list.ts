/** English texts of the error list. */
import { createPlural } from '../plural.ts';

const plural = createPlural('en');

export const enErrorList = {
  title: 'Messages',
  entry: (count: number) => `Messages, ${count} ${plural(count, { one: 'problem', other: 'problems' })}`,
  hint: 'Problems stay here until you dismiss them.',
  dismissed: (title: string) => `Dismiss: ${title}`,
  dismissAll: 'Dismiss all',
  times: (count: number) => `${count} times`,
};
