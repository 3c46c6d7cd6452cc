/** Timeline events. */

import type { enTimeline } from '../en/timeline.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const number = new Intl.NumberFormat('ru');
const parts = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'часть', few: 'части', many: 'частей', other: 'части' })}`;
const ofParts = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'части', other: 'частей' })}`;
const times = (count: number): string =>
  `${count} ${plural(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' })}`;

export const ruTimeline: typeof enTimeline = {
  title: 'Что происходило',
  empty: 'Об этом элементе ещё ничего не записано.',
  unread: 'Не удалось прочитать, что происходило.',
  today: 'Сегодня',
  yesterday: 'Вчера',
  added: {
    window: 'Добавлено в окне',
    capture: 'Снято с экрана',
    recording: 'Записано с экрана',
    command: 'Передано другой программой',
    found: 'Найдено снова после повреждения списка загрузок',
  },
  withSize: (what, size) => `${what}: ${size}.`,
  withoutSize: (what) => `${what}.`,
  made: {
    video: (from, to) => `Видео подогнано под сервис: было ${from}, стало ${to}.`,
    image: (from, to) => `Картинка подготовлена: было ${from}, стало ${to}.`,
    folder: (_from, to) => `Папка упакована: ${to}.`,
  },
  read: (size, count) => `Прочитано и проверено: ${size}, ${parts(count)}.`,
  begun: (size) => `Загрузка началась: отправить ${size}.`,
  continued: (kept, size) => `Загрузка началась: ${kept} из ${size} уже на сервере.`,
  sent: (size, count) =>
    count === 1 ? `Дошло до сервера: ${size}.` : `До сервера дошло всё: ${size}, ${parts(count)}.`,
  anew: {
    source: 'Начато заново: файл для отправки теперь другой.',
    upload: 'Загрузка начата заново: сервер от неё отказался. Читать файл ещё раз не нужно.',
  },
  interrupted: {
    network: (time) => (time === null ? 'Прервано: нет сети.' : `Прервано: сети не было ${time}.`),
    server: (time) => (time === null ? 'Прервано: сервер не отвечает.' : `Прервано: сервер не отвечал ${time}.`),
    file: (time) => (time === null ? 'Прервано: файл не читается.' : `Прервано: файл не читался ${time}.`),
    app: (time) => (time === null ? 'Прервано из-за сбоя Linkshot.' : `Прервано на ${time} из-за сбоя Linkshot.`),
    sleep: (time) =>
      time === null ? 'Прервано: компьютер спал.' : `Прервано: компьютер спал. Продолжилось через ${time}.`,
    closed: (time) => (time === null ? 'Linkshot закрыли.' : `Linkshot был закрыт ${time}.`),
    killed: () => 'Linkshot завершился внезапно и продолжил здесь.',
  },
  waited: {
    server: (time) => (time === null ? 'Ожидание: сервер занят.' : `Ожидание длилось ${time}: сервер был занят.`),
    limit: (time) =>
      time === null
        ? 'Ожидание: аккаунт уже занят другими загрузками.'
        : `Ожидание длилось ${time}: аккаунт был занят другими загрузками.`,
    offline: (time) =>
      time === null ? 'Ожидание соединения с сервером.' : `Ожидание соединения с сервером длилось ${time}.`,
    account: (time) =>
      time === null ? 'Ожидание: аккаунт нужно подключить снова.' : `Ожидание подключения аккаунта длилось ${time}.`,
  },
  failed: (what) => `Остановлено: ${what}`,
  wentOn: (time) => `Продолжилось через ${time}.`,
  kept: (kept, size) => `Сохранено ${kept} из ${size}.`,
  keptParts: (kept, count) => `Сохранено ${kept} из ${ofParts(count)}.`,
  keptAll: 'Всё уже было на сервере.',
  times: (count) => `Попыток: ${count}.`,
  paused: {
    item: (time) => (time === null ? 'Вы поставили на паузу.' : `Вы поставили на паузу, она длилась ${time}.`),
    queue: (time) =>
      time === null ? 'Вы поставили на паузу всю очередь.' : `Вы поставили на паузу всю очередь, она длилась ${time}.`,
  },
  changed: (what) => `Вы изменили: ${what}.`,
  changes: {
    title: (title) => `название «${title}»`,
    noTitle: 'без названия',
    tags: (tags) => `метки ${tags}`,
    noTags: 'без меток',
    visibility: { private: 'личный доступ', unlisted: 'доступ по ссылке', public: 'публичный доступ' },
    oneTime: 'только один раз',
    manyTimes: 'сколько угодно раз',
    ttl: { forever: 'бессрочно', day: 'на день', week: 'на неделю', month: 'на месяц' },
    until: (date) => `до ${date}`,
    noEnd: 'бессрочно',
    views: (count) => `не больше ${count} ${plural(count, { one: 'просмотра', other: 'просмотров' })}`,
    anyViews: 'без предела просмотров',
    download: 'скачивать можно',
    noDownload: 'скачивать нельзя',
    passwordSet: 'с паролем',
    passwordRemoved: 'без пароля',
  },
  published: 'Опубликовано.',
  told: { copied: 'Ссылка в буфере обмена.', shown: 'Ссылка готова.' },
  copied: (count) => (count === 1 ? 'Ссылка скопирована.' : `Ссылка скопирована ${times(count)}.`),
  edited: (count) => (count === 1 ? 'Вы изменили заметку.' : `Вы изменили заметку ${times(count)}.`),
  deleted: 'Вы удалили.',
  undone: 'Удаление отменено.',
  gone: 'На сервере этого больше нет.',
  summed: (count) => `Ещё ${count} ${plural(count, { one: 'шаг', few: 'шага', many: 'шагов', other: 'шага' })}.`,
};
