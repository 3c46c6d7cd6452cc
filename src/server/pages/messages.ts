/**
 * The texts of the public pages and of what all pages share, in English and Russian. Also chooses the language for an
 * Accept-Language header.
 */

import { LANGUAGES } from '../../common/ui-languages.ts';

export type Language = (typeof LANGUAGES)[number];

const EN = {
  unavailableTitle: 'This link isn’t available',
  unavailableText:
    'It may have expired, been removed or already been opened, or the address may be incomplete. Ask the person who sent it for a new one.',
  lockedTitle: 'Password required',
  lockedText: 'Enter the password for this link.',
  password: 'Password',
  passwordNeeded: 'Enter the password.',
  passwordWrong: 'Incorrect password. Try again.',
  unlock: 'Unlock',
  oneTimeTitle: 'This link opens once',
  /** Periods as `formatPeriod` writes them. */
  oneTimeText: (period: string) =>
    `You can open it once and view it for ${period}. After that it stops working for everyone.`,
  limitedTitle: 'This link has a limited number of views',
  limitedText: (period: string) =>
    `Opening it counts as one view. You can open it again for ${period} without using another view.`,
  open: 'Open',
  download: 'Download',
  copyLink: 'Copy link',
  copied: 'Copied',
  notCopied: 'Couldn’t copy',
  share: 'Share',
  notShared: 'Couldn’t share',
  original: 'Open the original',
  raw: 'Original',
  copyPicture: 'Copy image',
  speed: 'Speed',
  apart: 'Picture in picture',
  copyMoment: 'Copy link at current time',
  downloadPoster: 'Download thumbnail',
  chapters: 'Chapters',
  processingTitle: 'The video is being processed',
  processingText: 'This page will refresh automatically.',
  failedVideoTitle: 'The video couldn’t be processed',
  failedImageTitle: 'The image couldn’t be processed',
  failedText: 'Ask the person who shared it to upload it again.',
  image: 'Image',
  video: 'Video',
  note: 'Note',
  folder: 'Folder',
  by: 'Shared by',
  itemsOf: (name: string) => `Public items by ${name}`,
  noItems: 'No public items yet.',
  protectedItem: 'Password required',
  since: 'Member since',
  older: 'Older items',
  until: 'Available until',
  /** A duration follows. */
  visibleFor: 'You can see this for another',
  tooManyTitle: 'Too many attempts',
  tooManyText: 'Wait a moment, then try again.',
  failureTitle: 'Something went wrong',
  failureText: 'Go back and try again in a moment.',
  homeTitle: 'Linkshot server',
  homeText:
    'This server hosts screenshots, videos, notes and code folders shared by its users. Open the link you were sent.',
  homeDocs: 'API documentation',
  siteDescription: 'Shared with Linkshot',
  report: 'Report this content',
};

type Messages = typeof EN;

const RU: Messages = {
  unavailableTitle: 'Ссылка недоступна',
  unavailableText:
    'Возможно, срок её действия истёк, её удалили или уже открыли, либо адрес неполный. Попросите новую у того, кто её прислал.',
  lockedTitle: 'Нужен пароль',
  lockedText: 'Введите пароль к этой ссылке.',
  password: 'Пароль',
  passwordNeeded: 'Введите пароль.',
  passwordWrong: 'Неверный пароль. Попробуйте ещё раз.',
  unlock: 'Открыть',
  oneTimeTitle: 'Ссылка открывается один раз',
  oneTimeText: (period) =>
    `Её можно открыть один раз, содержимое будет доступно в течение ${period}. После этого ссылка перестанет работать для всех.`,
  limitedTitle: 'Число просмотров ограничено',
  limitedText: (period) => `Открытие считается одним просмотром. В течение ${period} повторные открытия не считаются.`,
  open: 'Открыть',
  download: 'Скачать',
  copyLink: 'Скопировать ссылку',
  copied: 'Скопировано',
  notCopied: 'Не удалось скопировать',
  share: 'Поделиться',
  notShared: 'Не удалось поделиться',
  original: 'Открыть оригинал',
  raw: 'Оригинал',
  copyPicture: 'Скопировать изображение',
  speed: 'Скорость',
  apart: 'Картинка в картинке',
  copyMoment: 'Скопировать ссылку на этот момент',
  downloadPoster: 'Скачать обложку',
  chapters: 'Главы',
  processingTitle: 'Видео обрабатывается',
  processingText: 'Страница обновится автоматически.',
  failedVideoTitle: 'Видео не удалось обработать',
  failedImageTitle: 'Изображение не удалось обработать',
  failedText: 'Попросите автора загрузить его ещё раз.',
  image: 'Изображение',
  video: 'Видео',
  note: 'Заметка',
  folder: 'Папка',
  by: 'Автор:',
  itemsOf: (name) => `Публичные элементы: ${name}`,
  noItems: 'Публичных элементов пока нет.',
  protectedItem: 'Нужен пароль',
  since: 'На сервере с',
  older: 'Более ранние элементы',
  until: 'Доступно до',
  visibleFor: 'Осталось на просмотр:',
  tooManyTitle: 'Слишком много попыток',
  tooManyText: 'Подождите немного и попробуйте ещё раз.',
  failureTitle: 'Что-то пошло не так',
  failureText: 'Вернитесь назад и попробуйте ещё раз чуть позже.',
  homeTitle: 'Сервер Linkshot',
  homeText:
    'На этом сервере хранятся снимки экрана, видео, заметки и папки с кодом, которыми делятся его пользователи. Откройте ссылку, которую вам прислали.',
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
