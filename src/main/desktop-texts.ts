/**
 * Texts that the desktop app shows outside its windows, in the languages of the app: tray menu, tooltip,
 * notifications and dialogs. Falls back to English for other system languages.
 */
import type { ErrorCode, Failure } from '../api/errors.ts';
import type { LANGUAGES } from '../common/ui-languages.ts';
import type { CaptureMode } from '../ipc/protocol/capture.ts';
import type { Settings } from '../ipc/protocol/settings.ts';

// Texts of the desktop for starts, crashed pages and updates.

interface SystemMessages {
  /** A page crashed twice within a minute. */
  readonly pageEnded: { readonly title: string; readonly body: string };
  /** It is downloaded, and is installed when the app quits. */
  readonly updateReady: (version: string) => string;
  /** It is available; nothing is downloaded. */
  readonly updateThere: (version: string) => string;
}

const EN_SYSTEM: SystemMessages = {
  pageEnded: {
    title: 'The Linkshot window crashed twice',
    body: 'Your uploads continue. Open the window again from the tray, or start Linkshot again.',
  },
  updateReady: (version) => `Linkshot ${version} is ready. It will be used the next time you start Linkshot.`,
  updateThere: (version) => `Linkshot ${version} is available. Download it from where you got this one.`,
};

const RU_SYSTEM: SystemMessages = {
  pageEnded: {
    title: 'Окно Linkshot дважды аварийно закрылось',
    body: 'Загрузки продолжаются. Откройте окно из области уведомлений или запустите Linkshot ещё раз.',
  },
  updateReady: (version) => `Linkshot ${version} скачан и заработает при следующем запуске.`,
  updateThere: (version) => `Доступен Linkshot ${version}. Скачайте его там же, где и текущую версию.`,
};

type Language = (typeof LANGUAGES)[number];
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

const pluralOf = (language: Language) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, forms: Forms): string => `${count} ${forms[rules.select(count)] ?? forms.other}`;
};
const inEnglish = pluralOf('en');
const inRussian = pluralOf('ru');

const some = (items: number): string => inEnglish(items, { one: 'item', other: 'items' });

const EN = {
  capture: {
    region: 'Capture a region',
    window: 'Capture a window',
    screen: 'Capture a screen',
    all: 'Capture all screens',
    last: 'Capture the last region again',
  } satisfies Record<CaptureMode, string>,
  more: 'More ways to capture',
  delayed: (seconds: number) => `Capture a region in ${inEnglish(seconds, { one: 'second', other: 'seconds' })}`,
  waiting: 'Capturing in a moment…',
  choosing: 'Selecting what to capture…',
  editing: 'An image is open in the editor',
  cancelCapture: 'Cancel the capture',
  restoreCapture: 'Restore the discarded capture',
  captureText: 'Copy text from the screen…',
  captureScrolling: 'Capture what scrolls…',
  pinClipboard: 'Pin the image on the clipboard',
  takeClicks: 'Make pinned images clickable',
  closePins: 'Close all pinned images',
  /** In the menu of a pinned image. */
  pin: {
    copy: 'Copy image',
    share: 'Share',
    actualSize: 'Actual size',
    opaque: 'Opaque',
    translucent: 'Half transparent',
    letThrough: 'Click through it',
    close: 'Close',
  },
  scrolling: 'Scrolling and capturing…',
  stopScrolling: 'Stop scrolling and keep the image',
  record: 'Record a region…',
  recordScreen: 'Record a screen…',
  stopRecording: 'Stop recording',
  pauseRecording: 'Pause recording',
  resumeRecording: 'Resume recording',
  finishingRecording: 'Finishing the recording…',
  reviewRecording: 'Review the recording…',
  recent: 'Recent links',
  noLinks: 'No links yet',
  clickCopies: 'Click to copy the link',
  copyLink: 'Copy link',
  openLink: 'Open in the browser',
  deleteLink: 'Delete',
  undelete: 'Undo',
  undeleteOf: (name: string) => `Undo deleting ${name}`,
  deleting: (name: string) => `${name} (deleting…)`,
  queue: (items: number, percent: number | null) =>
    percent === null ? `Queue: ${some(items)}` : `Queue: ${some(items)}, ${percent}%`,
  queuePaused: (items: number) => `Queue: ${some(items)}, paused`,
  queueEmpty: 'The queue is empty',
  itemAt: (name: string, percent: number | null) => (percent === null ? name : `${name}: ${percent}%`),
  itemPaused: (name: string) => `${name}: paused`,
  itemFailed: (name: string) => `${name}: needs attention`,
  moreItems: (items: number) => `and ${items} more`,
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  openQueue: 'Show the queue',
  uploadFiles: 'Share files…',
  uploadClipboard: 'Share the clipboard',
  newNote: 'New note from the clipboard',
  writeNote: 'Write a note…',
  open: 'Open Linkshot',
  history: 'Library',
  settings: 'Settings',
  quit: 'Quit Linkshot',
  /** In the context menu of files and folders. */
  shareFile: 'Share with Linkshot',
  view: { title: 'View', larger: 'Zoom in', smaller: 'Zoom out', usual: 'Actual size' },
  tip: {
    idle: 'Linkshot',
    busy: (items: number, percent: number | null) =>
      percent === null ? `Linkshot: ${some(items)} to upload` : `Linkshot: uploading ${some(items)}, ${percent}%`,
    paused: (items: number) => `Linkshot: paused, ${inEnglish(items, { one: 'item waiting', other: 'items waiting' })}`,
    failed: (items: number) => `Linkshot: ${inEnglish(items, { one: 'item needs', other: 'items need' })} attention`,
    recording: 'Linkshot: recording',
    recordingPaused: 'Linkshot: the recording is paused',
  },
  notices: {
    linked: 'The link is ready',
    deleted: 'Deleting the item',
    attention: 'Linkshot needs your attention',
    cannotStart: 'Linkshot can’t start',
  },
  /** Asked when the window is closed where no tray icon leads back to it. */
  withoutTray: {
    title: 'Keep Linkshot running without a window?',
    body: 'This desktop doesn’t show tray icons. Hotkeys and uploads continue, and starting Linkshot again shows the window.',
    keep: 'Keep running',
    quit: 'Quit',
    cancel: 'Cancel',
    remember: 'Don’t ask again',
  },
  system: EN_SYSTEM,
  /** The message of an error, in one sentence. */
  failure: ({ detail }: Failure): string => detail,
};

