/** Russian texts of the library: search, filters and bulk actions. */

import type { enLibrary } from '../en/library.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const items = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' })}`;

export const ruLibrary: typeof enLibrary = {
  title: 'Библиотека',
  count: items,
  search: 'Поиск в библиотеке',
  searchPlaceholder: 'Название, метка, текст',
  found: (count) => (count === 0 ? 'Ничего не найдено' : `Найдено: ${number.format(count)}`),
  emptyTitle: 'Здесь появятся ваши ссылки',
  emptyText: 'Всё, чем вы поделитесь, появится здесь вместе со ссылкой.',
  emptyAction: 'Поделиться первым файлом',
  noneTitle: (text) => `По запросу «${text}» ничего не найдено`,
  noneText: 'Попробуйте начало слова из названия, метку или текст заметки.',
  noneFiltered: 'Ничего не найдено',
  noneFilteredText: 'Под выбранные фильтры ничего не подходит.',
  showAll: 'Показать всё',
  clearSearch: 'Очистить поиск',
  list: 'Ваши элементы',
  kind: { IMAGE: 'Изображение', VIDEO: 'Видео', PASTE: 'Заметка', FOLDER: 'Папка' },
  kinds: { IMAGE: 'Изображения', VIDEO: 'Видео', PASTE: 'Заметки', FOLDER: 'Папки' },
  visibility: { private: 'Личное', unlisted: 'По ссылке', public: 'Публичное' },
  filters: {
    label: 'Фильтры и сортировка',
    kind: { label: 'Тип', any: 'Все типы' },
    visibility: { label: 'Видимость', any: 'Любая видимость' },
    state: { label: 'Статус', any: 'Любой статус' },
    states: { live: 'Ссылка работает', protected: 'С ограничениями', gone: 'Больше нет на сервере' },
    period: { label: 'Опубликовано', any: 'За всё время' },
    periods: { today: 'Сегодня', week: 'За 7 дней', month: 'За 30 дней', year: 'За год' },
    sort: 'Сортировка',
    sorts: {
      newest: 'Сначала новые',
      oldest: 'Сначала старые',
      title: 'По названию',
      largest: 'Сначала большие',
      'most-viewed': 'Сначала популярные',
    },
    looks: { grid: 'Сетка', list: 'Список' },
  },
  gone: 'Больше нет на сервере',
  deleting: 'Удаляется',
  undo: 'Отменить',
  undoNamed: (name) => `Отменить удаление ${name}`,
  deleteNamed: (name) => `Удалить ${name}`,
  forgetNamed: (name) => `Удалить ${name} из библиотеки`,
  choose: (name) => `Выбрать ${name}`,
  changing: (done, total) => `Изменено: ${number.format(done)} из ${number.format(total)}`,
  changingMany: (count) => `Изменяется: ${items(count)}…`,
  chosen: (count) => `Выбрано: ${number.format(count)}`,
  chosenLabel: 'Выбранные элементы',
  chooseNone: 'Снять выделение',
  copyLinks: 'Скопировать ссылки',
  change: 'Изменить',
  delete: 'Удалить',
  tags: {
    has: 'Метки',
    add: 'Добавить метки',
    remove: (tag) => `Удалить метку ${tag} у всех`,
    added: (tags) => `Добавлено: ${tags}`,
    removed: (tag) => `Удалено: ${tag}`,
  },
};
