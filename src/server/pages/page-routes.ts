/** Routes of the pages that need no account: shared items, the home page, and assets. */
import type { ServerDeps } from '../deps.ts';
import { refuse } from '../http/errors.ts';
import type { App } from '../http/route.ts';
import type { Renderer } from '../notes/renderer.ts';
import type { ProblemError } from '../problem.ts';
import type { Opener } from '../sharing/open-link.ts';
import { registerAssets } from './assets.ts';
import { homePage } from './home-page.ts';
import { symbol } from './icons.ts';
import { languageFor, noticePage, sendPage } from './layout.ts';
import { type Language, MESSAGES } from './messages.ts';
import { registerSharePages } from './share/share-routes.ts';
import { NOTE_SHEET } from './share/text/styles.ts';
import { PAGE_ICON, PAGE_SHEET } from './styles.ts';

/** Explains an error to visitors of a link. The id helps the operator to find it. */
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
      const problem = refuse(error, request, reply, deps.log);
      if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
      return sendPage(reply, failurePage(problem, languageFor(request)));
    });
    registerSharePages(scope, deps, opener, renderer);
    scope.get('/', { schema: { hide: true } }, (request, reply) => sendPage(reply, homePage(languageFor(request))));
    registerAssets(scope, [PAGE_SHEET, NOTE_SHEET, PAGE_ICON]);
    registered();
  });
};
