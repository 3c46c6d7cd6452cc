/** Russian texts of the banners about the connection and a paused queue. */
import type { enConnectionBanners } from '../en/connection-banners.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const items = (count: number): string =>
  `${count} ${plural(count, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' })}`;

export const ruConnectionBanners: typeof enConnectionBanners = {
  network: { title: 'Нет подключения к интернету', advice: 'Linkshot продолжит, когда связь появится.' },
  service: {
    title: (server) => `${server} не отвечает`,
    advice: 'Linkshot продолжает попытки.',
  },
  full: {
    title: 'Слишком много запросов',
    goesOn: (time) => `Загрузки продолжатся автоматически через ${time}.`,
  },
  paused: { title: 'Очередь приостановлена', action: 'Продолжить всё' },
  waiting: (count) =>
    count === 0
      ? 'Файлы, которые вы добавите, сохранятся и загрузятся автоматически.'
      : `${items(count)} ${plural(count, { one: 'ждёт', other: 'ждут' })} и ${plural(count, { one: 'загрузится', other: 'загрузятся' })} автоматически.`,
  resting: (count) => `${items(count)} ${plural(count, { one: 'ждёт', other: 'ждут' })}, пока вы не продолжите.`,
  trying: 'Подключение…',
  tryNow: 'Повторить сейчас',
  back: 'Соединение восстановлено.',
};
