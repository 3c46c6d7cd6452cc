/** Every text of the server's pages, in English and Russian. */
import { LANGUAGES } from '../../common/languages.ts';

export type Language = (typeof LANGUAGES)[number];

const EN = {
  unavailableTitle: 'This link is not available',
  unavailableText:
    'It may have expired, been removed or opened already, or the address may be incomplete. Ask the person who sent it for a new one.',
  lockedTitle: 'This link is protected',
  lockedText: 'Enter the password that you were given together with the link.',
  password: 'Password',
  passwordNeeded: 'Enter the password first.',
  passwordWrong: 'This password is not right. Check it and try again.',
  unlock: 'Unlock',
  oneTimeTitle: 'This link opens once',
  oneTimeText: (minutes: number) =>
    `The first browser that opens it sees what is inside, for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. After that the link is used up.`,
  limitedTitle: 'This link has a limited number of views',
  limitedText: 'Opening it uses one of them. You can then come back for a day.',
  open: 'Open',
  download: 'Download',
  copyLink: 'Copy link',
  copied: 'Copied',
  processingTitle: 'The video is being prepared',
  processingText: 'This page looks again by itself in a moment.',
  failedTitle: 'The video could not be prepared',
  failedText: 'Ask the person who shared it to upload it again.',
  image: 'Image',
  video: 'Video',
  by: 'Shared by',
  until: 'Available until',
  tooManyTitle: 'Too many attempts',
  tooManyText: 'Wait a little and try again.',
  failureTitle: 'This did not work',
  failureText: 'Go back and try again in a moment.',
  homeTitle: 'Linkshot server',
  homeText:
    'This server stores what its people share: screenshots, videos, notes and folders of code, each behind a link of its own. To see something, open the link that you were sent.',
  homeDocs: 'API documentation',
  siteDescription: 'Shared with Linkshot',
  report: 'Report this content',
};

type Messages = typeof EN;

const RU: Messages = {
  unavailableTitle: 'Ссылка недоступна',
  unavailableText:
    'Возможно, срок её действия истёк, её удалили или уже открыли, либо адрес неполный. Попросите новую у того, кто её прислал.',
  lockedTitle: 'Ссылка защищена паролем',
  lockedText: 'Введите пароль, который вы получили вместе со ссылкой.',
  password: 'Пароль',
  passwordNeeded: 'Сначала введите пароль.',
  passwordWrong: 'Пароль не подходит. Проверьте его и попробуйте ещё раз.',
  unlock: 'Открыть',
  oneTimeTitle: 'Ссылка открывается один раз',
  oneTimeText: (minutes) =>
    `Содержимое увидит первый браузер, который её откроет, в течение ${minutes} мин. После этого ссылка перестанет работать.`,
  limitedTitle: 'Число просмотров ограничено',
  limitedText: 'Открытие использует один просмотр. Затем к ссылке можно возвращаться в течение суток.',
  open: 'Открыть',
  download: 'Скачать',
  copyLink: 'Скопировать ссылку',
  copied: 'Скопировано',
  processingTitle: 'Видео готовится',
  processingText: 'Страница сама обновится через мгновение.',
  failedTitle: 'Видео не удалось подготовить',
  failedText: 'Попросите автора загрузить его ещё раз.',
  image: 'Изображение',
  video: 'Видео',
  by: 'Автор:',
  until: 'Доступно до',
  tooManyTitle: 'Слишком много попыток',
  tooManyText: 'Подождите немного и попробуйте ещё раз.',
  failureTitle: 'Не получилось',
  failureText: 'Вернитесь назад и попробуйте ещё раз чуть позже.',
  homeTitle: 'Сервер Linkshot',
  homeText:
    'Этот сервер хранит то, чем делятся его люди: снимки экрана, видео, заметки и папки с кодом, каждое по своей ссылке. Чтобы что-то увидеть, откройте присланную вам ссылку.',
  homeDocs: 'Документация API',
  siteDescription: 'Опубликовано через Linkshot',
  report: 'Пожаловаться',
};

export const MESSAGES: Readonly<Record<Language, Messages>> = { en: EN, ru: RU };

/** The preferred supported language of an Accept-Language header; English by default. */
export const languageOf = (header: string | undefined): Language => {
  const wishes = (header ?? '').split(',').map((wish) => {
    const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
  });
  const [best] = wishes
    .filter(({ language, weight }) => weight > 0 && LANGUAGES.some((ours) => ours === language))
    .sort((a, b) => b.weight - a.weight);
  return LANGUAGES.find((ours) => ours === best?.language) ?? 'en';
};

/** Binary units, as the service counts: 1 MB is 1024 x 1024 bytes. */
export const formatSize = (bytes: number, language: Language): string => {
  const units = language === 'ru' ? ['Б', 'КБ', 'МБ', 'ГБ'] : ['B', 'KB', 'MB', 'GB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const digits = new Intl.NumberFormat(language, { maximumFractionDigits: step < 2 ? 0 : 1 });
  return `${digits.format(bytes / 1024 ** step)}\u00a0${units[step]}`;
};

/** 1:05 or 1:00:05. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
};

/** The day, in UTC, because the server does not know the reader's clock. */
export const formatDay = (time: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);

const DAY_MS = 86_400_000;

/** The day something ends, with the time if it is near. */
export const formatEnd = (end: number, now: number, language: Language): string => {
  if (end - now >= 2 * DAY_MS) return formatDay(end, language);
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(end)} UTC`;
};
