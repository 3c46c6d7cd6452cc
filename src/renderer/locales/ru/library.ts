/** The library: search, filters and bulk actions. */

import type { enLibrary } from '../en/library.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const items = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'запись', few: 'записи', many: 'записей', other: 'записи' })}`;

export const ruLibrary: typeof enLibrary = {
  title: 'Библиотека',
  count: items,
  search: 'Поиск в библиотеке',
  searchPlaceholder: 'Название, метка, текст',
  found: (count) => (count === 0 ? 'Ничего не найдено' : `Найдено: ${number.format(count)}`),
  emptyTitle: 'Здесь соберутся ваши ссылки',
  emptyText: 'Всё, чем вы поделитесь, появится здесь вместе со ссылкой, чтобы легко найти снова.',
  emptyAction: 'Поделиться первым файлом',
  noneTitle: (text) => `По запросу «${text}» ничего не найдено`,
  noneText: 'Попробуйте начало слова из названия, метку или текст заметки.',
  noneFiltered: 'Ничего подходящего',
  noneFilteredText: 'Под выбранные фильтры ничего не подходит.',
  showAll: 'Показать всё',
  clearSearch: 'Очистить поиск',
  list: 'Опубликованное',
  kind: { IMAGE: 'Изображение', VIDEO: 'Видео', PASTE: 'Заметка', FOLDER: 'Папка' },
  kinds: { IMAGE: 'Изображения', VIDEO: 'Видео', PASTE: 'Заметки', FOLDER: 'Папки' },
  visibility: { private: 'Личное', unlisted: 'По ссылке', public: 'Публичное' },
  filters: {
    label: 'Фильтры и порядок',
    kind: { label: 'Вид', any: 'Все виды' },
    visibility: { label: 'Кому видно', any: 'Любой доступ' },
    state: { label: 'Статус', any: 'Любой статус' },
    states: { live: 'Ссылка работает', protected: 'С защитой', gone: 'Удалённые' },
    period: { label: 'Опубликовано', any: 'Всё время' },
    periods: { today: 'Сегодня', week: 'За 7 дней', month: 'За 30 дней', year: 'За год' },
    sort: 'Порядок',
    sorts: {
      newest: 'Сначала новые',
      oldest: 'Сначала старые',
      title: 'По названию',
      largest: 'Сначала большие',
      'most-viewed': 'Сначала популярные',
    },
    looks: { grid: 'Показать картинками', list: 'Показать списком' },
  },
  gone: 'На сервисе больше нет',
  deleting: 'Удаляется',
  undo: 'Вернуть',
  undoNamed: (name) => `Не удалять ${name}`,
  deleteNamed: (name) => `Удалить ${name}`,
  forgetNamed: (name) => `Убрать ${name} из библиотеки`,
  choose: (name) => `Выбрать ${name}`,
  changing: (done, total) => `Изменено: ${number.format(done)} из ${number.format(total)}`,
  changingMany: (count) => `Изменяется: ${items(count)}.`,
  chosen: (count) => `Выбрано: ${items(count)}`,
  chosenLabel: 'Выбранные записи',
  chooseNone: 'Снять выбор',
  copyLinks: 'Копировать ссылки',
  change: 'Изменить',
  delete: 'Удалить',
  tags: {
    has: 'Метки',
    add: 'Добавить метки',
    remove: (tag) => `Убрать метку ${tag} у всех`,
    added: (tags) => `Добавлено: ${tags}`,
    removed: (tag) => `Убрано: ${tag}`,
  },
};
