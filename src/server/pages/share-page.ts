/** The share page of an image or a video: the media at its size, what it is, who shared it, and a download. */
import { unreachable } from '../../contract/errors.ts';
import { authorOf, shareUrl, tagsOf } from '../content/present.ts';
import type { ContentRow } from '../content/store.ts';
import { type Html, html, trusted } from './html.ts';
import { ICONS } from './icons.ts';
import { renderPage } from './layout.ts';
import { formatDay, formatDuration, formatSize, type Language, MESSAGES } from './messages.ts';

export interface SharePage {
  readonly language: Language;
  readonly nonce: string;
  readonly origin: string;
  /** Who looks: a visit of the owner counts as nothing. */
  readonly as: 'owner' | 'viewer';
  /** Whether link previews may tell of the item (decisions 6). */
  readonly preview: 'full' | 'none';
}

/** How often a page of a video that is not ready looks again. */
const LOOK_AGAIN_SECONDS = 2;

/**
 * Two things that need a script, and the page is whole without them: the view is counted as an explicit open, and the
 * link can be copied.
 */
const SCRIPT = trusted(`
const button = document.querySelector('[data-copy]');
button.hidden = !navigator.clipboard;
button.addEventListener('click', async () => {
  await navigator.clipboard.writeText(button.dataset.copy);
  button.lastElementChild.textContent = button.dataset.done;
});
const { open } = document.body.querySelector('main').dataset;
if (open) fetch(open, { method: 'POST' }).catch(() => {});
`);

/** Reserves the place of the media before it has loaded: never wider than the page, than itself, or than the window is high. */
const placeOf = ({ width, height }: ContentRow, nonce: string): Html | null =>
  width === null || height === null
    ? null
    : html`<style nonce="${nonce}">.media { width: min(100%, ${width}px, calc(76vh * ${width} / ${height})); aspect-ratio: ${width} / ${height}; }</style>\n`;

const mediaOf = (row: ContentRow, language: Language): Html => {
  const text = MESSAGES[language];
  const size = html`width="${row.width}" height="${row.height}"`;
  switch (row.mediaStatus) {
    case 'PROCESSING':
      return html`<div class="waiting" role="status">${ICONS.spinner}<strong>${text.processingTitle}</strong><span>${text.processingText}</span></div>`;
    case 'FAILED':
      return html`<div class="waiting">${ICONS.warning}<strong>${text.failedTitle}</strong><span>${text.failedText}</span></div>`;
    case 'READY':
      return row.type === 'VIDEO'
        ? html`<video class="media" src="/api/media/${row.id}" ${size} controls playsinline preload="metadata"></video>`
        : html`<img class="media" src="/api/media/${row.id}" ${size} alt="${row.title}">`;
    default:
      return unreachable(row.mediaStatus);
  }
};

const factsOf = (row: ContentRow, language: Language): readonly Html[] => {
  const text = MESSAGES[language];
  const format = row.mime.slice(row.mime.indexOf('/') + 1).toUpperCase();
  const facts = [
    `${row.type === 'VIDEO' ? text.video : text.image} · ${format}`,
    row.width === null || row.height === null ? null : `${row.width} × ${row.height}`,
    row.durationMs === null ? null : formatDuration(row.durationMs),
    formatSize(row.size, language),
  ];
  return [
    ...facts.filter((fact) => fact !== null).map((fact) => html`<li>${fact}</li>`),
    ...tagsOf(row).map((tag) => html`<li class="tag">#${tag}</li>`),
  ];
};

/** Open Graph, for messengers that show what a link leads to. */
const previewOf = (row: ContentRow, { language, origin }: SharePage): Html => {
  const media = `${origin}/api/media/${row.id}`;
  const author = authorOf(row);
  const by = row.previewAuthor === 1 ? `${author.name} (@${author.username})` : null;
  const kind = row.type === 'VIDEO' ? 'video' : 'image';
  const ready = row.mediaStatus === 'READY';
  return html`<meta property="og:site_name" content="Linkshot">
<meta property="og:type" content="${row.type === 'VIDEO' ? 'video.other' : 'website'}">
<meta property="og:title" content="${row.title}">
<meta property="og:description" content="${by === null ? MESSAGES[language].siteDescription : `${MESSAGES[language].by} ${by}`}">
<meta property="og:url" content="${origin}/s/${row.id}">
${
  ready &&
  html`<meta property="og:${kind}" content="${media}">
<meta property="og:${kind}:type" content="${row.mime}">
<meta property="og:${kind}:width" content="${row.width}">
<meta property="og:${kind}:height" content="${row.height}">
<meta name="twitter:card" content="summary_large_image">
`
}${
  by !== null &&
  html`<meta name="author" content="${by}">
`
}`;
};

export const renderSharePage = (row: ContentRow, page: SharePage): string => {
  const { language, nonce, as } = page;
  const text = MESSAGES[language];
  const author = authorOf(row);
  const download = as === 'owner' || (row.allowDownload === 1 && row.mediaStatus === 'READY');
  const url = shareUrl({ webOrigin: () => page.origin }, row);
  return renderPage({
    language,
    title: `${row.title} · Linkshot`,
    ...(row.visibility === 'public' && page.preview === 'full' && { indexing: 'allowed' as const }),
    head: [
      placeOf(row, nonce),
      page.preview === 'full' && previewOf(row, page),
      row.mediaStatus === 'PROCESSING' && html`<meta http-equiv="refresh" content="${LOOK_AGAIN_SECONDS}">\n`,
    ],
    body: html`<main class="stage"${as === 'viewer' && html` data-open="/api/share/${row.id}/open"`}><article class="item">
<div class="frame">${mediaOf(row, language)}</div>
<section class="card about">
<div>
<h1>${row.title}</h1>
<div class="by"><span class="initial" aria-hidden="true">${[...author.name][0]?.toUpperCase()}</span><p><strong>${author.name}</strong> @${author.username}<br><time datetime="${new Date(row.createdAt).toISOString()}">${formatDay(row.createdAt, language)}</time></p></div>
<ul class="facts">${factsOf(row, language)}</ul>
</div>
<div class="actions">
<button class="button quiet" type="button" data-copy="${url}" data-done="${text.copied}" hidden>${ICONS.link}<span>${text.copyLink}</span></button>
${download && html`<a class="button" href="/api/media/${row.id}?download=1" download>${ICONS.download}${text.download}</a>`}
</div>
</section>
</article></main>
<script nonce="${nonce}">${SCRIPT}</script>`,
  });
};
