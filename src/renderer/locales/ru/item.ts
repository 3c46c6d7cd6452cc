/** Russian texts of the page of a published item: preview, access, link formats, settings, views and details. */

import type { enItem } from '../en/item.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const times = (count: number): string =>
  `${count} ${plural(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' })}`;
const views = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'просмотр', few: 'просмотра', many: 'просмотров', other: 'просмотра' })}`;
const files = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'файл', few: 'файла', many: 'файлов', other: 'файла' })}`;
/** Genitive: "до пятницы". */
const WEEKDAYS = ['воскресенья', 'понедельника', 'вторника', 'среды', 'четверга', 'пятницы', 'субботы'] as const;

export const ruItem: typeof enItem = {
  reading: 'Загрузка…',
  unknown: 'Этого элемента нет в вашей библиотеке',
  unknownText: 'Он удалён или создан на другом компьютере. Ваши элементы — в библиотеке.',
  removed: (name) => `Удалено: ${name}`,
  removedText: 'Ссылка больше не работает. Исходный файл не изменился.',
  toLibrary: 'В библиотеку',
  refresh: 'Обновить',
  delete: 'Удалить',
  open: 'Открыть страницу просмотра',
  unreached: 'Сервер недоступен. Показано последнее известное состояние.',

  access: {
    title: 'Кто может открыть',
    who: {
      link: { none: 'Все, у кого есть ссылка', needed: 'Все, у кого есть ссылка и пароль' },
      everyone: { none: 'Все', needed: 'Все, у кого есть пароль' },
    },
    onlyYou: 'Только вы',
    once: 'один раз',
    times: (left) => `ещё ${times(left)}`,
    noDownload: 'без скачивания',
    until: {
      today: (time) => `сегодня до ${time}`,
      tomorrow: (time) => `до завтра, ${time}`,
      weekday: (day, time) => `до ${WEEKDAYS[day] ?? WEEKDAYS[0]}, ${time}`,
      date: (date) => `до ${date}`,
    },
    gone: 'Никто: элемента больше нет на сервере.',
    deleting: 'Никто: элемент удаляется.',
    expired: (at) => `Никто: срок ссылки истёк ${at}.`,
    held: {
      review: 'Только вы, пока элемент проверяет модератор.',
      blocked: 'Только вы: элемент заблокирован модератором.',
    },
    beingRead: (until) => `Только тот, кто открыл ссылку, до ${until}.`,
    consumed: (at) => `Никто: одноразовая ссылка открыта ${at}.`,
    exhausted: (limit) =>
      `Для новых посетителей закрыто: ${plural(limit, {
        one: `использован ${views(limit)}`,
        few: `использованы все ${views(limit)}`,
        many: `использованы все ${views(limit)}`,
        other: `использованы все ${views(limit)}`,
      })}.`,
  },

  state: {
    gone: 'Больше нет на сервере',
    goneText: 'Элемент удалён на сервере, или его срок истёк. Здесь остались только эти сведения.',
    expired: 'Срок ссылки истёк',
    expiredText: 'Элементы с истёкшим сроком удаляются. Поделитесь файлом ещё раз, чтобы получить новую ссылку.',
    forget: 'Удалить из библиотеки',
    held: 'Элемент скрыт от всех, кроме вас',
    heldText: 'Ничего не потеряно. Если модератор одобрит, ссылка снова заработает.',
    blockedText: 'Вы по-прежнему можете посмотреть или удалить его. О причине спросите администратора сервера.',
    consumed: 'Одноразовая ссылка использована',
    consumedText: 'Можно разрешить ещё один просмотр или открыть доступ всем, у кого есть ссылка.',
    again: 'Разрешить ещё один просмотр',
    everyone: 'Открыть доступ всем',
    exhausted: 'Лимит просмотров исчерпан',
    exhaustedText: 'Увеличьте или снимите лимит, и ссылка снова заработает.',
    noLimit: 'Снять лимит',
    deleting: 'Элемент удаляется',
    deletingText: 'Удаление ещё можно отменить.',
  },

  refused: {
    unknownTitle: 'Изменение могло выполниться не полностью',
    unknown: 'Некоторые элементы могли измениться. Библиотека обновится, когда Linkshot снова ответит.',
    unanswered: 'Ответ сервера потерян: изменение могло выполниться. Повтор ничему не повредит.',
    leftPrivate: 'Пока оно не завершено, ссылку можете открыть только вы.',
    title: 'Изменение отменено',
    kept: 'На сервере ничего не изменилось.',
    keptSome: (refused, asked) =>
      `Без изменений осталось элементов: ${number.format(refused)} из ${number.format(asked)}; остальные изменены.`,
    chooseThem: 'Выбрать только их',
    retry: 'Повторить',
  },

  preview: {
    title: 'Предпросмотр',
    picture: (name) => `Изображение ${name}`,
    video: (name) => `Видео ${name}`,
    zoom: 'Масштаб',
    fit: 'Целиком',
    actual: '100 %',
    closer: 'Увеличить',
    further: 'Уменьшить',
    loading: 'Загрузка…',
    failed: 'Не удалось загрузить предпросмотр',
    failedText: 'Ссылка по-прежнему работает.',
    retry: 'Повторить',
    processing: 'Видео обрабатывается',
    processingText: 'Ссылка уже работает. Скоро видео можно будет смотреть.',
    mediaFailed: 'Видео не удалось обработать',
    mediaFailedText: 'Его можно скачать со страницы просмотра. Запишите видео ещё раз или поделитесь в другом формате.',
    none: 'Предпросмотр недоступен',
    edit: 'Изменить',
    note: 'Текст заметки',
    tree: 'Файлы папки',
    files,
    file: (path) => `Текст ${path}`,
    pickFile: 'Выберите файл для просмотра.',
  },

  link: {
    formats: 'Все форматы',
    copyFormat: (format) => `Скопировать как ${format}`,
    names: {
      plain: 'Ссылка',
      markdown: 'Markdown',
      html: 'HTML',
      bbcode: 'BBCode',
      direct: 'Прямая ссылка',
      template: 'Свой формат',
    },
    qr: 'QR-код',
    qrOf: (name) => `QR-код ссылки на ${name}`,
    qrHint: 'Отсканируйте камерой телефона, чтобы открыть ссылку.',
    savePng: 'Сохранить PNG',
    saveSvg: 'Сохранить SVG',
  },

  settings: {
    title: 'Настройки ссылки',
    name: 'Название',
    tags: 'Метки',
    tagsHint: 'Через запятую',
    tagsWrong: (most, characters) => `Не больше ${most} меток, в каждой не больше ${characters} знаков.`,
    save: 'Сохранить',
    saving: 'Сохранение…',
    change: 'Изменить',
    download: 'Скачивание',
    downloadHint: 'Файл можно скачать. Если выключено, его можно только смотреть.',
    password: 'Пароль',
    passwordNone: 'Нет',
    passwordSet: 'Нужен, чтобы открыть ссылку',
    passwordAdd: 'Задать пароль',
    passwordShort: (least, most) => `Введите от ${least} до ${most} знаков.`,
    end: 'Срок действия',
    endNever: 'Бессрочно',
    endPast: 'Выберите время в будущем.',
    limit: 'Лимит просмотров',
    limitHint: 'После этого числа просмотров ссылка перестанет работать.',
    limitWrong: (most) => `Введите целое число от 1 до ${most}.`,
    remove: 'Удалить',
    cancel: 'Отмена',
    needsPlan: (plan, trial) =>
      plan === null
        ? 'Недоступно в вашем тарифе.'
        : trial === 'available'
          ? `Доступно в тарифе «${plan}», его можно попробовать бесплатно.`
          : `Доступно в тарифе «${plan}».`,
  },

  views: {
    title: 'Просмотры',
    total: views,
    sum: (count, days) =>
      `${views(count)} за последние ${days} ${plural(days, { one: 'день', few: 'дня', many: 'дней', other: 'дня' })}`,
    none: 'За последние 30 дней просмотров нет.',
    chart: (days) =>
      `Просмотры по дням за последние ${days} ${plural(days, { one: 'день', few: 'дня', many: 'дней', other: 'дня' })}`,
    day: 'День',
    count: 'Просмотры',
    needsPlan: 'Общее число просмотров есть в любом тарифе, просмотры по дням — не в каждом.',
  },

  details: {
    title: 'Подробности',
    kind: 'Тип',
    file: 'Файл',
    size: 'Размер',
    dimensions: 'Разрешение',
    pixels: (width, height) => `${width} × ${height}`,
    duration: 'Длительность',
    codec: 'Видеокодек',
    sound: 'Звук',
    withSound: 'Есть',
    withoutSound: 'Нет',
    format: 'Формат',
    formats: { plain: 'Обычный текст', markdown: 'Markdown', code: 'Код' },
    revision: 'Версия',
    revisionText: (revision) => (revision === 1 ? 'Исходная' : `Изменена ${times(revision - 1)}`),
    filesIn: 'Файлы',
    shared: 'Опубликовано',
    access: 'Доступ',
    accessNever: 'Не менялся',
    accessChanged: (changes) =>
      `Менялся ${times(changes)}. При смене видимости, пароля или одноразового доступа он закрывается для тех, кто уже открыл элемент. Старые ссылки продолжают работать.`,
  },

  history: 'История',
};
