/**
 * Russian catalogue of all pages of the app: the texts of `ru/`, and those of the app window, file input, messages,
 * queue, links, settings and connection.
 */

import type { Messages } from './en.ts';
import { createPlural } from './plural.ts';
import { ruCapture, ruCaptureSettings } from './ru/capture.ts';
import { ruConnectionBanners } from './ru/connection-banners.ts';
import { ruEditor } from './ru/editor.ts';
import { ruFailed } from './ru/error-boundary.ts';
import { ruErrorList } from './ru/error-list.ts';
import { ruErrors } from './ru/errors.ts';
import { ruFit } from './ru/fit.ts';
import { ruFolder } from './ru/folder.ts';
import { ruHotkeys } from './ru/hotkeys.ts';
import { ruItem } from './ru/item.ts';
import { ruItemTimeline } from './ru/item-timeline.ts';
import { ruLibrary } from './ru/library.ts';
import { ruLinkOptions } from './ru/link-options.ts';
import { ruNote } from './ru/note.ts';
import { ruOverallProgress } from './ru/overall-progress.ts';
import { ruOverlay } from './ru/overlay.ts';
import { ruPalette } from './ru/palette.ts';
import { ruPanels } from './ru/panels.ts';
import { ruPictureText } from './ru/picture-text.ts';
import { ruPin } from './ru/pin.ts';
import { ruQueueItemDetails } from './ru/queue-item-details.ts';
import { ruRecording } from './ru/recording.ts';
import { ruSettingsSections, ruSystemSettings } from './ru/settings-sections.ts';
import { ruWelcome } from './ru/welcome.ts';

const plural = createPlural('ru');
const files = (count: number): string =>
  `${count} ${plural(count, { one: 'файл', few: 'файла', many: 'файлов', other: 'файла' })}`;

