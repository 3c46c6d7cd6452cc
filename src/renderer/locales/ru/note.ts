/** The note editor. */

import type { enNote } from '../en/note.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const characters = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'знак', few: 'знака', many: 'знаков', other: 'знака' })}`;

export const ruNote: typeof enNote = {
  opening: 'Открывается…',
  newTitle: 'Новая заметка',
  editTitle: 'Правка заметки',
  publish: 'Опубликовать',
  save: 'Сохранить',
  discard: 'Удалить черновик',
  discardChanges: 'Отменить правки',
  itemSettings: 'Настройки ссылки',
  edit: 'Изменить',
  editNamed: (name) => `Изменить ${name}`,
  write: 'Новая заметка',

  title: 'Заголовок',
  titleHint: 'Если пусто, первая строка',
  text: 'Текст',
  empty: 'Напишите или вставьте что-нибудь',
  preview: 'Просмотр',
  view: 'Показать',
  previewEmpty: 'Здесь появится то, что увидят другие.',
  addressCopied: (address) => `Адрес скопирован: ${address}`,
  previewGivenUp: 'Этот текст слишком долго показывать здесь. На своей странице он будет виден.',
  kind: 'Вид текста',
  formats: { plain: 'Обычный текст', markdown: 'Markdown', code: 'Код' },
  guessed: (kind) => `${kind}, авто`,
  wrap: 'Перенос строк',
  find: 'Найти',
  length: (lines, count) =>
    `${number.format(lines)} ${plural(lines, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' })} · ${characters(count)}`,
  left: (count) => `осталось место для ${number.format(count)}`,
  tooLong: (count, over) =>
    `${characters(count)}: это на ${number.format(over)} больше, чем вмещает заметка. Сократите текст или отправьте его файлом.`,
  leaveHint: 'Tab делает отступ. Чтобы выйти из текста, нажмите Esc, затем Tab.',
  tabIsFree: 'Теперь Tab выводит из текста. Ещё раз Esc – назад; черновик сохраняется.',

  kept: {
    saving: 'Черновик сохраняется…',
    saved: 'Черновик сохранён',
    restored: 'Черновик снова здесь',
    published: 'Сохранено. По ссылке виден этот текст.',
    failed: 'Черновик не сохранён',
    tooLong: 'Текст слишком длинный для черновика',
  },
  troubleKept: 'Ваш текст сохранён как черновик на этом компьютере.',
  troubleRead: 'Это текст, каким он был здесь в последний раз.',
  unknown: 'Этой заметки нет в вашей библиотеке',
  gone: 'Этой заметки больше нет',
  goneKept: 'Её удалили, или вышел её срок. Написанное вами сохранено как черновик на этом компьютере.',
  goneNothing: 'Её удалили, или вышел её срок, и на этом компьютере от неё ничего не осталось.',
  publishAnew: 'Опубликовать как новую',
  copyText: 'Скопировать текст',
  aside: {
    discarded: 'Удалено.',
    mine: 'Опубликованный текст остаётся. Ваш отложен.',
    theirs: 'Опубликован ваш текст. Другой отложен.',
  },
  undo: 'Вернуть',
  bringBack: 'Вернуть как черновик',

  link: 'Настройки ссылки',
  withPassword: 'с паролем',
  password: 'Пароль',
  passwordNone: 'Нет',
  passwordShort: 'В пароле от 8 до 128 знаков.',
  passwordHint: 'Его спросят у каждого, кто откроет ссылку. В черновике пароль не хранится.',
  passwordShow: 'Показать пароль',
  passwordHide: 'Скрыть пароль',

  conflict: {
    title: 'Два варианта этой заметки',
    happened: 'Пока вы писали, заметку изменили в другом месте',
    advice: 'Ничего не потеряно: оба варианта здесь. Выберите один или соберите их в своём, затем сохраните.',
    saves: 'Что будет сохранено',
    mine: 'Мой',
    theirs: 'Опубликованный',
    both: 'Собранный из обоих',
    mineName: 'Ваш, будет сохранён',
    theirsName: 'Опубликован сейчас',
    takePart: 'Взять эту часть',
  },

  phrases: {
    Find: 'Найти',
    Replace: 'Заменить на',
    next: 'Дальше',
    previous: 'Назад',
    all: 'Все',
    'match case': 'С учётом регистра',
    'by word': 'Слова целиком',
    regexp: 'Регулярное выражение',
    replace: 'Заменить',
    'replace all': 'Заменить все',
    close: 'Закрыть',
    'current match': 'найдено сейчас',
    'on line': 'в строке',
    'replaced match on line $': 'заменено в строке $',
    'replaced $ matches': 'заменено совпадений: $',
    'Go to line': 'Перейти к строке',
    go: 'Перейти',
    'Control character': 'Управляющий знак',
    'Selection deleted': 'Выделенное удалено',
    '$ unchanged lines': 'без изменений строк: $',
    Accept: 'Оставить моё',
    Reject: 'Взять опубликованное',
    to: 'на',
  },
};
