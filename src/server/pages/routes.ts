/** `GET /s/{id}` and what belongs to it: the share pages, made on the server and complete without a script. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unreachable } from '../../contract/errors.ts';
import type { ContentRow } from '../content/store.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/route.ts';
import { type ProblemError, problemOf } from '../problem.ts';
import { ANSWERS, mayPreview, type Standing } from '../sharing/access.ts';
import type { Opener } from '../sharing/open.ts';
import { createVisits } from '../sharing/visits.ts';
import { limitedPage, lockPage, oneTimePage } from './gate-pages.ts';
import { homePage } from './home-page.ts';
import { ICONS } from './icons.ts';
import { noticePage, sendPage, unavailablePage } from './layout.ts';
import { type Language, languageOf, MESSAGES } from './messages.ts';
import { renderSharePage } from './share-page.ts';
import { STYLE_SHEET, STYLE_SHEET_PATH } from './styles.ts';

const NONCE_BYTES = 16;
const FORM_BYTES_MAX = 8 * 1024;
const YEAR_SECONDS = 31_536_000;

interface SharePath {
  Params: { id: string };
}

const languageFor = (request: FastifyRequest): Language => languageOf(request.headers['accept-language']);

/** Says what happened in words for whoever follows a link. The id helps the operator to find it. */
const failurePage = (problem: ProblemError, language: Language): string => {
  const text = MESSAGES[language];
  const tooMany = problem.code === 'RATE_LIMITED';
  return noticePage(language, {
    icon: ICONS.warning,
    title: tooMany ? text.tooManyTitle : text.failureTitle,
    text: tooMany ? text.tooManyText : text.failureText,
  });
};

export const registerPageRoutes = (app: App, deps: ServerDeps, opener: Opener): void => {
  const { config, random, webOrigin } = deps;
  const visits = createVisits(deps);
  const oneTimeMinutes = Math.max(1, Math.round(config.limits.oneTimeSeconds / 60));

  const sendUnavailablePage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(reply.code(404), unavailablePage(languageFor(request)));

  const sendShare = (
    request: FastifyRequest,
    reply: FastifyReply,
    row: ContentRow,
    standing: Standing,
  ): FastifyReply => {
    const nonce = random.bytes(NONCE_BYTES).toString('base64url');
    const page = renderSharePage(row, {
      language: languageFor(request),
      nonce,
      origin: webOrigin(),
      as: standing === 'owner' ? 'owner' : 'viewer',
      preview: mayPreview(standing, row) ? 'full' : 'none',
    });
    return sendPage(reply, page, nonce);
  };

  /** What stands before the item, while it is not to be seen yet. */
  const sendGate = (
    request: FastifyRequest,
    reply: FastifyReply,
    { id }: ContentRow,
    standing: Standing,
  ): FastifyReply => {
    const language = languageFor(request);
    if (standing === 'locked') return sendPage(reply, lockPage(language, id, 'first'));
    return sendPage(
      reply,
      standing === 'one-time' ? oneTimePage(language, id, oneTimeMinutes) : limitedPage(language, id),
    );
  };

  app.register((scope, _options, registered) => {
    // People see a page where programs see problem details.
    scope.setErrorHandler((error: unknown, request, reply) => {
      const problem = problemOf(error);
      if (problem.status >= 500) deps.log(`${request.id} ${request.method} ${request.url}: ${String(error)}`);
      const { retryAfterMs } = problem.more;
      if (retryAfterMs !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1_000)));
      if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
      return sendPage(reply.code(problem.status), failurePage(problem, languageFor(request)));
    });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );

    scope.route<SharePath>({
      method: ['GET', 'HEAD'],
      url: '/s/:id',
      schema: { hide: true },
      handler: async (request, reply) => {
        const { row, standing } = visits.look(request, request.params.id);
        const { page } = ANSWERS[standing];
        if (row === undefined || row.objectId === null) return sendUnavailablePage(request, reply);
        switch (page) {
          case 'unavailable':
            return sendUnavailablePage(request, reply);
          case 'lock':
          case 'button':
            return sendGate(request, reply, row, standing);
          case 'show':
            return sendShare(request, reply, row, standing);
          default:
            return unreachable(page);
        }
      },
    });

    scope.route<SharePath>({
      method: 'POST',
      url: '/s/:id/open',
      schema: { hide: true },
      handler: async (request, reply) => {
        const password = request.body instanceof URLSearchParams ? (request.body.get('password') ?? '') : '';
        const opening = await opener.open(request, reply, request.params.id, password);
        switch (opening.kind) {
          case 'unavailable':
            return sendUnavailablePage(request, reply);
          case 'password-needed':
          case 'password-wrong': {
            const { row } = visits.look(request, request.params.id);
            if (row === undefined) return sendUnavailablePage(request, reply);
            return sendPage(reply.code(403), lockPage(languageFor(request), row.id, opening.kind));
          }
          case 'opened':
            // A reload of what follows asks for nothing twice.
            return reply.header('cache-control', 'no-store').redirect(`/s/${opening.row.id}`, 303);
          default:
            return unreachable(opening);
        }
      },
    });

    scope.get('/', { schema: { hide: true } }, (request, reply) => sendPage(reply, homePage(languageFor(request))));

    scope.get(STYLE_SHEET_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({
          'content-type': 'text/css; charset=utf-8',
          'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
          'x-content-type-options': 'nosniff',
        })
        .send(STYLE_SHEET),
    );
    registered();
  });
};
