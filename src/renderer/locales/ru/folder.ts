/** Review of a folder before it is shared. */

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
  lead: 'Посмотрите, что войдёт. Пока ничего не покинуло этот компьютер.',
  reading: {
    counting: (found) => `Просмотр папки: пока ${files(found)}`,
    judging: (found) => `Чтение: ${files(found)}`,
    label: (name) => `Чтение ${name}`,
    stop: 'Остановить',
  },
  lost: {
    title: 'Этой папки больше нет под рукой',
    text: 'Страница была загружена заново, или папкой уже поделились. Добавьте её снова, чтобы посмотреть.',
  },
  empty: 'Эта папка пуста',
  emptyText: 'В ней нет ни одного файла. Выберите другую.',
  several: (count) =>
    `${plural(count, { one: 'Ждёт', few: 'Ждут', many: 'Ждут', other: 'Ждут' })} отправки: ${count} ${plural(count, { one: 'папка', few: 'папки', many: 'папок', other: 'папки' })}`,
  totals: {
    title: 'Размер и лимиты',
    files: 'Файлы',
    text: 'Текст',
    archive: 'Архив, не больше',
    room: 'Свободно в аккаунте',
    of: (some, most) => `${some} из ${most}`,
    more: (most) => `больше ${most}`,
    unread: (count) => `Не просмотрено, потому что лимит достигнут раньше: ${files(count)}.`,
  },
  over: {
    biggest: (folders) => `Больше всего занимают ${folders}.`,
    how: 'Поделитесь частью папки или исключите лишнее строкой в .gitignore и посмотрите снова.',
    room: 'В аккаунте не хватает места',
    roomText: 'Удалите то, что больше не нужно, или поделитесь частью папки.',
  },
  complexIgnore: 'Файл .gitignore слишком сложен, поэтому ни одна его строка не учтена. Проверьте, что войдёт.',
  out: {
    title: 'Останется на этом компьютере',
    none: 'Войдёт всё, что есть в этой папке.',
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
      service: { title: 'Контроль версий', text: 'То, что git или редактор хранят для себя.' },
      dependencies: { title: 'Зависимости', text: 'Их можно установить заново.' },
      build: { title: 'Результат сборки', text: 'Он создаётся из кода, и его можно создать снова.' },
      secret: {
        title: 'Секреты',
        text: 'Ключи, пароли и токены защищены: они никогда не покидают этот компьютер.',
      },
      gitignore: { title: 'Исключено git', text: 'Так велит строка файла исключений, или это сам .gitignore.' },
      name: { title: 'Имена не для Windows', text: 'Не каждый компьютер сможет сохранить файл с таким именем.' },
      path: { title: 'Слишком глубоко или длинно', text: 'Глубже 20 папок или путь длиннее 200 знаков.' },
      large: { title: 'Большие файлы', text: 'Файл кода может занимать 512 КБ. Большими делитесь отдельно.' },
      binary: { title: 'Не текст', text: 'Показывается только текст. Изображениями и видео делитесь отдельно.' },
      duplicate: { title: 'Одинаковые имена', text: 'Имя отличается от другого только регистром букв.' },
      link: { title: 'Ссылки', text: 'Ссылкам файловой системы не следуем: они могут вести куда угодно.' },
      special: { title: 'Устройства и каналы', text: 'Это не файлы.' },
      unreadable: { title: 'Не читается', text: 'Проверьте права доступа и посмотрите снова.' },
      encoding: { title: 'Нечитаемые имена', text: 'Имя записано не в UTF-8.' },
      repository: { title: 'Другие репозитории', text: 'Подмодуль или вложенный репозиторий: делитесь им отдельно.' },
    },
    secrets: (count) =>
      `${plural(count, { one: 'Защищён', few: 'Защищены', many: 'Защищено', other: 'Защищены' })} ${count} ${plural(count, { one: 'секрет: он не покинет', few: 'секрета: они не покинут', many: 'секретов: они не покинут', other: 'секрета: они не покинут' })} этот компьютер.`,
  },
  tree: {
    label: (name) => `Файлы ${name}`,
    filter: 'Показать',
    filters: { all: 'Всё', goes: 'Что войдёт', out: 'Что останется' },
    search: 'Найти файл',
    nothing: 'Таких файлов нет.',
    showAll: 'Показать всё',
    stays: 'останется:',
    inFolder: (count) => files(count),
    open: 'Открыть все папки',
    close: 'Закрыть все папки',
  },
  link: {
    title: 'Ссылка',
    name: 'Название',
  },
  share: (count, size) => `Поделиться: ${files(count)}, ${size}`,
  sharing: (percent) => `Передача… ${percent}`,
  decline: 'Не делиться',
  again: 'Посмотреть снова',
  stays: (amount) => `Останется на этом компьютере: ${amount}.`,
  blocked: {
    limits: 'Превышен лимит: см. ниже.',
    empty: 'В ней нет ничего, чем можно поделиться.',
  },
};
