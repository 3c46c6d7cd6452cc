/**
 * Russian texts of converting a video that exceeds the service's limits: the reasons, the presets and their results.
 * Also those of the settings of conversion and of image metadata.
 */

import type { enFit } from '../en/fit.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');

export const ruFit: typeof enFit = {
  title: (name) => `Преобразовать ${name}`,
  heading: 'Перед публикацией видео нужно преобразовать',
  reasons: {
    CONTAINER: 'Неподдерживаемый формат файла',
    VIDEO_CODEC: 'Неподдерживаемый видеокодек',
    PIXEL_FORMAT: 'Неподдерживаемый формат пикселей',
    LONG_SIDE: (limit) => `Длинная сторона больше ${limit} пикселей`,
    SHORT_SIDE: (limit) => `Короткая сторона больше ${limit} пикселей`,
    FPS: (limit) => `Больше ${limit} кадров в секунду`,
    DURATION: (limit) => `Длиннее ${limit}`,
    AUDIO_STREAMS: 'Слишком много звуковых дорожек',
    AUDIO_CODEC: 'Неподдерживаемый аудиокодек',
    BITRATE: 'Слишком высокий битрейт',
    SIZE: (limit) => `Больше ${limit}`,
    PLACE: 'Может содержать данные о месте съёмки',
    DAMAGED: 'Конец файла отсутствует или не читается',
    UNREADABLE: 'Сервер не может прочитать этот файл',
    DYNAMIC_RANGE: 'Цвета HDR',
    CHOICE: 'Ваш выбор',
  },
  now: 'Сейчас',
  size: (width, height) => `${width} × ${height}`,
  frames: (fps) => `${fps} кадр/с`,
  rate: (megabits) => `${megabits} Мбит/с`,
  silent: 'без звука',
  sound: 'со звуком',
  length: (time) => `длительность ${time}`,
  takes: (time) => `займёт около ${time}`,
  less: (percent) => `на ${percent} меньше`,
  more: (percent) => `на ${percent} больше`,
  same: 'без изменений',
  impossible: 'невозможно',
  foreseeing: 'вычисляется…',
  lost: (losses) => `Будет потеряно: ${losses}.`,
  nothingLost: 'Ничего не будет потеряно.',
  losses: {
    sound: 'звук',
    'sound-tracks': 'остальные звуковые дорожки',
    extras: 'субтитры',
    'dynamic-range': 'цвета HDR',
    end: 'повреждённый конец',
    rest: 'всё, кроме начала',
  },
  how: 'Качество',
  choices: { smaller: 'Компактный файл', balanced: 'Баланс', sharper: 'Чётче', clip: 'Короткий ролик без звука' },
  accept: 'Преобразовать и поделиться',
  decline: 'Отмена',
  forAll: (count) =>
    `Применить ко всем: ${count} ${plural(count, { one: 'видео', few: 'видео', many: 'видео', other: 'видео' })}`,
  always: 'Делать так всегда',
  keys: '1–4 — выбрать, Enter — поделиться, Esc — отмена',
  ask: 'Спрашивать перед преобразованием видео',
  askHint: 'Позволяет сравнить варианты и выбрать. Иначе используется настройка ниже.',
  strip: 'Удалять из изображений данные о месте и камере',
  stripHint: 'Цвета и ориентация сохраняются.',
};
