/** English texts of the progress of the whole queue. */
import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const enOverallProgress = {
  label: 'Overall progress',
  words: (percent: string, left: number) => `${percent}, ${items(left)} left`,
  milestone: (percent: string, left: number) => `${percent} of the queue uploaded, ${items(left)} left.`,
};
