/** Russian texts of the details of a queue item. */
import type { enQueueItemDetails } from '../en/queue-item-details.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');

export const ruQueueItemDetails: typeof enQueueItemDetails = {
  what: 'Тип',
  file: 'Файл',
  from: 'Источник',
  captured: 'Снимок экрана',
  recorded: 'Запись экрана',
  goesTo: 'Назначение',
  anyAccount: 'В аккаунт, который вы подключите',
  link: 'Ссылка',
  asAccount: 'Как в аккаунте',
  sent: 'Загружается как',
  unchanged: 'Исходный файл',
  unmade: 'Подготовится, когда подойдёт очередь',
  parts: (done, total) => `${done} из ${total} ${plural(total, { one: 'части', other: 'частей' })}`,
  speed: 'Скорость',
  fastest: (speed) => `до ${speed}`,
  happened: 'История',
  openItem: 'Показать элемент',
  pause: 'Пауза',
  resume: 'Продолжить',
  cancel: 'Отменить загрузку',
};
