/** Russian texts of the review of a folder before it is shared. */

import type { enFolder } from '../en/folder.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const files = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'файл', few: 'файла', many: 'файлов', other: 'файла' })}`;

export const ruFolder: typeof enFolder = {
  choose: 'Выбрать папку',
  screen: 'Поделиться папкой',
  unnamed: 'Папка',
  lead: 'Проверьте, чем вы поделитесь. Пока ничего не загружено.',
  reading: {
    counting: (found) => `Сканирование папки: ${files(found)}`,
    judging: (found) => `Чтение: ${files(found)}`,
    label: (name) => `Чтение ${name}`,
    stop: 'Остановить',
  },
  lost: {
    title: 'Эта папка больше недоступна',
    text: 'Страница перезагружена, или папкой уже поделились. Добавьте её снова, чтобы проверить.',
  },
  empty: 'Эта папка пуста',
  emptyText: 'В ней нет файлов. Выберите другую.',
  several: (count) =>
    `${plural(count, { one: 'Ждёт', few: 'Ждут', many: 'Ждут', other: 'Ждут' })} проверки: ${count} ${plural(count, { one: 'папка', few: 'папки', many: 'папок', other: 'папки' })}`,
  totals: {
    title: 'Размер и лимиты',
    files: 'Файлы',
    text: 'Текст',
    archive: 'Архив (максимум)',
    room: 'Хранилище аккаунта',
    of: (some, most) => `${some} из ${most}`,
    ofFree: (some, most) => `${some} из ${most} свободных`,
    more: (most) => `больше ${most}`,
    unread: (count) => `Не проверено, потому что достигнут лимит: ${files(count)}.`,
  },
  over: {
    biggest: (folders) => `Больше всего места здесь: ${folders}.`,
    how: 'Поделитесь частью папки или исключите лишнее в .gitignore и нажмите «Обновить».',
    room: 'В аккаунте не хватает места',
    roomText: 'Удалите то, что больше не нужно, или поделитесь частью папки.',
  },
  ignoreUnsure: 'Правила git могли не учесться',
  missedIgnore:
    'Браузер не видит правил git вне этой папки, например в папках выше или в ваших настройках. Проверьте, чем вы поделитесь, добавьте весь репозиторий либо воспользуйтесь приложением или командной строкой.',
  complexIgnore: 'Файл .gitignore слишком сложен и не учтён. Проверьте, чем вы поделитесь.',
  out: {
    title: 'Исключено',
    none: 'Ничего не исключено.',
    count: (count, folders) =>
      [
        ...(count > 0 ? [files(count)] : []),
        ...(folders > 0
          ? [
              `${folders}\u00a0${plural(folders, { one: 'папка целиком', few: 'папки целиком', many: 'папок целиком', other: 'папки целиком' })}`,
            ]
          : []),
      ].join(', '),
    rule: (pattern, file, line) => `«${pattern}» в ${file}, строка ${line}`,
    reasons: {
      service: { title: 'Контроль версий', text: 'Служебные данные git или редактора.' },
      dependencies: { title: 'Зависимости', text: 'Их можно установить заново.' },
      build: { title: 'Результат сборки', text: 'Его можно собрать из кода.' },
      secret: {
        title: 'Секреты',
        text: 'Ключи, пароли и токены никогда не покидают этот компьютер.',
      },
      gitignore: { title: 'Игнорируется в git', text: 'По правилам .gitignore, или это сам .gitignore.' },
      name: {
        title: 'Имена, недопустимые в Windows',
        text: 'Не каждый компьютер сможет сохранить файл с таким именем.',
      },
      path: { title: 'Слишком глубоко или длинно', text: 'Глубже 20 папок или путь длиннее 200 знаков.' },
      large: { title: 'Большие файлы', text: 'Файл кода — до 512 КБ. Большими файлами делитесь отдельно.' },
      binary: { title: 'Не текст', text: 'Включается только текст. Изображениями и видео делитесь отдельно.' },
      duplicate: { title: 'Одинаковые имена', text: 'Имя отличается от другого только регистром букв.' },
      link: { title: 'Символические ссылки', text: 'Пропускаются: они могут вести куда угодно.' },
      special: { title: 'Устройства и каналы', text: 'Это не файлы.' },
      unreadable: { title: 'Не читается', text: 'Проверьте права доступа и нажмите «Обновить».' },
      encoding: { title: 'Нечитаемые имена', text: 'Имя записано не в UTF-8.' },
      repository: { title: 'Другие репозитории', text: 'Подмодуль или вложенный репозиторий: делитесь им отдельно.' },
    },
    secrets: (count) =>
      `${plural(count, { one: 'Исключён', few: 'Исключены', many: 'Исключено', other: 'Исключены' })} ${count} ${plural(count, { one: 'секрет: он не покинет', few: 'секрета: они не покинут', many: 'секретов: они не покинут', other: 'секрета: они не покинут' })} этот компьютер.`,
  },
  tree: {
    label: (name) => `Файлы в папке ${name}`,
    filter: 'Показать',
    filters: { all: 'Все', goes: 'Включено', out: 'Исключено' },
    search: 'Найти файл',
    nothing: 'Файлы не найдены.',
    showAll: 'Показать всё',
    stays: 'исключено:',
    inFolder: (count) => files(count),
    open: 'Развернуть все папки',
    close: 'Свернуть все папки',
  },
  link: {
    title: 'Ссылка',
    name: 'Название',
  },
  share: (count, size) => `Поделиться: ${files(count)}, ${size}`,
  sharing: (percent) => `Подготовка… ${percent}`,
  decline: 'Отмена',
  again: 'Обновить',
  stays: (amount) => `Исключено: ${amount}.`,
  blocked: {
    limits: 'Превышен лимит. См. ниже.',
    empty: 'В ней нет файлов, которыми можно поделиться.',
  },
};
