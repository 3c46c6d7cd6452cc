/** Hotkey settings. */

import type { enHotkeys } from '../en/hotkeys.ts';

export const ruHotkeys: typeof enHotkeys = {
  card: 'Горячие клавиши',
  intro: 'Работают в любом приложении, даже когда это окно закрыто.',
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
  pressHint: 'Esc — отмена, Backspace — удалить.',
  clear: (action) => `Удалить клавишу: ${action}`,
  fromAccount: 'Из вашего аккаунта',
  asAccount: (action) => `Как в аккаунте: ${action}`,
  invalid: 'Добавьте Ctrl, Alt или системную клавишу: иначе эту клавишу нельзя будет набрать в других приложениях.',
  takenHere: (action) => `Уже занята: ${action}`,
  asked: 'Задана. Нажмите, чтобы проверить.',
  heard: (time) => `Работает: нажата в ${time}`,
  refused: 'Не работает',
  test: 'Проверить',
  testOf: (action) => `Проверить клавишу: ${action}`,
  testing: (keys, seconds) => `Нажмите ${keys} сейчас (${seconds})`,
  testHeard: 'Работает.',
  testUnheard:
    'Нажатие не обнаружено. Возможно, клавишу использует другое приложение: выберите другую или закройте его и повторите.',
  use: (keys) => `Использовать ${keys}`,
  askAgain: 'Повторить',
  snippingTool: {
    replace: 'Отдать Print Screen Linkshot',
    replaced: 'Print Screen открывает Linkshot',
    replacedHint: 'Linkshot отключил параметр Windows, который открывает этой клавишей «Ножницы».',
    restore: 'Вернуть Windows',
  },
  noneTitle: 'Глобальные горячие клавиши здесь недоступны',
  noneText: 'Назначьте эту команду клавише в настройках рабочего стола:',
  portalText: 'Если клавиша не работает, назначьте эту команду клавише в настройках рабочего стола:',
  copyCommand: 'Скопировать команду',
  copied: 'Скопировано',
};
