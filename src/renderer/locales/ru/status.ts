/** Russian texts of status: network and service, the error list, and details and progress of the queue. */
import type { enStatus } from '../en/status.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');
const items = (count: number): string =>
  `${count} ${plural(count, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' })}`;
const remain = (count: number): string => plural(count, { one: 'остался', other: 'осталось' });

export const ruStatus: typeof enStatus = {
  reach: {
    network: { title: 'Нет подключения к интернету', advice: 'Linkshot продолжит, когда связь появится.' },
    service: {
      title: (server) => `${server} не отвечает`,
      advice: 'Linkshot продолжает попытки.',
    },
    full: {
      title: 'Слишком много запросов',
      goesOn: (time) => `Загрузки продолжатся автоматически через ${time}.`,
    },
    paused: { title: 'Очередь приостановлена', action: 'Продолжить всё' },
    waiting: (count) =>
      count === 0
        ? 'Файлы, которые вы добавите, сохранятся и загрузятся автоматически.'
        : `${items(count)} ${plural(count, { one: 'ждёт', other: 'ждут' })} и ${plural(count, { one: 'загрузится', other: 'загрузятся' })} автоматически.`,
    resting: (count) => `${items(count)} ${plural(count, { one: 'ждёт', other: 'ждут' })}, пока вы не продолжите.`,
    trying: 'Подключение…',
    tryNow: 'Повторить сейчас',
    back: 'Соединение восстановлено.',
  },

  messages: {
    title: 'Сообщения',
    entry: (count) =>
      `Сообщения: ${count} ${plural(count, { one: 'проблема', few: 'проблемы', many: 'проблем', other: 'проблемы' })}`,
    hint: 'Проблемы остаются здесь, пока вы их не закроете.',
    dismissed: (title) => `Закрыть: ${title}`,
    dismissAll: 'Закрыть все',
    times: (count) => `${count} ${plural(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' })}`,
  },

  details: {
    what: 'Тип',
    file: 'Файл',
    from: 'Источник',
    captured: 'Снимок экрана',
    recorded: 'Запись экрана',
    goesTo: 'Назначение',
    anyAccount: 'В аккаунт, который вы подключите',
    link: 'Ссылка',
    asAccount: 'Как в аккаунте',
    sent: 'Загружается как',
    unchanged: 'Исходный файл',
    unmade: 'Подготовится, когда подойдёт очередь',
    parts: (done, total) => `${done} из ${total} ${plural(total, { one: 'части', other: 'частей' })}`,
    speed: 'Скорость',
    fastest: (speed) => `до ${speed}`,
    happened: 'История',
    openItem: 'Показать элемент',
    pause: 'Пауза',
    resume: 'Продолжить',
    cancel: 'Отменить загрузку',
  },

  title: (count) => `Требуют внимания: ${count}`,

  overall: {
    label: 'Общий прогресс',
    words: (percent, left) => `${percent}, ${remain(left)} ${items(left)}`,
    milestone: (percent, left) => `Загружено ${percent} очереди, ${remain(left)} ${items(left)}.`,
  },
};
