/** The share page of an image or a video: the media at its size, its metadata, the author, and a download. */
import { unreachable } from '../../../api/errors.ts';
import type { ContentRow } from '../../content/content-store.ts';
import { type Html, html } from '../html.ts';
import { icon, SPINNER, symbol } from '../icons.ts';
import { formatDuration, formatSize, type Language, MESSAGES } from '../messages.ts';
import { copyLinkButton, frameSharePage, itemCard, type SharePage } from './frame.ts';

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

const mediaOf = (row: ContentRow, language: Language): Html => {
  const text = MESSAGES[language];
  const size = html`width="${row.width}" height="${row.height}"`;
  switch (row.mediaStatus) {
    case 'PROCESSING':
      return html`<div class="waiting" role="status">${SPINNER}<strong>${text.processingTitle}</strong><span>${text.processingText}</span></div>`;
    case 'FAILED':
      return html`<div class="waiting"><div class="symbol bad">${symbol('warning')}</div><strong>${text.failedTitle}</strong><span>${text.failedText}</span></div>`;
    case 'READY':
      return row.type === 'VIDEO'
        ? html`<video class="media" src="/api/media/${row.id}" ${size}${row.previewId !== null && html` poster="${previewPath(row)}"`} controls playsinline preload="metadata"></video>`
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

export const renderMediaPage = (row: ContentRow, page: SharePage): string => {
  const { language, nonce, as } = page;
  const download = as === 'owner' || (row.allowDownload === 1 && row.mediaStatus === 'READY');
  return frameSharePage(row, page, {
    description: null,
    head: placeOf(row, nonce),
    ...(row.mediaStatus === 'PROCESSING' && { lookAgain: LOOK_AGAIN_SECONDS }),
    content: [
      html`<div class="frame">${mediaOf(row, language)}</div>`,
      itemCard(row, page, {
        facts: factsOf(row, language),
        actions: [
          copyLinkButton(row, page),
          download &&
            html`<a class="button primary" href="/api/media/${row.id}?download=1" download>${icon('download')}${MESSAGES[language].download}</a>`,
        ],
      }),
    ],
  });
};
