/** Russian texts about reading the text and the codes of a picture. */

import type { enPictureText } from '../en/picture-text.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const words = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'слово', few: 'слова', many: 'слов', other: 'слова' })}`;
const codes = (count: number): string =>
  `${count} ${plural(count, { one: 'код', few: 'кода', many: 'кодов', other: 'кода' })}`;

export const ruPictureText: typeof enPictureText = {
  copyText: 'Скопировать текст',
  copyTextOf: (name) => `Скопировать текст из ${name}`,
  text: 'Выделить текст',
  textOf: (name) => `Текст на ${name}`,
  selectable: (count) => `Можно выделить и скопировать ${words(count)}: проведите мышью по изображению.`,
  nothingToSelect: 'Текст не найден.',
  selectAll: 'Выделить весь текст',
  allSelected: 'Весь текст выделен. Скопируйте его клавишами Ctrl+C.',
  reading: 'Распознавание текста…',
  progress: 'Ход распознавания текста',
  cancel: 'Отмена',
  copied: (count) => `Скопировано: ${words(count)}`,
  waits: (count) => `Ещё не скопировано: ${words(count)}`,
  waitsHint: 'Щёлкните в любом месте страницы, чтобы скопировать.',
  refused: 'Не удалось скопировать текст',
  copy: 'Скопировать',
  nothing: 'Текст не найден',
  nothingHint: 'Изображение обработано на этом компьютере. Ничего не скопировано.',
  onlyCodes: (count) => `Текст не найден, но есть ${codes(count)}`,
  onlyCodesHint: 'Ничего не скопировано и не открыто.',
  withoutRussian:
    'Русский текст не распознаётся: не установлены языковые данные. В Debian и Ubuntu установите пакет tesseract-ocr-rus.',
  showCodes: (count) => (count === 1 ? 'Показать код' : `Показать ${codes(count)}`),
  codes: (count) => (count === 1 ? 'Код на изображении' : 'Коды на изображении'),
  qrCode: 'QR-код',
  otherCode: (format) => `Код (${format})`,
  opens: (host) => `Ведёт на ${host}`,
  open: 'Открыть в браузере',
  copyCode: 'Скопировать содержимое кода',
  secrets: {
    find: 'Найти секреты',
    looking: 'Ищу, что похоже на секрет…',
    failed: 'Проверить изображение не удалось. Посмотрите сами, нет ли на нём секретов.',
    nothing: 'Ничего похожего на секреты. Программа находит не всё: посмотрите на изображение перед отправкой.',
    place: (kind: string, at: number, count: number) =>
      `На секрет ${plural(count, { one: `похоже ${number.format(count)} место`, few: `похожи ${number.format(count)} места`, many: `похожи ${number.format(count)} мест`, other: `похожи ${number.format(count)} места` })}. ${number.format(at)} из ${number.format(count)}: ${kind}.`,
    done: (hidden: number, count: number) =>
      `Скрыто ${number.format(hidden)} из ${number.format(count)}. Каждое можно вернуть отменой.`,
    hide: 'Скрыть',
    leave: 'Оставить',
    hideRest: 'Скрыть остальные',
    again: 'Повторить',
    looked: 'Изображение проверено мной',
    held: 'Перед отправкой решите о каждом месте.',
    heldOnce: 'Решите о каждом месте или нажмите «Поделиться» ещё раз, чтобы отправить как есть.',
    stop: 'Прекратить',
    close: 'Закрыть',
    kinds: {
      email: 'адрес почты',
      phone: 'номер телефона',
      card: 'банковская карта',
      ip: 'сетевой адрес',
      key: 'ключ',
      token: 'токен',
      password: 'пароль',
      iban: 'банковский счёт',
    },
  },
};
