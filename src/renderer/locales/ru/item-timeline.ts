/** Russian texts of an item's timeline. */

import type { enItemTimeline } from '../en/item-timeline.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const parts = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'часть', few: 'части', many: 'частей', other: 'части' })}`;
const ofParts = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'части', other: 'частей' })}`;
const times = (count: number): string =>
  `${count} ${plural(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' })}`;

export const ruItemTimeline: typeof enItemTimeline = {
  title: 'История',
  empty: 'История пока пуста.',
  unread: 'Не удалось загрузить историю.',
  today: 'Сегодня',
  yesterday: 'Вчера',
  added: {
    window: 'Добавлено',
    capture: 'Снято с экрана',
    recording: 'Записано с экрана',
    command: 'Добавлено из командной строки',
    found: 'Восстановлено после повреждения очереди',
  },
  withSize: (what, size) => `${what} (${size})`,
  withoutSize: (what) => what,
  made: {
    video: (from, to) => `Видео преобразовано (${from} → ${to})`,
    image: (from, to) =>
      from === to ? `Изображение подготовлено (${to})` : `Изображение преобразовано (${from} → ${to})`,
    folder: (_from, to) => `Папка упакована (${to})`,
  },
  read: (size, count) => `Контрольная сумма вычислена (${size}, ${parts(count)})`,
  begun: (size) => `Загрузка начата (${size})`,
  continued: (kept, size) => `Загрузка возобновлена (${kept} из ${size} уже на сервере)`,
  sent: (size, count) => (count === 1 ? `Загружено (${size})` : `Загружено (${size}, ${parts(count)})`),
  restarted: {
    source: 'Начато заново: файл изменился',
    upload: 'Загрузка начата заново: сервер удалил незавершённую',
  },
  interrupted: {
    network: (time) => (time === null ? 'Прервано: нет сети' : `Прервано: сети не было ${time}`),
    server: (time) => (time === null ? 'Прервано: сервер не отвечает' : `Прервано: сервер не отвечал ${time}`),
    file: (time) => (time === null ? 'Прервано: файл не читается' : `Прервано: файл не читался ${time}`),
    app: (time) => (time === null ? 'Прервано из-за сбоя Linkshot' : `Прервано на ${time} из-за сбоя Linkshot`),
    sleep: (time) =>
      time === null ? 'Прервано: компьютер был в спящем режиме' : `Прервано на ${time}: компьютер был в спящем режиме`,
    closed: (time) => (time === null ? 'Linkshot закрыт' : `Linkshot был закрыт ${time}`),
    killed: () => 'Linkshot аварийно завершил работу и продолжил с этого места',
  },
  waited: {
    server: (time) => (time === null ? 'Ожидание: сервер занят' : `Ожидание длилось ${time}: сервер был занят`),
    limit: (time) =>
      time === null
        ? 'Ожидание: достигнут лимит загрузок аккаунта'
        : `Ожидание длилось ${time}: был достигнут лимит загрузок аккаунта`,
    offline: (time) =>
      time === null ? 'Ожидание соединения с сервером' : `Ожидание соединения с сервером длилось ${time}`,
    account: (time) =>
      time === null ? 'Ожидание: аккаунт нужно подключить снова' : `Ожидание подключения аккаунта длилось ${time}`,
  },
  failed: (what) => `Остановлено: ${what}`,
  wentOn: (time) => `Возобновлено через ${time}.`,
  kept: (kept, size) => `Сохранено ${kept} из ${size}.`,
  keptParts: (kept, count) => `Сохранено ${number.format(kept)} из ${ofParts(count)}.`,
  keptAll: 'Всё уже было на сервере.',
  times: (count) => `Попыток: ${count}.`,
  paused: {
    item: (time) => (time === null ? 'Пауза' : `Пауза на ${time}`),
    queue: (time) => (time === null ? 'Пауза всей очереди' : `Пауза всей очереди на ${time}`),
  },
  changed: (what) => `Вы изменили: ${what}`,
  changes: {
    title: (title) => `название «${title}»`,
    noTitle: 'без названия',
    tags: (tags) => `метки ${tags}`,
    noTags: 'без меток',
    visibility: { private: 'личный доступ', unlisted: 'доступ по ссылке', public: 'публичный доступ' },
    oneTime: 'открывается один раз',
    manyTimes: 'открывается сколько угодно раз',
    ttl: { forever: 'бессрочно', day: 'на день', week: 'на неделю', month: 'на месяц' },
    until: (date) => `до ${date}`,
    noEnd: 'бессрочно',
    views: (count) => `не больше ${count} ${plural(count, { one: 'просмотра', other: 'просмотров' })}`,
    anyViews: 'без лимита просмотров',
    download: 'скачивать можно',
    noDownload: 'скачивать нельзя',
    passwordSet: 'с паролем',
    passwordRemoved: 'без пароля',
  },
  published: 'Ссылка создана',
  delivered: { copied: 'Ссылка скопирована в буфер обмена', shown: 'Ссылка готова' },
  copied: (count) => (count === 1 ? 'Ссылка скопирована' : `Ссылка скопирована ${times(count)}`),
  edited: (count) => (count === 1 ? 'Вы изменили заметку' : `Вы изменили заметку ${times(count)}`),
  deleted: 'Удалено вами',
  undone: 'Удаление отменено',
  gone: 'Больше нет на сервере',
  summed: (count) => `Ещё ${count} ${plural(count, { one: 'шаг', few: 'шага', many: 'шагов', other: 'шага' })}`,
};
