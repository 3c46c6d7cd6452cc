/** Shared parts of all share pages: the card with the item and its author, the link preview, and the layout. */
import { authorOf, shareUrl, tagsOf } from '../../content/content-reply.ts';
import type { ContentRow } from '../../content/content-store.ts';
import { type Html, html, type Part, trusted } from '../html.ts';
import { icon } from '../icons.ts';
import { renderPage } from '../layout.ts';
import { formatDay, formatEnd, formatMinutes, isNear, type Language, MESSAGES } from '../messages.ts';
import { linkPreview } from './link-preview.ts';

/** The inputs of a page, independent of the item. */
export interface SharePage {
  readonly language: Language;
  readonly nonce: string;
  readonly origin: string;
  /** The visitor: an owner's visit is not counted. */
  readonly as: 'owner' | 'viewer';
  /** Whether link previews may describe the item (API decisions 6). */
  readonly preview: 'full' | 'none';
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where to report the item; null: the operator names no address. */
  readonly reportUrl: string | null;
}

/**
 * Four enhancements, without which the page is still complete: counts the view as an explicit open, polls pending media
 * without a reload that would lose the scroll position, copies things, and shows times in the reader's zone. A button
 * names what it copies: words, the text of an element, or the response of an address. Safari allows a copy only while
 * the click is handled, so that text which is fetched is given as a promise.
 */
const SCRIPT = trusted(`
const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  return new Blob([await answer.text()], { type: 'text/plain' });
};
for (const button of document.querySelectorAll('.copy')) {
  const { copy, copyOf, copyFrom, done, failed } = button.dataset;
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => {
    const copying = copyFrom
      ? navigator.clipboard.write([new ClipboardItem({ 'text/plain': read(copyFrom) })])
      : navigator.clipboard.writeText(copy ?? document.querySelector(copyOf).textContent);
    const label = button.lastElementChild;
    copying.then(() => { label.textContent = done; }, () => { label.textContent = failed; });
  });
}
const { lang } = document.documentElement;
const inZone = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short' });
for (const time of document.querySelectorAll('time[data-exact]')) time.textContent = inZone.format(new Date(time.dateTime));
const minutes = new Intl.NumberFormat(lang, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
for (const time of document.querySelectorAll('time[data-left]')) {
  const end = performance.now() + Number(time.dataset.left);
  const count = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 60000));
    time.textContent = minutes.format(left);
    if (left === 0) clearInterval(count);
  }, 1000);
}
const { open, again } = document.querySelector('main').dataset;
if (open) fetch(open, { method: 'POST' }).then((answer) => answer.text()).catch(() => {});
const look = async () => {
  const page = await fetch(location.href).then((answer) => answer.text(), () => null);
  const isReady = page !== null && !new DOMParser().parseFromString(page, 'text/html').querySelector('main[data-again]');
  if (isReady) location.reload();
  else setTimeout(look, again * 1000);
};
if (again) setTimeout(look, again * 1000);
`);

/** What a button copies. */
type Copied = { readonly words: string } | { readonly of: string } | { readonly from: string };

/** Hidden until the script shows it. */
export const copyButton = (copied: Copied, label: string, drawn: Html, language: Language): Html => {
  const source =
    'words' in copied
      ? html`data-copy="${copied.words}"`
      : 'of' in copied
        ? html`data-copy-of="${copied.of}"`
        : html`data-copy-from="${copied.from}"`;
  return html`<button class="button copy" type="button" ${source} data-done="${MESSAGES[language].copied}" data-failed="${MESSAGES[language].notCopied}" hidden>${drawn}<span aria-live="polite">${label}</span></button>`;
};

/** When a one-time link that this visitor has opened stops showing the item to them; null: no such link. */
const oneTimeEnd = (row: ContentRow, { as }: SharePage): number | null => (as === 'viewer' ? row.readExpiresAt : null);

