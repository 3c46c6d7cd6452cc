/**
 * Routes of the share pages, the author pages, the home page, oEmbed and assets. Only the author pages require a
 * sign-in. Also sends browsers a page for an unknown address.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { refuse } from '../http/error-responses.ts';
import type { ProblemError } from '../problem-details.ts';
import type { Renderer } from '../rendering/renderer.ts';
import type { Opener } from '../sharing/open-link.ts';
import { ACCOUNT_MESSAGES } from './account/messages.ts';
import { registerAssets } from './assets.ts';
import { registerAuthorPage } from './author-page.ts';
import { html } from './html.ts';
import { PAGE_ICON, symbol } from './icons.ts';
import { languageFor, noticePage, renderPage, sendPage } from './layout.ts';
import { type Language, MESSAGES } from './messages.ts';
import { registerRasterIcons } from './raster-icons.ts';
import { TEXT_STYLE_SHEET } from './share/notes-and-folders/styles.ts';
import { registerOEmbed } from './share/oembed.ts';
import { registerSharePages } from './share/share-routes.ts';
import { PAGE_SHEET } from './styles.ts';

/** The page at `/`: says what this server is, for visitors without a link. */
const homePage = (language: Language): string => {
  const text = MESSAGES[language];
  return renderPage({
    language,
    title: text.homeTitle,
    body: html`<main class="stage center"><section class="card welcome">
<h1>${text.homeTitle}</h1>
<p>${text.homeText}</p>
<div class="actions"><a class="button primary" href="/account">${ACCOUNT_MESSAGES[language].signIn}</a><a class="button" href="/docs">${text.homeDocs}</a></div>
</section></main>`,
  });
};

/** Explains an error to visitors of a link. */
const failurePage = (problem: ProblemError, language: Language): string => {
  const text = MESSAGES[language];
  const tooMany = problem.code === 'RATE_LIMITED';
  return noticePage(language, {
    icon: symbol('warning'),
    tone: 'warn',
    title: tooMany ? text.tooManyTitle : text.failureTitle,
    text: tooMany ? text.tooManyText : text.failureText,
  });
};

export const registerPageRoutes = (app: App, deps: ServerDeps, opener: Opener, renderer: Renderer): void => {
  app.register((scope, _options, registered) => {
    // Browsers get a page where programs get problem details.
    scope.setErrorHandler((error: unknown, request, reply) => {
      const problem = refuse(error, request, reply, deps);
      if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
      return sendPage(reply, failurePage(problem, languageFor(request)));
    });
    registerSharePages(scope, deps, opener, renderer);
    registerOEmbed(app, deps);
    registerAuthorPage(scope, deps);
    scope.get('/', { schema: { hide: true } }, (request, reply) => sendPage(reply, homePage(languageFor(request))));
    registerAssets(scope, [PAGE_SHEET, TEXT_STYLE_SHEET, PAGE_ICON]);
    registerRasterIcons(scope);
    registered();
  });
};

// The page of an unknown address.

const isUser = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');

/** Null: the client is a program, which gets a different response. */
export const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
  if (!isUser(request)) return null;
  const language = languageFor(request);
  const { goneTitle: title, goneText: text } = ACCOUNT_MESSAGES[language];
  return sendPage(reply.code(404), noticePage(language, { icon: symbol('unlink'), title, text }));
};
