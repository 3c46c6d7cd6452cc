/**
 * Russian texts of status and failure: network and service, the error list, details and progress of the queue, and
 * parts of the window that cannot be shown.
 */
import type { enFailed, enStatus } from '../en/status.ts';
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

/** Error boundary fallbacks. */
export const ruFailed: typeof enFailed = {
  window: 'Не удалось показать окно Linkshot',
  windowText:
    'Произошла ошибка. Загрузки продолжаются, ничего не потеряно. Попробуйте ещё раз или вернитесь на главную.',
  screen: 'Не удалось показать этот экран',
  screenText:
    'Произошла ошибка. Загрузки продолжаются, ничего не потеряно. Попробуйте ещё раз или откройте другой экран.',
  toast: 'Не удалось показать уведомление',
  toastText: 'Снимки сохранены, их загрузка продолжается. Всё видно в окне Linkshot.',
  recorder: 'Не удалось показать панель записи',
  recorderText: 'Запись сохраняется. Остановить её можно и горячей клавишей или из области уведомлений.',
  overlay: 'Не удалось показать экран выбора',
  overlayText: 'Ничего не снято, загрузки продолжаются. Нажмите Esc, чтобы вернуться к работе.',
  goHome: 'На главную',
  copyDetails: 'Скопировать технические сведения',
  close: 'Закрыть',
  giveUp: 'Закрыть',
};
