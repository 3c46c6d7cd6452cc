/** Russian texts of captures: the buttons, and the settings of the section Capture. */
import type { enCapture, enCaptureSettings } from '../en/capture.ts';

export const ruCapture: typeof enCapture = {
  title: 'Снять экран',
  modes: { region: 'Область', window: 'Окно', screen: 'Экран', all: 'Все экраны', last: 'Прошлая область' },
  record: 'Запись',
  stop: 'Остановить запись',
  delay: 'Задержка',
  now: 'Нет',
  seconds: (count) => `${count} с`,
};

export const ruCaptureSettings: typeof enCaptureSettings = {
  sections: 'Разделы',
  card: 'Снимки экрана',
  delay: 'Задержка',
  delayNone: 'Нет',
  seconds: (seconds) => `${seconds} с`,
  pointer: 'Показывать указатель мыши',
  pointerHint: 'Он попадёт на снимок.',
  edit: 'Открывать редактор после снимка',
  editHint: 'Чтобы добавить пометки или скрыть лишнее до публикации.',
  copyWhileEditing: 'Обновлять копию при редактировании',
  copyWhileEditingHint:
    'Изображение копируется при открытии редактора и после каждого изменения. Журнал буфера обмена может хранить прежние версии.',
  copyWhileEditingByPage: 'Некоторые браузеры копируют только при следующем щелчке.',
  after: 'После снимка',
  publish: 'Поделиться и создать ссылку',
  publishHint: 'Ссылка копируется согласно настройкам раздела «Загрузка».',
  copyPicture: 'Скопировать само изображение',
  copyPictureHint: 'Чтобы вставить в чат или документ. Готовая ссылка заменит его в буфере обмена.',
  save: 'Сохранить в папку',
  saveHint: 'Даже если вы не делитесь снимком.',
  nothing: 'Снимки сохраняются в папку',
  nothingAdvice: 'Снимок не пропадёт: если ничего не включено, он сохраняется как файл.',
  folder: 'Папка',
  folderDefault: 'Ваша папка изображений',
  folderHint: 'Полный путь. Пустое поле — ваша папка изображений.',
  folderRelative: 'Введите полный путь, начиная с корня или диска.',
  template: 'Имя файла',
  templateHint: 'Так же будет назван файл, которым вы поделитесь. Подстановки:',
  templateEmpty: 'Введите имя.',
  templateLong: 'В имени может быть не больше 200 знаков.',
  preview: (name) => `Например: ${name}`,
  sampleTitle: 'Квартальный отчёт',
  toast: 'Показывать уведомление после каждого снимка',
  toastHint: 'С ходом загрузки и ссылкой. В полноэкранных приложениях не показывается.',
};
