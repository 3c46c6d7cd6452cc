/** Status of network, service and items, and the error list. */

import type { enStatus } from '../en/status.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const items = (count: number): string =>
  `${count} ${plural(count, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' })}`;
const remain = (count: number): string => plural(count, { one: 'остался', other: 'осталось' });

export const ruStatus: typeof enStatus = {
  reach: {
    network: { title: 'У компьютера нет сети', advice: 'Linkshot заметит, когда она появится.' },
    service: {
      title: (server) => `${server} не отвечает`,
      advice: 'Linkshot продолжает спрашивать.',
    },
    full: {
      title: 'Сервис принимает ограниченное число запросов в минуту',
      goesOn: (time) => `Остальное продолжится само через ${time}.`,
    },
    paused: { title: 'Очередь на паузе', action: 'Продолжить всё' },
    waiting: (count) =>
      count === 0
        ? 'Всё, что вы добавите сейчас, сохранится здесь и загрузится само.'
        : `${items(count)} ${plural(count, { one: 'ждёт', other: 'ждут' })} здесь и ${plural(count, { one: 'загрузится сам', other: 'загрузятся сами' })}.`,
    resting: (count) => `${items(count)} ${plural(count, { one: 'ждёт', other: 'ждут' })}, пока вы не продолжите.`,
    trying: 'Пробуем сейчас…',
    tryNow: 'Попробовать сейчас',
    back: 'Соединение восстановлено.',
  },

  messages: {
    title: 'Сообщения',
    entry: (count) =>
      `Сообщения: ${count} ${plural(count, { one: 'проблема', few: 'проблемы', many: 'проблем', other: 'проблемы' })}`,
    hint: 'Всё, что пошло не так, остаётся здесь, пока вы это не уберёте.',
    dismissed: (title) => `Убрать: ${title}`,
    dismissAll: 'Убрать всё',
    times: (count) => `${count} ${plural(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' })}`,
  },

  details: {
    what: 'Что',
    file: 'Файл',
    from: 'Откуда',
    captured: 'Снимок экрана',
    recorded: 'Запись экрана',
    goesTo: 'Куда',
    anyAccount: 'В аккаунт, который вы подключите',
    link: 'Ссылка',
    asAccount: 'Как задано в аккаунте',
    sent: 'Отправляется',
    unchanged: 'Как есть',
    unmade: 'Будет подготовлено, когда подойдёт очередь',
    parts: (done, total) => `${done} из ${total} ${plural(total, { one: 'части', other: 'частей' })}`,
    speed: 'Скорость',
    fastest: (speed) => `не больше ${speed}`,
    happened: 'Что происходило',
    openItem: 'Показать опубликованное',
    pause: 'Пауза',
    resume: 'Продолжить',
    cancel: 'Отменить загрузку',
  },

  title: (count) => `Требуют внимания: ${count}`,

  overall: {
    label: 'Ход всей очереди',
    words: (percent, left) => `${percent}, ${remain(left)} ${items(left)}`,
    milestone: (percent, left) => `Загружено ${percent} очереди, ${remain(left)} ${items(left)}.`,
  },
};
