/** Russian texts of the region selection on the frozen screen. */

import { OVERLAY_TITLES } from '../../../common/overlay-titles.ts';
import type { enOverlay } from '../en/overlay.ts';

export const ruOverlay: typeof enOverlay = {
  title: OVERLAY_TITLES.ru,
  picture: 'Стоп-кадр экрана',
  how: 'Стрелки двигают перекрестие на один пиксель, с Ctrl — на десять. Пробел ставит угол. Tab переходит от окна к окну. Enter подтверждает выбор. Escape — назад.',
  hints: {
    region: 'Выделите область или щёлкните окно',
    drag: 'Выделите область',
    window: 'Щёлкните окно',
    screen: 'Щёлкните экран',
  },
  last: 'Прошлая область',
  whole: 'Весь экран',
  screens: 'Экраны',
  screen: (number, name) => `Экран ${number}, ${name}`,
  fullScreen: 'На весь экран',
  cancel: 'Отмена',
  actions: 'Что с этим сделать',
  publish: 'Поделиться',
  edit: 'Изменить',
  copy: 'Скопировать',
  save: 'Сохранить',
  text: 'Текст',
  copyText: 'Скопировать текст',
  scroll: 'С прокруткой',
  scrolling: 'Снять с прокруткой',
  record: 'Записать',
  copyColour: 'Скопировать цвет',
  spokenColour: (colour) => `Цвет ${colour} скопирован`,
  contrast: (ratio, verdict) => `Контраст ${ratio.replace('.', ',')}: ${verdict}`,
  contrasts: { large: 'только крупный текст', low: 'мало' },
  spokenAim: (x, y, colour) => `${x}, ${y}. Цвет ${colour}`,
  spokenWindow: (title, width, height) => `Окно ${title}, ${width} на ${height}`,
  spokenArea: (width, height, x, y) => `Область ${width} на ${height}, левый верхний угол ${x}, ${y}`,
  destination: {
    to: (place, who) => `на ${place} · ${who}`,
    once: 'открывается один раз',
    tryOut: 'только на этот компьютер (пробный режим)',
    nowhere: 'нет подключения: подождёт в очереди',
    unknown: 'как в аккаунте',
    review: 'останется здесь, пока вы не поделитесь',
    text: 'распознаётся на этом компьютере, без загрузки',
    who: { private: 'только вы', unlisted: 'все, у кого есть ссылка', public: 'все' },
  },
};
