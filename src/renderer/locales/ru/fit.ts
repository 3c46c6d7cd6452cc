/** Conversion of a video that exceeds the service's limits: presets and their results. */

import type { enFit } from '../en/fit.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');

export const ruFit: typeof enFit = {
  title: (name) => `Подогнать ${name}`,
  heading: 'В таком виде сервис это видео не примет',
  reasons: {
    CONTAINER: 'Контейнер, который сервис не принимает',
    VIDEO_CODEC: 'Формат видео, который сервис не принимает',
    PIXEL_FORMAT: 'Цвета записаны так, как понимает не каждый проигрыватель',
    LONG_SIDE: (limit) => `Длинная сторона больше ${limit} пикселей`,
    SHORT_SIDE: (limit) => `Короткая сторона больше ${limit} пикселей`,
    FPS: (limit) => `Больше ${limit} кадров в секунду`,
    DURATION: (limit) => `Длиннее ${limit}`,
    AUDIO_STREAMS: 'Звуковых дорожек больше, чем принимает сервис',
    AUDIO_CODEC: 'Формат звука, который сервис не принимает',
    BITRATE: 'Данных в секунду больше, чем принимает сервис',
    SIZE: (limit) => `Больше ${limit}`,
    PLACE: 'В нём записано место съёмки',
    DAMAGED: 'Нет конца файла',
    UNREADABLE: 'Сервис не сможет прочитать такой файл',
    DYNAMIC_RANGE: 'Цвета HDR',
    CHOICE: 'Так выбрано вами',
  },
  now: 'Сейчас',
  size: (width, height) => `${width} × ${height}`,
  frames: (fps) => `${fps} кадр/с`,
  rate: (megabits) => `${megabits} Мбит/с`,
  silent: 'без звука',
  sound: 'со звуком',
  length: (time) => `длина ${time}`,
  takes: (time) => `займёт около ${time}`,
  less: (percent) => `на ${percent} меньше`,
  more: (percent) => `на ${percent} больше`,
  same: 'остаётся как есть',
  impossible: 'невозможно',
  foreseeing: 'подсчитывается',
  lost: (losses) => `Не войдёт: ${losses}.`,
  nothingLost: 'В результате сохранится всё.',
  losses: {
    sound: 'звук',
    'sound-tracks': 'остальные звуковые дорожки',
    extras: 'субтитры',
    'dynamic-range': 'цвета HDR',
    end: 'повреждённый конец',
    rest: 'всё, кроме начала',
  },
  how: 'Как',
  choices: { smaller: 'Меньше', balanced: 'Баланс', sharper: 'Чётче', clip: 'Клип без звука' },
  accept: 'Подогнать и поделиться',
  decline: 'Не делиться',
  forAll: (count) =>
    `Так для всех: ${count} ${plural(count, { one: 'видео', few: 'видео', many: 'видео', other: 'видео' })}`,
  always: 'Делать так всегда',
  keys: '1–4 выбирают, Enter делится, Esc оставляет.',
  ask: 'Спрашивать, прежде чем подгонять видео',
  askHint: 'Покажет, чего это стоит, и даст выбрать. Иначе делается так, как выбрано здесь.',
  strip: 'Убирать из изображений данные о месте и камере',
  stripHint: 'Цвета и поворот остаются как были.',
};