export const ru: Messages = {
  app: {
    name: 'Linkshot',
    navigation: 'Главное меню',
    home: 'Главная',
    library: 'Библиотека',
    settings: 'Настройки',
    skipToContent: 'Перейти к содержимому',
    starting: 'Запуск…',
    unanswered: 'Нет связи с Linkshot.',
    unansweredAdvice:
      'Проверьте, что Linkshot запущен, и повторите попытку. Очередь надёжно хранится на этом компьютере.',
    tryAgain: 'Повторить',
    linkDown: 'Linkshot не отвечает',
    linkDownAdvice:
      'Если он закрыт, запустите его снова и перейдите в открывшееся окно. Загрузка продолжится с того же места.',
    linkRefused: 'Эта страница осталась от прошлого сеанса',
    linkRefusedAdvice: 'Откройте адрес, который Linkshot вывел при последнем запуске.',
    titleAttention: (count) => `Требуют внимания: ${count}`,
    titleProgress: (percent, left) => `${percent} · осталось ${left}`,
    messages: 'Сообщения',
    close: 'Закрыть',
    dismiss: 'Закрыть',
    details: 'Технические подробности',
    notices: 'Уведомления',
  },

  intake: {
    title: 'Перетащите файлы сюда',
    hint: 'Изображения, видео, текст и папки с кодом станут ссылками. Можно сразу несколько.',
    choose: 'Выбрать файлы',
    photograph: 'Сделать фото',
    paste: 'Вставить',
    dropTitle: 'Отпустите, чтобы поделиться',
    dropHint: 'Ссылка будет готова сразу после загрузки.',
    states: {
      waiting: 'Ожидание',
      sending: 'Чтение…',
      looking: 'Проверка видео…',
      asking: 'Ждёт вашего выбора',
      failed: 'Не удалось прочитать файл',
    },
    received: (sent, total) => `${sent} из ${total}`,
    cancel: (name) => `Отменить загрузку ${name}`,
    retry: 'Повторить',
    remove: 'Убрать',
    keptNothing: 'Ничего не загружено. Ваш файл не изменился.',
    pastedName: (stamp) => `Вставленное изображение ${stamp}`,
  },

  fit: ruFit,

  notes: {
    linkCopied: (name) => `Ссылка на ${name} скопирована`,
    linksCopied: (count) => `Скопировано ссылок: ${count}`,
    deleted: (count) =>
      `${plural(count, { one: 'Удалён', few: 'Удалены', many: 'Удалено', other: 'Удалены' })} ${count} ${plural(count, { one: 'элемент', few: 'элемента', many: 'элементов', other: 'элемента' })}`,
    linkReady: (name) => `Ссылка на ${name} готова`,
    linkWaits: (name) => `Ссылка на ${name} ещё не скопирована`,
    linkWaitsHint: 'Щёлкните в любом месте страницы, чтобы скопировать её.',
    copied: 'Скопировано',
    copyRefused: 'Не удалось скопировать ссылку',
    copyRefusedHint: 'Выделите ссылку и скопируйте её с клавиатуры.',
    linksRefused: 'Не удалось скопировать ссылки',
    linksRefusedHint: 'Браузер не разрешает копирование. Скопируйте ссылки по одной.',
    pictureCopied: 'Изображение скопировано',
    pictureCopiedHint: 'Его можно вставить куда угодно.',
    pictureWaits: 'Изображение готово к копированию',
    pictureWaitsHint: 'Щёлкните в любом месте страницы, чтобы скопировать его.',
    copyOlder: 'В буфере обмена ещё прежняя версия',
    copyMissing: 'Изображения нет в буфере обмена',
    copyRetry: {
      click: 'Браузер разрешает копировать после щелчка: изображение скопируется при следующем щелчке в этом окне.',
      button: 'Изображение изменилось, когда вы уже перешли в другое окно.',
      change: 'Скопировать не удалось. Следующее изменение вызовет новую попытку.',
    },
    pasteStays: 'Ничего не вставлено',
    pasteStaysHint:
      'Редактор принимает только текст. Чтобы поделиться скопированным изображением или файлом, вернитесь в главное окно и вставьте его там.',
    editedElsewhere: 'Этот снимок изменили в другом окне',
    editedElsewhereHint: 'Теперь та правка показана и здесь. Проверьте изображение и повторите последнее действие.',
    addressDropped: 'Это веб-адрес, а не файл',
    addressDroppedHint: 'Сначала сохраните изображение или видео, затем перетащите сохранённый файл.',
    fileWithheld: 'Браузер не передал файл',
    fileWithheldHint: 'Нажмите «Выбрать файлы».',
    folderEmpty: 'В этой папке нет файлов',
    folderEmptyHint: 'Выберите другую.',
    wordsMissing: 'Не удалось загрузить язык',
    wordsMissingHint: 'Ваш выбор сохранён. Пока язык не загрузится, останется текущий.',
    textPasted: 'Поделиться текстом из буфера обмена?',
    shareText: 'Поделиться как заметкой',
    clipboardEmpty: 'В буфере обмена нет ни изображения, ни текста',
    clipboardEmptyHint: 'Сначала скопируйте что-нибудь. Чтобы вставить файлы, нажмите Ctrl+V.',
    clipboardRefused: 'Браузер заблокировал доступ к буферу обмена',
    clipboardRefusedHint: 'Нажмите Ctrl+V.',
    moved: (name, position, total) => `${name}: позиция ${position} из ${total}`,
  },

  queue: {
    title: 'Очередь',
    summary: (count, bytes) => `${files(count)} · ${bytes}`,
    pauseAll: 'Приостановить всё',
    resumeAll: 'Продолжить всё',
    pausedHint: 'Очередь приостановлена. Прогресс сохранён.',
    finished: 'Готово',
    copyAll: 'Скопировать все ссылки',
    clearFinished: 'Очистить список',
    clearHint: 'Ссылки останутся в библиотеке.',
    tryOut: 'Пробный режим: ссылки работают только на этом компьютере, пока Linkshot запущен.',
    tryOutAction: 'Подключиться к серверу',
    progress: (name) => `Ход загрузки: ${name}`,
    amount: (done, total) => `${done} из ${total}`,
    timeLeft: (time) => `осталось ${time}`,
    phase: {
      waiting: 'В очереди',
      offline: 'Ожидание подключения',
      preparing: 'Сжатие',
      hashing: 'Проверка файла',
      sending: 'Загрузка',
      completing: 'Создание ссылки',
      paused: 'Приостановлено',
      queuePaused: 'Очередь приостановлена',
      retrying: 'Скоро новая попытка',
      stuck: 'Требует внимания',
      cancelling: 'Отмена',
      linked: 'Ссылка готова',
      delivered: 'Ссылка скопирована',
      unreadable: 'Не читается',
    },
    madeWithout: (losses) => `потеряно: ${losses}`,
    madePrivate: 'данные о месте и камере удалены',
    madeFolder: (kept, out, folders) =>
      `${files(kept)}${out + folders > 0 ? `, пропущено: ${out + folders}${folders > 0 ? '+' : ''}` : ''}`,
    retryIn: (time) => `Повтор через ${time}`,
    retryNow: 'Идёт новая попытка',
    kept: {
      nothingSent: 'Ещё ничего не загружено. Ваш файл не изменился.',
      nothingStored: 'На сервере ничего не сохранено. Ваш файл не изменился.',
      parts: (done, total) => `${done} из ${total} уже на сервере, загружать их снова не придётся.`,
      allSent: 'Весь файл на сервере. Не хватает только ссылки.',
      row: 'Файл останется здесь, пока вы его не уберёте.',
      deletion:
        'Linkshot удалит файл с сервера, как только сможет. Если убрать его отсюда, он может остаться на сервере.',
    },
    actions: {
      pause: (name) => `Приостановить загрузку ${name}`,
      resume: (name) => `Продолжить загрузку ${name}`,
      retry: (name) => `Повторить загрузку ${name}`,
      cancel: (name) => `Отменить загрузку ${name}`,
      dismiss: (name) => `Убрать ${name} из списка`,
      more: (name) => `Другие действия: ${name}`,
      openItem: (name) => `${name}: настройки, просмотры и история`,
      moveTop: 'В начало',
      moveUp: 'Выше',
      moveDown: 'Ниже',
      moveEnd: 'В конец',
    },
    remedies: {
      retry: 'Повторить',
      retryNow: 'Повторить сейчас',
      reconnect: 'Подключиться снова',
      settings: 'Открыть настройки',
      room: 'Показать самые большие элементы',
      look: 'Посмотреть',
      approve: 'Отправить как есть',
      remove: 'Убрать',
    },
    withoutEdits: { ask: 'Отправить без вашей правки?', no: 'Не отправлять', yes: 'Отправить без правки' },
  },

  link: {
    field: (name) => `Ссылка на ${name}`,
    copy: 'Скопировать',
    copyNamed: (name) => `Скопировать ссылку на ${name}`,
    copied: 'Скопировано',
    open: 'Открыть',
    shareNamed: (name) => `Поделиться ссылкой на ${name}`,
    openNamed: (name) => `Открыть страницу просмотра ${name}`,
  },

  library: ruLibrary,
  item: ruItem,

  settings: {
    title: 'Настройки',
    account: 'Сервер и аккаунт',
    server: 'Сервер',
    builtIn: 'Этот компьютер (пробный режим)',
    builtInHint: 'Ссылки работают только на этом компьютере, пока Linkshot запущен.',
    user: 'Аккаунт',
    plan: 'Тариф',
    planFree: 'Бесплатный',
    planUntil: (plan, date) => `${plan}, до ${date}`,
    readAt: (time) => `По состоянию на ${time}`,
    keyKept: 'Ключ',
    keyPlace: {
      keyring: 'В хранилище ключей этого компьютера',
      session: 'Только в памяти. После перезапуска подключитесь снова.',
      embedded: 'Создаётся встроенным сервером при каждом запуске и не хранится',
    },
    keyExpires: (date) => `Ключ действует до ${date}`,
    state: { none: 'Не подключено', connecting: 'Подключение…', connected: 'Подключено', failed: 'Не подключено' },
    refresh: 'Проверить подключение',
    disconnect: 'Отключиться',
    connectTitle: 'Подключение к серверу',
    connectOther: 'Подключиться к другому серверу',
    connectHint: 'Ключ можно найти на странице аккаунта.',
    authorize: {
      button: 'Подключиться через браузер',
      hint: 'Войдите на своём сервере и подтвердите подключение этого компьютера. Ключ копировать не нужно.',
      or: 'или по ключу',
      title: 'Подтвердите подключение',
      opened:
        'В браузере открылась страница. Войдите и подтвердите подключение. Страницы нет? Откройте адрес ниже и введите код.',
      notOpened: 'Откройте этот адрес на любом устройстве, войдите и введите код.',
      address: 'Адрес',
      code: 'Код',
      until: 'Действует до',
      waiting: 'Ожидание подтверждения…',
      cancel: 'Отмена',
    },
    otherAccounts: {
      title: 'Другие аккаунты',
      use: 'Выбрать',
      useNamed: (name) => `Выбрать аккаунт ${name}`,
      remove: 'Удалить',
      removeNamed: (name) => `Удалить аккаунт ${name}`,
    },
    serverLabel: 'Адрес сервера',
    serverPlaceholder: 'https://share.example.com',
    keyLabel: 'Ключ API',
    showKey: 'Показать ключ',
    hideKey: 'Скрыть ключ',
    connect: 'Подключиться',
    serverMissing: 'Введите адрес сервера.',
    serverMalformed: 'Введите веб-адрес, например https://share.example.com.',
    serverInsecure: 'Используйте https://, иначе ключ могут перехватить. http:// подходит только для этого компьютера.',
    keyMissing: 'Введите ключ API.',
    keyMalformed: 'В ключе нет пробелов. Скопируйте его целиком ещё раз.',
    connectedTo: (server) => `Подключено к ${server}`,

    storageUsed: (used, quota) => `Занято ${used} из ${quota}`,
    storageLeft: (left) => `Свободно ${left}`,
    storageFull: 'Место закончилось. Удалите ненужное или выберите тариф с большим хранилищем.',
    storageLabel: 'Занятое место',

    appearance: 'Оформление',
    theme: 'Тема',
    themes: { system: 'Системная', light: 'Светлая', dark: 'Тёмная' },
    language: 'Язык',
    languages: { system: 'Системный', en: 'English', ru: 'Русский' },

    sharing: 'Ссылки',
    copyLink: 'Копировать готовую ссылку',
    copyLinkHint: 'Она заменит содержимое буфера обмена.',
    visibility: 'Кто может открывать новые ссылки',
    visibilities: {
      account: { title: 'Как в аккаунте', text: 'Используется настройка со страницы аккаунта.' },
      private: { title: 'Личное', text: 'Только вы, после входа в свой аккаунт.' },
      unlisted: { title: 'По ссылке', text: 'Все, у кого есть ссылка. Она нигде не публикуется.' },
      public: { title: 'Публичное', text: 'Все. Также появляется в ленте и в вашем профиле.' },
    },
    accountDefault: { private: 'Сейчас: «Личное».', unlisted: 'Сейчас: «По ссылке».' },

    about: 'О программе',
    version: (version) => `Linkshot ${version}`,
    shortcuts: 'Сочетания клавиш',
  },

  connection: {
    none: 'Нет подключения к серверу',
    noneAdvice: 'Файлы ждут в очереди и загрузятся после подключения.',
    connecting: 'Подключение к серверу…',
    queueKept: 'Очередь сохранена, загрузка продолжится автоматически.',
    connect: 'Подключиться',
    reconnect: 'Подключиться снова',
    tryAgain: 'Повторить',
  },

  captureSettings: { ...ruCaptureSettings, ...ruSystemSettings },
  settingsMore: ruSettingsSections,
  welcome: ruWelcome,
  folder: ruFolder,
  hotkeys: ruHotkeys,
  panels: ruPanels,
  linkOptions: ruLinkOptions,
  recording: ruRecording,
  status: {
    reach: ruConnectionBanners,
    messages: ruErrorList,
    details: ruQueueItemDetails,
    overall: ruOverallProgress,
  },
  failed: ruFailed,
  timeline: ruItemTimeline,
  capture: ruCapture,
  note: ruNote,
  overlay: ruOverlay,
  palette: ruPalette,
  pictureText: ruPictureText,
  pin: ruPin,
  editor: ruEditor,
  errors: ruErrors,
};
