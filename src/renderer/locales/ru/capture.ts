/** Buttons that start a capture. */

import type { enCapture } from '../en/capture.ts';

export const ruCapture: typeof enCapture = {
  title: 'Снять экран',
  modes: { region: 'Область', window: 'Окно', screen: 'Экран', all: 'Все экраны', last: 'Прошлая область' },
  record: 'Запись',
  stop: 'Остановить запись',
  delay: 'Задержка',
  now: 'Нет',
  seconds: (count) => `${count} с`,
};
