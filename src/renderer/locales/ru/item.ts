/** Page of a published item: preview, access, link formats and settings. */

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
  reading: 'Ищем…',
  unknown: 'Этой записи нет в вашей библиотеке',
  unknownText: 'Её убрали, или она с другого компьютера. Всё, что у вас есть, лежит в библиотеке.',
  removed: (name) => `Удалено: ${name}`,
  removedText: 'Ссылка больше никуда не ведёт. Ваш собственный файл не тронут.',
  toLibrary: 'В библиотеку',
  refresh: 'Спросить сервис, как обстоят дела сейчас',
  delete: 'Удалить',
  open: 'Открыть в браузере',
  unreached: 'Сейчас сервис не ответил. Вы видите то, что помнит этот компьютер.',

  access: {
    title: 'Кто может открыть',
    who: {
      link: { none: 'Любой, у кого есть ссылка', needed: 'Любой, у кого есть ссылка и пароль' },
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
    gone: 'Никто: на сервисе этого больше нет.',
    deleting: 'Сейчас уже никто: запись удаляется.',
    expired: (at) => `Уже никто: срок ссылки вышел ${at}.`,
    held: {
      review: 'Пока только вы: запись смотрит модератор сервиса.',
      blocked: 'Только вы: модератор сервиса закрыл запись.',
    },
    beingRead: (until) => `Тот, кто только что открыл, до ${until}; больше никто.`,
    consumed: (at) => `Уже никто: ссылку открыли один раз, ${at}.`,
    exhausted: (limit) =>
      `Новых зрителей не пустят: ${plural(limit, {
        one: `использован ${views(limit)}`,
        few: `использованы все ${views(limit)}`,
        many: `использованы все ${views(limit)}`,
        other: `использованы все ${views(limit)}`,
      })}.`,
  },

  state: {
    gone: 'На сервисе этого больше нет',
    goneText: 'Там запись удалили, или вышел её срок. Здесь от неё осталась только эта строка.',
    expired: 'Срок ссылки вышел',
    expiredText: 'Сервис удаляет то, чей срок вышел. Поделитесь файлом ещё раз, и появится новая ссылка.',
    forget: 'Убрать из библиотеки',
    held: 'Запись скрыта от всех, кроме вас',
    heldText: 'Ничего не потеряно. Когда модераторы её пропустят, заработает та же ссылка.',
    blockedText: 'Вы по-прежнему её видите и можете удалить. О причине спросите владельца сервиса.',
    consumed: 'Одноразовую ссылку уже открыли',
    consumedText: 'По той же ссылке можно впустить ещё одного человека или всех, у кого она есть.',
    again: 'Впустить ещё одного',
    everyone: 'Впустить всех',
    exhausted: 'Все просмотры использованы',
    exhaustedText: 'Поднимите предел или снимите его, и та же ссылка снова заработает.',
    noLimit: 'Снять предел',
    deleting: 'Запись удаляется',
    deletingText: 'Её ещё можно вернуть.',
  },

  refused: {
    unknownTitle: 'Изменение могло остановиться на полпути',
    unknown: 'Часть могла дойти до сервиса: что именно, библиотека покажет, как только Linkshot снова ответит.',
    title: 'Изменение отменено',
    kept: 'На сервисе ничего не изменилось: вы видите то, что есть там.',
    keptSome: (refused, asked) =>
      `Без изменений осталось записей: ${number.format(refused)} из ${number.format(asked)}; остальные изменены.`,
    chooseThem: 'Выбрать только их',
    retry: 'Попробовать снова',
  },

  preview: {
    title: 'Просмотр',
    picture: (name) => `Изображение ${name}`,
    video: (name) => `Видео ${name}`,
    zoom: 'Размер изображения',
    fit: 'Целиком',
    actual: '100 %',
    closer: 'Крупнее',
    further: 'Мельче',
    loading: 'Загружается…',
    failed: 'Не удалось загрузить просмотр',
    failedText: 'Ссылка от этого не пострадала.',
    retry: 'Попробовать снова',
    processing: 'Сервис готовит видео',
    processingText: 'Ссылка уже работает; смотреть видео можно будет через мгновение.',
    mediaFailed: 'Сервис не смог подготовить видео к просмотру',
    mediaFailedText: 'Его всё же можно скачать с его страницы. Запишите ещё раз или поделитесь в другом формате.',
    none: 'Показывать больше нечего',
    edit: 'Изменить',
    note: 'Текст заметки',
    tree: 'Файлы папки',
    files,
    file: (path) => `Текст ${path}`,
    pickFile: 'Выберите файл, чтобы увидеть, что в нём.',
  },

  link: {
    formats: 'Все форматы',
    copyFormat: (format) => `Копировать как ${format}`,
    names: {
      plain: 'Ссылка',
      markdown: 'Markdown',
      html: 'HTML',
      bbcode: 'BBCode',
      direct: 'Файл',
      template: 'Мой шаблон',
    },
    qr: 'QR-код',
    qrOf: (name) => `QR-код ссылки на ${name}`,
    qrHint: 'Камера телефона откроет ссылку.',
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
    saving: 'Сохраняется…',
    change: 'Изменить',
    download: 'Скачивание',
    downloadHint: 'Зрители могут сохранить файл. Без этого на него можно только смотреть.',
    password: 'Пароль',
    passwordNone: 'Пароль не спрашивается.',
    passwordSet: 'Каждый, кто открывает ссылку, вводит пароль.',
    passwordAdd: 'Задать пароль',
    passwordShort: (least, most) => `В пароле от ${least} до ${most} знаков.`,
    end: 'Действует до',
    endNever: 'Без срока',
    endPast: 'Выберите время в будущем.',
    limit: 'Предел просмотров',
    limitHint: 'После стольких просмотров ссылка закроется.',
    limitWrong: (most) => `Введите целое число от 1 до ${most}.`,
    remove: 'Убрать',
    cancel: 'Отмена',
    needsPlan: (plan, trial) =>
      plan === null
        ? 'В вашем тарифе этого нет.'
        : trial === 'available'
          ? `Это есть в тарифе «${plan}», его можно попробовать бесплатно.`
          : `Это есть в тарифе «${plan}».`,
  },

  views: {
    title: 'Просмотры',
    total: views,
    sum: (count, days) =>
      `${views(count)} за последние ${days} ${plural(days, { one: 'день', few: 'дня', many: 'дней', other: 'дня' })}`,
    none: 'За последние 30 дней никто не открывал.',
    chart: (days) => `Просмотры по дням, последние ${days}`,
    day: 'День',
    count: 'Просмотры',
    needsPlan: 'Сколько раз открыли, считает любой тариф; просмотры по дням — нет.',
  },

  details: {
    title: 'Подробности',
    kind: 'Вид',
    file: 'Файл',
    size: 'Размер',
    dimensions: 'Пиксели',
    pixels: (width, height) => `${width} × ${height}`,
    duration: 'Длительность',
    codec: 'Видеокодек',
    sound: 'Звук',
    withSound: 'Есть',
    withoutSound: 'Нет',
    format: 'Формат',
    formats: { plain: 'Простой текст', markdown: 'Markdown', code: 'Код' },
    revision: 'Редакция',
    revisionText: (revision) =>
      revision === 1 ? 'Как опубликовали' : `После публикации меняли ${times(revision - 1)}`,
    filesIn: 'Файлы',
    shared: 'Опубликовано',
    access: 'Доступ',
    accessNever: 'Не менялся с публикации',
    accessChanged: (changes) =>
      `Менялся ${times(changes)}. Каждая смена видимости, пароля или «только один раз» закрывает запись для тех, кто открыл её раньше; старые ссылки ведут сюда же.`,
  },

  history: 'История',
};
