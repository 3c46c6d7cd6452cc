/** Russian texts of the panels: capture toasts, the recorder bar and the panel of a scrolling capture. */

import type { enPanels } from '../en/panels.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');

export const ruPanels: typeof enPanels = {
  toast: {
    list: 'Снимки',
    named: (name) => `Снимок ${name}`,
    more: (count) =>
      `Ещё ${count} ${plural(count, { one: 'снимок', few: 'снимка', many: 'снимков', other: 'снимка' })}`,
    goesTo: (place, visibility) =>
      place === null ? `Сервер не подключён · ${visibility}` : `На ${place} · ${visibility}`,
    liesOn: (place, visibility) => `Сервер: ${place} · ${visibility}`,
    thisComputer: 'этот компьютер (пробный режим)',
    nowhere: 'сервер не подключён',
    optionsOf: (name) => `Настройки ссылки на ${name}`,
    remove: (name) => `Удалить ${name} для всех`,
    deleting: (time) => `Удаление через ${time}`,
    deletingNow: 'Удаляется',
    undo: 'Отменить',
    undoOf: (name) => `Отменить удаление ${name}`,
    cancel: (name) => `Отменить загрузку ${name}`,
    close: (name) => `Закрыть уведомление о ${name}`,
    openApp: 'Открыть Linkshot',
    kept: {
      copied: 'Изображение скопировано',
      saved: 'Изображение сохранено',
      both: 'Изображение скопировано и сохранено',
      close: 'Закрыть уведомление',
    },
    spoken: (name, state) => `${name}: ${state}`,
  },
  scroll: {
    label: 'Снимок с прокруткой',
    app: 'Идёт прокрутка…',
    user: 'Прокручивайте дальше: всё новое добавится',
    ended: 'Нажмите «Готово», чтобы сохранить снимок',
    saving: 'Сохранение снимка…',
    beginning: 'Съёмка начинается…',
    size: (width, height) => `${width} × ${height}`,
    spokenSize: (height) => `Высота: ${height} пикс.`,
    preview: 'Снимок на этот момент',
    stop: 'Готово',
    undo: 'Убрать последний кусок',
    cancel: 'Отмена',
    notes: {
      'nothing-matches':
        'То, что на экране, не подходит к снимку и не добавлено. Вернитесь туда, где снимок кончается.',
      'several-match': 'Содержимое повторяется, и место этой части неясно. Прокручивайте понемногу.',
      gap: 'Часть страницы пропущена, поэтому новая не добавлена. Вернитесь туда, где снимок кончается.',
      resized: 'Размер области изменился: больше ничего не добавляется.',
      full: 'Снимок достиг наибольшего допустимого размера.',
    },
    inexact: 'Некоторые части могли соединиться неточно: проверьте снимок.',
  },
  bar: {
    label: 'Панель записи',
    captureIn: (seconds) => `Снимок через ${seconds}`,
    recordingIn: (seconds) => `Запись через ${seconds}`,
    cancel: 'Отмена',
    recording: 'Идёт запись',
    paused: 'Пауза',
    finishing: 'Завершение записи…',
    elapsed: 'Записано',
    sizeOf: (size, limit) => `${size} из ${limit}`,
    timeOf: (limit) => `из ${limit}`,
    sound: {
      none: 'Без звука',
      system: 'Со звуком системы',
      microphone: 'С микрофоном',
      both: 'Со звуком системы и микрофоном',
    },
    pause: 'Пауза',
    resume: 'Продолжить',
    stop: 'Стоп',
    discard: 'Удалить запись',
    discardAsk: 'Удалить навсегда?',
    discardYes: 'Удалить',
    discardNo: 'Оставить',
    title: 'Запись',
    titlePaused: 'Запись на паузе',
  },
};
