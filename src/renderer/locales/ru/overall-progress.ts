/** Russian texts of the progress of the whole queue. */
import type { enOverallProgress } from '../en/overall-progress.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const items = (count: number): string =>
  `${count} ${plural(count, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' })}`;
const remain = (count: number): string => plural(count, { one: 'остался', other: 'осталось' });

export const ruOverallProgress: typeof enOverallProgress = {
  label: 'Общий прогресс',
  words: (percent, left) => `${percent}, ${remain(left)} ${items(left)}`,
  milestone: (percent, left) => `Загружено ${percent} очереди, ${remain(left)} ${items(left)}.`,
};
