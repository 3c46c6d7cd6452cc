/** Hotkey settings. */

import type { enHotkeys } from '../en/hotkeys.ts';

export const ruHotkeys: typeof enHotkeys = {
  card: 'Горячие клавиши',
  intro: 'Работают в любой программе, даже когда это окно закрыто.',
  actions: {
    region: 'Снять область',
    window: 'Снять окно',
    screen: 'Снять экран',
    all: 'Снять все экраны',
    last: 'Снять ту же область снова',
    record: 'Начать и закончить запись',
  },
  field: (action, keys) => `${action}: ${keys}`,
  none: 'Не задана',
  press: 'Нажмите клавиши…',
  pressHint: 'Esc оставит как было, Backspace уберёт.',
  clear: (action) => `Убрать клавишу: ${action}`,
  fromAccount: 'Как в вашем аккаунте',
  asAccount: (action) => `Как в аккаунте: ${action}`,
  invalid: 'Добавьте Ctrl, Alt или системную клавишу: одной буквы не хватало бы во всех других программах.',
  takenHere: (action) => `Уже занята: ${action}`,
  asked: 'Задана. Нажмите один раз, чтобы проверить.',
  heard: (time) => `Работает: нажата в ${time}`,
  refused: 'Не работает',
  test: 'Проверить',
  testOf: (action) => `Проверить клавишу: ${action}`,
  testing: (keys, seconds) => `Нажмите ${keys} сейчас (${seconds})`,
  testHeard: 'Работает.',
  testUnheard:
    'Нажатие не услышано. Возможно, клавишу занимает другая программа: выберите другую или закройте ту программу и спросите снова.',
  use: (keys) => `Взять ${keys}`,
  askAgain: 'Спросить снова',
  noneTitle: 'Здесь Linkshot не слышит клавиш',
  noneText: 'Назначьте эту команду клавише в настройках рабочего стола:',
  portalText: 'Если клавиша не слышна, назначьте эту команду клавише в настройках рабочего стола:',
  copyCommand: 'Скопировать команду',
  copied: 'Скопировано',
};
