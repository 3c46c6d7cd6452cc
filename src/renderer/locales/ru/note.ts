/** Russian texts of the note editor. */

import type { enNote } from '../en/note.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const characters = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'знак', few: 'знака', many: 'знаков', other: 'знака' })}`;

export const ruNote: typeof enNote = {
  opening: 'Открытие…',
  newTitle: 'Новая заметка',
  editTitle: 'Редактирование заметки',
  publish: 'Поделиться',
  save: 'Сохранить',
  discard: 'Удалить черновик',
  discardChanges: 'Отменить изменения',
  itemSettings: 'Настройки ссылки',
  edit: 'Изменить',
  editNamed: (name) => `Изменить ${name}`,
  write: 'Новая заметка',

  title: 'Название',
  titleHint: 'По умолчанию — первая строка',
  text: 'Текст',
  empty: 'Напишите или вставьте что-нибудь',
  preview: 'Предпросмотр',
  view: 'Показать',
  previewEmpty: 'Здесь появится текст, как его увидят другие.',
  addressCopied: (address) => `Адрес скопирован: ${address}`,
  previewGivenUp: 'Предпросмотр занимает слишком много времени. Текст будет виден на странице просмотра.',
  kind: 'Формат',
  formats: { plain: 'Обычный текст', markdown: 'Markdown', code: 'Код' },
  guessed: (kind) => `${kind} (авто)`,
  wrap: 'Перенос строк',
  find: 'Найти',
  length: (lines, count) =>
    `${number.format(lines)} ${plural(lines, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' })} · ${characters(count)}`,
  left: (count) => `осталось ${number.format(count)}`,
  tooLong: (count, over) =>
    `${characters(count)}: на ${number.format(over)} больше лимита. Сократите текст или поделитесь им как файлом.`,
  leaveHint: 'Tab добавляет отступ. Чтобы выйти из редактора, нажмите Esc, затем Tab.',
  tabIsFree: 'Теперь Tab выводит из редактора. Нажмите Esc ещё раз, чтобы закрыть заметку. Черновик сохранится.',

  kept: {
    saving: 'Черновик сохраняется…',
    saved: 'Черновик сохранён',
    restored: 'Черновик восстановлен',
    published: 'Сохранено. По ссылке открывается эта версия.',
    failed: 'Черновик не сохранён',
    tooLong: 'Текст слишком длинный для черновика',
  },
  errorKept: 'Ваш текст сохранён как черновик на этом компьютере.',
  errorRead: 'Это последняя версия, загруженная на этот компьютер.',
  inUse: 'Заметка занята',
  inUseText: 'Она открыта в другой вкладке или ещё сохраняется. Потом её можно будет редактировать и здесь.',
  unknown: 'Этой заметки нет в вашей библиотеке',
  gone: 'Этой заметки больше нет',
  goneKept: 'Она удалена, или её срок истёк. Ваш текст сохранён как черновик на этом компьютере.',
  goneNothing: 'Она удалена, или её срок истёк. На этом компьютере нет копии.',
  moveToNewNote: 'Продолжить как новую заметку',
  copyText: 'Скопировать текст',
  aside: {
    discarded: 'Удалено.',
    mine: 'Опубликованная версия сохранена. Ваша отложена.',
    theirs: 'Ваша версия опубликована. Другая отложена.',
  },
  undo: 'Отменить',
  bringBack: 'Восстановить как черновик',

  link: 'Настройки ссылки',
  withPassword: 'с паролем',
  password: 'Пароль',
  passwordNone: 'Нет',
  passwordShort: 'Введите от 8 до 128 знаков.',
  passwordHint: 'Нужен, чтобы открыть ссылку. В черновике не хранится.',
  passwordLost: 'Задайте пароль снова',
  passwordLostText:
    'У этого черновика был пароль, а пароль не хранится. Задайте его в настройках ссылки или уберите, чтобы поделиться.',
  passwordRemove: 'Убрать пароль',
  passwordShow: 'Показать пароль',
  passwordHide: 'Скрыть пароль',

  conflict: {
    title: 'Две версии этой заметки',
    happened: 'Пока вы писали, заметку изменили в другом месте',
    advice: 'Ничего не потеряно: обе версии здесь. Выберите одну из них или объедините обе в своей, затем сохраните.',
    saves: 'Версия для сохранения',
    mine: 'Моя',
    theirs: 'Опубликованная',
    both: 'Объединённая',
    mineName: 'Ваша версия',
    theirsName: 'Опубликованная версия',
    takePart: 'Принять изменение',
  },

  phrases: {
    Find: 'Найти',
    Replace: 'Заменить на',
    next: 'Следующее',
    previous: 'Предыдущее',
    all: 'Все',
    'match case': 'С учётом регистра',
    'by word': 'Слова целиком',
    regexp: 'Регулярное выражение',
    replace: 'Заменить',
    'replace all': 'Заменить все',
    close: 'Закрыть',
    'current match': 'текущее совпадение',
    'on line': 'в строке',
    'replaced match on line $': 'заменено в строке $',
    'replaced $ matches': 'заменено совпадений: $',
    'Go to line': 'Перейти к строке',
    go: 'Перейти',
    'Control character': 'Управляющий символ',
    'Selection deleted': 'Выделенное удалено',
    '$ unchanged lines': 'без изменений строк: $',
    Accept: 'Оставить моё',
    Reject: 'Взять опубликованное',
    to: 'на',
  },
};
