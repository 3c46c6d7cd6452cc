/**
 * The share page of an image or a video: the media at its size, its metadata, chapters, the author, and downloads. Also
 * reads the start position of a video from the page's query.
 */
import { unreachable } from '../../../api/errors.ts';
import { type ContentRow, chaptersOf } from '../../content/content-rows.ts';
import { formatDuration, formatSize } from '../format.ts';
import { type Html, html, type Part } from '../html.ts';
import { icon, SPINNER, symbol } from '../icons.ts';
import { type Language, MESSAGES } from '../messages.ts';
import { VIDEO_SCRIPT } from './scripts.ts';
import { copyButton, copyLinkButton, frameSharePage, itemCard, linkOf, type SharePage } from './share-layout.ts';

/** Polling interval of a page whose video is not ready. */
const LOOK_AGAIN_SECONDS = 2;

/**
 * Reserves the space of the media before it has loaded: at most the width of the page, its own size, and the height of
 * the window.
 */
const placeOf = ({ width, height }: ContentRow, nonce: string): Html | null =>
  width === null || height === null
    ? null
    : html`<style nonce="${nonce}">.media { width: min(100%, ${width}px, calc(76vh * ${width} / ${height})); aspect-ratio: ${width} / ${height}; }</style>\n`;

const previewPath = ({ id }: ContentRow): string => `/api/media/${id}/preview`;

/**
 * Seconds from `90`, `1:30`, `1h2m3s` or `90s`, as other sites write them, before the end of the video; 0 for anything
 * else.
 */
export const startOf = (t: unknown, durationMs: number | null): number => {
  if (typeof t !== 'string') return 0;
  const [, h, m, s] =
    /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(t) ?? /^(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2})$/.exec(t) ?? [];
  const start = Number(h ?? 0) * 3_600 + Number(m ?? 0) * 60 + Number(s ?? 0);
  return durationMs !== null && start * 1_000 < durationMs ? start : 0;
};

const mediaOf = (row: ContentRow, language: Language, start: number): Html => {
  const text = MESSAGES[language];
  const size = html`width="${row.width}" height="${row.height}"`;
  switch (row.mediaStatus) {
    case 'PROCESSING':
      return html`<div class="waiting" role="status">${SPINNER}<strong>${text.processingTitle}</strong><span>${text.processingText}</span></div>`;
    case 'FAILED':
      return html`<div class="waiting"><div class="symbol bad">${symbol('warning')}</div><strong>${row.type === 'VIDEO' ? text.failedVideoTitle : text.failedImageTitle}</strong><span>${text.failedText}</span></div>`;
    case 'READY':
      return row.type === 'VIDEO'
        ? html`<video class="media" src="/api/media/${row.id}${start > 0 && `#t=${start}`}" ${size}${row.previewId !== null && html` poster="${previewPath(row)}"`} controls playsinline preload="metadata"></video>`
        : html`<a class="original" href="/api/media/${row.id}" title="${text.original}"><img class="media" src="/api/media/${row.id}" ${size} alt="${row.title}"></a>`;
    default:
      return unreachable(row.mediaStatus);
  }
};

const factsOf = (row: ContentRow, language: Language): readonly (string | null)[] => {
  const text = MESSAGES[language];
  const format = row.mime.slice(row.mime.indexOf('/') + 1).toUpperCase();
  return [
    `${row.type === 'VIDEO' ? text.video : text.image} · ${format}`,
    row.width === null || row.height === null ? null : `${row.width} × ${row.height}`,
    row.durationMs === null ? null : formatDuration(row.durationMs),
    formatSize(row.size, language),
  ];
};

/** Links that start the video at a chapter; the script seeks instead of loading the page again. */
const chapterList = (row: ContentRow, { language }: SharePage): Part => {
  const chapters = chaptersOf(row);
  if (chapters.length === 0) return null;
  const entries = chapters.map(({ startMs, title }) => {
    const seconds = Math.floor(startMs / 1_000);
    return html`<li><a href="?t=${seconds}" data-start="${startMs / 1_000}"><time datetime="PT${seconds}S">${formatDuration(seconds * 1_000)}</time><span>${title}</span></a></li>`;
  });
  return html`<section class="card chapters"><h2>${MESSAGES[language].chapters}</h2><ol>${entries}</ol></section>`;
};

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** Shown by the script. */
const videoControls = (row: ContentRow, page: SharePage): Part => {
  const { language } = page;
  const text = MESSAGES[language];
  const link = linkOf(row, page);
  const digits = new Intl.NumberFormat(language);
  return [
    html`<label class="speed" hidden>${text.speed} <select autocomplete="off">${SPEEDS.map((speed) => html`<option value="${speed}"${speed === 1 && html` selected`}>${digits.format(speed)}×</option>`)}</select></label>\n`,
    html`<button class="button apart" type="button" hidden>${icon('apart')}${text.apart}</button>\n`,
    link !== null && copyButton({ moment: link.href }, text.copyMoment, icon('clock'), language),
  ];
};

/** `t`: where a video starts. */
export const renderMediaPage = (row: ContentRow, page: SharePage, t: unknown): string => {
  const { language, nonce, as } = page;
  const text = MESSAGES[language];
  const isReady = row.mediaStatus === 'READY';
  const download = as === 'owner' || (row.allowDownload === 1 && isReady);
  const isVideo = row.type === 'VIDEO';
  return frameSharePage(row, page, {
    description: null,
    head: placeOf(row, nonce),
    ...(row.mediaStatus === 'PROCESSING' && { lookAgain: LOOK_AGAIN_SECONDS }),
    ...(isVideo && isReady && { script: VIDEO_SCRIPT }),
    content: [
      html`<div class="frame">${mediaOf(row, language, isVideo ? startOf(t, row.durationMs) : 0)}</div>`,
      itemCard(row, page, {
        facts: factsOf(row, language),
        actions: [
          isVideo && isReady && videoControls(row, page),
          copyLinkButton(row, page),
          !isVideo && [
            download && copyButton({ picture: 'img.media' }, text.copyPicture, icon('copy'), language),
            html`<a class="button" href="/api/media/${row.id}">${icon('image')}${text.raw}</a>\n`,
          ],
          download &&
            isVideo &&
            row.previewId !== null &&
            html`<a class="button" href="${previewPath(row)}?download=1" download>${icon('image')}${text.downloadPoster}</a>\n`,
          download &&
            html`<a class="button primary" href="/api/media/${row.id}?download=1" download>${icon('download')}${text.download}</a>`,
        ],
      }),
      isVideo && isReady && chapterList(row, page),
    ],
  });
};