export type DesktopTexts = typeof EN;

const several = (items: number): string =>
  inRussian(items, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' });

/** Errors shown outside of the window; the window's catalogue has all. */
const RU_FAILURES: Partial<Record<ErrorCode, string>> = {
  HOTKEY_TAKEN: 'Горячая клавиша занята другой программой. Выберите другую в настройках.',
  HOTKEY_INVALID: 'Такую горячую клавишу задать нельзя. Выберите другую в настройках.',
  CAPTURE_UNAVAILABLE: 'Экран снять не удалось. Подробности в окне Linkshot.',
  CAPTURE_BUSY: 'Съёмка или запись уже идёт. Сначала закончите её.',
  CAPTURE_AREA_INVALID: 'Этой области больше нет на экране. Выберите её заново.',
  VIDEO_TOOL_MISSING: 'Для записи нужен ffmpeg, а он не найден.',
  DISK_FULL: 'На диске нет места. Освободите его и попробуйте ещё раз.',
  UPLOADED_UNCHECKED: 'Снимок отправлен без проверки на секреты: прочитать текст не удалось. Посмотрите на него сами.',
  MAYBE_PUBLISHED: 'Файл убран из очереди, но может быть опубликован. Подробности в окне Linkshot.',
  SAVE_FAILED: 'Снимок не удалось сохранить в папку. Проверьте её в настройках.',
  NOT_CONNECTED: 'Сначала подключите аккаунт.',
  CLIPBOARD_NO_IMAGE: 'В буфере обмена нет изображения. Сначала скопируйте его.',
  SOURCE_MISSING: 'Файл или папка не найдены. Возможно, их переместили, переименовали или удалили.',
  SOURCE_UNREADABLE: 'Файл не удаётся прочитать. Проверьте доступ к нему.',
  SOURCE_EMPTY: 'Файл пустой.',
  NOTE_EMPTY: 'В буфере обмена нет текста.',
  RECORDING_LIMIT: 'Запись достигла лимита вашего аккаунта и остановлена. Всё записанное сохранено.',
  RECORDING_INTERRUPTED: 'Запись прервалась. Всё, что было записано до этого, сохранено.',
  INPUT_NOT_SHOWN: 'Щелчки и сочетания клавиш не видны в записи. На саму запись это не влияет.',
  CAMERA_NOT_SHOWN: 'Камера не видна в записи. Запись продолжается без неё. Подробности в окне Linkshot.',
  RECORDING_RECOVERED: 'Прерванная запись восстановлена. Посмотрите её, затем поделитесь ею или удалите.',
  PROFILE_BUSY:
    'Другой экземпляр Linkshot уже работает с этим профилем, но не отвечает или не имеет окна. Завершите его.',
  PROFILE_NEWER: 'Этот профиль создан более новой версией Linkshot. Установите её.',
  PROFILE_DAMAGED: 'Папку профиля не удаётся открыть. Проверьте, что она существует и доступна для записи.',
  KEY_STORE_FAILED: 'Хранилище ключей недоступно. Подробности в окне Linkshot.',
};

const RU: DesktopTexts = {
  capture: {
    region: 'Снять область',
    window: 'Снять окно',
    screen: 'Снять экран',
    all: 'Снять все экраны',
    last: 'Снять прошлую область ещё раз',
  },
  more: 'Другие способы съёмки',
  delayed: (seconds) =>
    `Снять область через ${inRussian(seconds, { one: 'секунду', few: 'секунды', many: 'секунд', other: 'секунды' })}`,
  waiting: 'Снимок будет сделан через мгновение…',
  choosing: 'Выбор на экране…',
  editing: 'Снимок открыт в редакторе',
  cancelCapture: 'Отменить съёмку',
  restoreCapture: 'Восстановить удалённый снимок',
  captureText: 'Скопировать текст с экрана…',
  captureScrolling: 'Снять с прокруткой…',
  pinClipboard: 'Закрепить изображение из буфера обмена',
  takeClicks: 'Вернуть клики закреплённым изображениям',
  closePins: 'Закрыть все закреплённые изображения',
  pin: {
    copy: 'Скопировать изображение',
    share: 'Поделиться',
    actualSize: 'Фактический размер',
    opaque: 'Непрозрачное',
    translucent: 'Полупрозрачное',
    letThrough: 'Пропускать клики насквозь',
    close: 'Закрыть',
  },
  scrolling: 'Идёт съёмка с прокруткой…',
  stopScrolling: 'Остановить прокрутку и сохранить снимок',
  record: 'Записать область…',
  recordScreen: 'Записать экран…',
  stopRecording: 'Остановить запись',
  pauseRecording: 'Приостановить запись',
  resumeRecording: 'Продолжить запись',
  finishingRecording: 'Запись завершается…',
  reviewRecording: 'Посмотреть запись…',
  recent: 'Последние ссылки',
  noLinks: 'Ссылок пока нет',
  clickCopies: 'Щёлкните, чтобы скопировать ссылку',
  copyLink: 'Скопировать ссылку',
  openLink: 'Открыть в браузере',
  deleteLink: 'Удалить',
  undelete: 'Отменить удаление',
  undeleteOf: (name) => `Отменить удаление ${name}`,
  deleting: (name) => `${name} (удаляется)`,
  queue: (items, percent) =>
    percent === null ? `Очередь: ${several(items)}` : `Очередь: ${several(items)}, ${percent} %`,
  queuePaused: (items) => `Очередь: ${several(items)}, на паузе`,
  queueEmpty: 'Очередь пуста',
  itemAt: (name, percent) => (percent === null ? name : `${name}: ${percent} %`),
  itemPaused: (name) => `${name}: на паузе`,
  itemFailed: (name) => `${name}: требует внимания`,
  moreItems: (items) => `и ещё ${items}`,
  pauseAll: 'Приостановить всё',
  resumeAll: 'Продолжить всё',
  openQueue: 'Показать очередь',
  uploadFiles: 'Поделиться файлами…',
  uploadClipboard: 'Поделиться содержимым буфера обмена',
  newNote: 'Заметка из буфера обмена',
  writeNote: 'Написать заметку…',
  open: 'Открыть Linkshot',
  history: 'Библиотека',
  settings: 'Настройки',
  quit: 'Выйти из Linkshot',
  shareFile: 'Поделиться через Linkshot',
  view: { title: 'Вид', larger: 'Увеличить', smaller: 'Уменьшить', usual: 'Фактический размер' },
  tip: {
    idle: 'Linkshot',
    busy: (items, percent) =>
      percent === null
        ? `Linkshot: в очереди ${several(items)}`
        : `Linkshot: идёт загрузка, ${several(items)}, ${percent} %`,
    paused: (items) => `Linkshot: пауза, в очереди ${several(items)}`,
    failed: (items) =>
      `Linkshot: ${inRussian(items, { one: 'элемент требует', few: 'элемента требуют', many: 'элементов требуют', other: 'элемента требуют' })} внимания`,
    recording: 'Linkshot: идёт запись',
    recordingPaused: 'Linkshot: запись на паузе',
  },
  notices: {
    linked: 'Ссылка готова',
    deleted: 'Удаление элемента',
    attention: 'Linkshot требует внимания',
    cannotStart: 'Linkshot не может запуститься',
  },
  withoutTray: {
    title: 'Оставить Linkshot работать без окна?',
    body: 'На этом рабочем столе нет значков в области уведомлений. Горячие клавиши и загрузки продолжат работать, а окно откроется, если запустить Linkshot ещё раз.',
    keep: 'Оставить',
    quit: 'Завершить',
    cancel: 'Отмена',
    remember: 'Больше не спрашивать',
  },
  system: RU_SYSTEM,
  failure: ({ code, params }) =>
    code === 'APP_FAILED' && typeof params?.['address'] === 'string'
      ? `Браузер не удалось открыть. Откройте этот адрес сами: ${params['address']}`
      : (RU_FAILURES[code] ?? 'Подробности в окне Linkshot.'),
};

const WORDS: Record<Language, DesktopTexts> = { en: EN, ru: RU };

/** `preferred`: the user's languages, in order of preference. Falls back to English. */
export const desktopTextsFor = (setting: Settings['language'], preferred: readonly string[]): DesktopTexts => {
  if (setting !== 'system') return WORDS[setting];
  const spoken = preferred
    .map((tag) => tag.toLowerCase().split('-')[0])
    .find((known) => known === 'en' || known === 'ru');
  return WORDS[spoken ?? 'en'];
};
