/**
 * The layout of the server's pages: head, top bar and content. Sends pages with headers that block content of other
 * sites, chooses the language of a request, and builds pages with a single notice, such as that a link is unavailable.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, type Part } from './html.ts';
import { LOGO, PAGE_ICON, symbol } from './icons.ts';
import { type Language, languageOf, MESSAGES } from './messages.ts';
import { PAGE_SHEET } from './styles.ts';

export const languageFor = (request: FastifyRequest): Language => languageOf(request.headers['accept-language']);

export interface Page {
  readonly language: Language;
  readonly title: string;
  /** More for the head, such as link previews. */
  readonly head?: Part;
  readonly body: Html;
  readonly indexing?: 'allowed';
  /** The owner's palette; Linkshot's own by default. */
  readonly palette?: string;
}

export const renderPage = ({ language, title, head, body, indexing, palette }: Page): string =>
  html`<!doctype html>
<html lang="${language}"${palette !== undefined && html` data-palette="${palette}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${indexing === 'allowed' ? null : html`<meta name="robots" content="noindex">\n`}<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8f8f8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#101113">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="${PAGE_ICON.path}" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="stylesheet" href="${PAGE_SHEET.path}">
${head}</head>
<body>
<header class="top"><a class="brand" href="/">${LOGO}Linkshot</a></header>
${body}
</body>
</html>
`.markup;

/** A card in the middle of the page with a symbol, a sentence and at most one action. */
export const noticePage = (
  language: Language,
  notice: {
    readonly icon: Html;
    /** The colour of the icon. */
    readonly tone?: 'warn' | 'bad';
    readonly title: string;
    readonly text: string;
    readonly action?: Html;
    readonly head?: Part;
  },
): string =>
  renderPage({
    language,
    title: `${notice.title} · Linkshot`,
    head: notice.head,
    body: html`<main class="stage center"><section class="card notice">
<div class="symbol${notice.tone !== undefined && ` ${notice.tone}`}">${notice.icon}</div>
<h1>${notice.title}</h1>
<p>${notice.text}</p>
${notice.action}
</section></main>`,
  });

/** The one page for every unavailable link: the same bytes for every cause, per language. */
export const unavailablePage = (language: Language): string => {
  const { unavailableTitle: title, unavailableText: text } = MESSAGES[language];
  return noticePage(language, { icon: symbol('unlink'), title, text });
};

/**
 * `nonce` allows the page's own inline style and script, if it has any. `formTarget` is the one foreign origin to which
 * a form's response may redirect.
 */
export const sendPage = (reply: FastifyReply, page: string, nonce?: string, formTarget?: string): FastifyReply => {
  const inline = nonce === undefined ? '' : ` 'nonce-${nonce}'`;
  const policy = [
    "default-src 'none'",
    `style-src 'self'${inline}`,
    nonce === undefined ? "script-src 'none'" : `script-src${inline}`,
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      vary: 'accept-language',
    })
    .serializer(String)
    .send(page);
};
