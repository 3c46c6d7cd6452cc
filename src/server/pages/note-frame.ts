/** What the pages of notes and folders have in common: the card that tells what is shared, and the frame around it. */
import { authorOf, shareUrl, tagsOf } from '../content/present.ts';
import type { ContentRow } from '../content/store.ts';
import { type Html, html, type Part, trusted } from './html.ts';
import { ICONS } from './icons.ts';
import { renderPage } from './layout.ts';
import { formatDay, type Language, MESSAGES } from './messages.ts';
import { formatEnd, NOTE_MESSAGES } from './note-messages.ts';
import { NOTE_SHEET_PATH } from './note-styles.ts';
import type { SharePage } from './share-page.ts';

export type TextPage = SharePage & { readonly now: number };

/**
 * Two things that need a script, and the page is whole without them: the view is counted as an explicit open, and
 * things can be copied. A button says what it copies: words, the text of an element, or what an address answers.
 */
const SCRIPT = trusted(`
for (const button of document.querySelectorAll('.copy')) {
  const { copy, copyOf, copyFrom, done } = button.dataset;
  const words = async () => copy ?? (copyOf ? document.querySelector(copyOf).textContent : (await fetch(copyFrom)).text());
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(await words());
    button.lastElementChild.textContent = done;
  });
}
const { open } = document.querySelector('main').dataset;
if (open) fetch(open, { method: 'POST' }).then((answer) => answer.text()).catch(() => {});
`);

/** What a button copies. */
type Copied = { readonly words: string } | { readonly of: string } | { readonly from: string };

/** Hidden until the script shows it. */
export const copyButton = (copied: Copied, label: string, icon: Html, language: Language): Html => {
  const source =
    'words' in copied
      ? html`data-copy="${copied.words}"`
      : 'of' in copied
        ? html`data-copy-of="${copied.of}"`
        : html`data-copy-from="${copied.from}"`;
  return html`<button class="button quiet copy" type="button" ${source} data-done="${MESSAGES[language].copied}" hidden>${icon}<span aria-live="polite">${label}</span></button>`;
};

export const copyLinkButton = (row: ContentRow, { language, origin }: SharePage): Html =>
  copyButton({ words: shareUrl({ webOrigin: () => origin }, row) }, MESSAGES[language].copyLink, ICONS.link, language);

/** When the reader's access ends: the item's own end, or that of a one-time opening. */
const endOf = (row: ContentRow, as: SharePage['as']): number | null => {
  const ends = [row.expiresAt, as === 'viewer' ? row.readExpiresAt : null].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
};

export const aboutCard = (
  row: ContentRow,
  { language, now, as }: TextPage,
  { facts, actions }: { readonly facts: readonly (string | null)[]; readonly actions: Part },
): Html => {
  const author = authorOf(row);
  const end = endOf(row, as);
  const until = end === null ? null : `${NOTE_MESSAGES[language].until} ${formatEnd(end, now, language)}`;
  const chips = [
    ...[...facts, until].filter((fact) => fact !== null).map((fact) => html`<li>${fact}</li>`),
    ...tagsOf(row).map((tag) => html`<li class="tag">#${tag}</li>`),
  ];
  return html`<section class="card about">
<div>
<h1>${row.title}</h1>
<div class="by"><span class="initial" aria-hidden="true">${[...author.name][0]?.toUpperCase()}</span><p><strong>${author.name}</strong> @${author.username}<br><time datetime="${new Date(row.createdAt).toISOString()}">${formatDay(row.createdAt, language)}</time></p></div>
${chips.length > 0 && html`<ul class="facts">${chips}</ul>\n`}</div>
<div class="actions">
${actions}
</div>
</section>`;
};

/** Open Graph: the title and, as the owner chose, the author; never a word of the text. */
const previewOf = (row: ContentRow, { language, origin }: SharePage): Html => {
  const { siteDescription, by } = MESSAGES[language];
  const author = row.previewAuthor === 1 ? `${row.authorName} (@${row.authorUsername})` : null;
  return html`<meta property="og:site_name" content="Linkshot">
<meta property="og:type" content="article">
<meta property="og:title" content="${row.title}">
<meta property="og:description" content="${author === null ? siteDescription : `${by} ${author}`}">
<meta property="og:url" content="${origin}/s/${row.id}">
<meta name="twitter:card" content="summary">
${author !== null && html`<meta name="author" content="${author}">\n`}`;
};

/** `place` before the title names a file of a folder. `width`: prose reads best in short lines. */
export const framePage = (
  row: ContentRow,
  page: TextPage,
  { place, width, content }: { readonly place?: string; readonly width: 'prose' | 'wide'; readonly content: Part },
): string =>
  renderPage({
    language: page.language,
    title: `${place === undefined ? '' : `${place} · `}${row.title} · Linkshot`,
    ...(row.visibility === 'public' && page.preview === 'full' && { indexing: 'allowed' as const }),
    head: [html`<link rel="stylesheet" href="${NOTE_SHEET_PATH}">\n`, page.preview === 'full' && previewOf(row, page)],
    body: html`<main class="stage"${page.as === 'viewer' && html` data-open="/api/share/${row.id}/open"`}><article class="item ${width}">
${content}
</article></main>
<script nonce="${page.nonce}">${SCRIPT}</script>`,
  });