/** Absent where the link is used up: it would open nothing for anybody else. */
export const copyLinkButton = (row: ContentRow, page: SharePage): Part =>
  oneTimeEnd(row, page) === null &&
  copyButton(
    { words: shareUrl({ webOrigin: () => page.origin }, row) },
    MESSAGES[page.language].copyLink,
    icon('link'),
    page.language,
  );

const MINUTE_MS = 60_000;

/** Until when this visitor can see the item: its own end, or that of a one-time opening. */
const endFact = (row: ContentRow, page: SharePage): Html | null => {
  const { language, now } = page;
  const text = MESSAGES[language];
  const opened = oneTimeEnd(row, page);
  if (opened !== null && opened <= (row.expiresAt ?? opened)) {
    const left = opened - now;
    const time = formatMinutes(Math.max(0, Math.ceil(left / MINUTE_MS)), language);
    return html`${text.visibleFor} <time data-left="${left}">${time}</time>`;
  }
  if (row.expiresAt === null) return null;
  const end = new Date(row.expiresAt).toISOString();
  const exact = isNear(row.expiresAt, now) && html` data-exact`;
  return html`${text.until} <time datetime="${end}"${exact}>${formatEnd(row.expiresAt, now, language)}</time>`;
};

export const itemCard = (
  row: ContentRow,
  page: SharePage,
  { facts, actions }: { readonly facts: readonly (string | null)[]; readonly actions: Part },
): Html => {
  const { language } = page;
  const author = authorOf(row);
  const chips = [
    ...[...facts, endFact(row, page)].filter((fact) => fact !== null).map((fact) => html`<li>${fact}</li>`),
    ...tagsOf(row).map((tag) => html`<li class="tag">#${tag}</li>`),
  ];
  return html`<section class="card about">
<div>
<h1>${row.title}</h1>
<div class="by"><span class="initial" aria-hidden="true">${[...author.name][0]?.toUpperCase()}</span><p><strong>${author.name}</strong> @${author.username}<br><time datetime="${new Date(row.createdAt).toISOString()}">${formatDay(row.createdAt, language)}</time></p></div>
${chips.length > 0 && html`<ul class="chips">${chips}</ul>\n`}</div>
<div class="actions">
${actions}
</div>
</section>`;
};

export interface ShareFrame {
  /** The beginning of a text, for chats; null for media. */
  readonly description: string | null;
  readonly head?: Part;
  /** Precedes the item's title: the file of a folder. */
  readonly place?: string;
  /** `prose` limits the line length; media have a width of their own. */
  readonly width?: 'prose' | 'wide';
  /** The content is not ready yet: seconds until the page polls again. */
  readonly lookAgain?: number;
  readonly content: Part;
}

export const frameSharePage = (row: ContentRow, page: SharePage, frame: ShareFrame): string =>
  renderPage({
    language: page.language,
    palette: row.authorPalette,
    title: `${frame.place === undefined ? '' : `${frame.place} · `}${row.title} · Linkshot`,
    ...(row.visibility === 'public' && page.preview === 'full' && { indexing: 'allowed' as const }),
    head: [
      frame.head,
      frame.lookAgain !== undefined &&
        html`<noscript><meta http-equiv="refresh" content="${frame.lookAgain}"></noscript>\n`,
      page.preview === 'full' && linkPreview(row, page, frame.description),
    ],
    body: html`<main class="stage"${page.as === 'viewer' && html` data-open="/api/share/${row.id}/open"`}${frame.lookAgain !== undefined && html` data-again="${frame.lookAgain}"`}><article class="item ${frame.width}">
${frame.content}
${page.reportUrl !== null && page.as === 'viewer' && html`<p class="report"><a href="${page.reportUrl}" rel="nofollow noreferrer">${MESSAGES[page.language].report}</a></p>\n`}</article></main>
<script nonce="${page.nonce}">${SCRIPT}</script>`,
  });
