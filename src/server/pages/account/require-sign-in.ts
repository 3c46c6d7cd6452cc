/**
 * Shared setup of the pages behind the sign-in: parses forms, refuses those of other sites (CSRF), shows errors as
 * pages, and requires a sign-in.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AccountRow, accountStore } from '../../accounts/accounts.ts';
import { accountBanned } from '../../accounts/authenticate.ts';
import { browserName } from '../../accounts/browser-name.ts';
import { readSessionToken, type Sessions, type SignInOrigin } from '../../accounts/sessions.ts';
import type { ServerDeps } from '../../deps.ts';
import { isCrossSite } from '../../http/csrf.ts';
import { discardBody } from '../../http/discard-body.ts';
import { refuse } from '../../http/errors.ts';
import { registerFormBody } from '../../http/request-body.ts';
import type { App } from '../../http/route-of-endpoint.ts';
import { addressToShow } from '../../limits/address-networks.ts';
import type { ProblemError } from '../../problem.ts';
import { symbol } from '../icons.ts';
import { languageFor, noticePage, sendPage } from '../layout.ts';
import { type Language, MESSAGES } from '../messages.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';

const FORM_BYTES_MAX = 32 * 1024;

/** The fields of the sent form; empty without one. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

export const originOfSignIn = (request: FastifyRequest): SignInOrigin => ({
  browser: browserName(request.headers['user-agent'] ?? ''),
  ip: addressToShow(request),
});

const failurePage = ({ code }: ProblemError, language: Language): string => {
  const [words, common] = [ACCOUNT_MESSAGES[language], MESSAGES[language]];
  const look = { icon: symbol('warning'), tone: 'warn' } as const;
  switch (code) {
    case 'ACCOUNT_BANNED':
      return noticePage(language, { ...look, title: words.bannedTitle, text: words.bannedText });
    case 'RATE_LIMITED':
      return noticePage(language, { ...look, title: common.tooManyTitle, text: common.tooManyText });
    case 'NOT_FOUND':
      return noticePage(language, { ...look, title: words.goneTitle, text: words.goneText });
    default:
      return noticePage(language, { ...look, title: common.failureTitle, text: common.failureText });
  }
};

/** Registers routes with error pages and same-site forms. */
export const registerAccountScope = (app: App, deps: ServerDeps, register: (scope: App) => void): void => {
  app.register((scope, _options, registered) => {
    scope.setErrorHandler((error: unknown, request, reply) => {
      const problem = refuse(error, request, reply, deps);
      return sendPage(reply, failurePage(problem, languageFor(request)));
    });
    registerFormBody(scope, deps.config, FORM_BYTES_MAX);
    scope.addHook('preParsing', async (request, reply) => {
      if (request.method !== 'POST' || !isCrossSite(request, deps.webOrigin())) return;
      const { elsewhereTitle: title, elsewhereText: text } = ACCOUNT_MESSAGES[languageFor(request)];
      const notice = noticePage(languageFor(request), { icon: symbol('warning'), tone: 'warn', title, text });
      discardBody(request, reply);
      await sendPage(reply.code(403), notice);
    });
    register(scope);
    registered();
  });
};

/** Longer than any request of an app, and short enough for a response header. */
const PATH_MAX = 4_096;

/**
 * A redirect target on this server; anything else, including a disguised address of another site or a repeated
 * parameter, becomes the account page.
 */
export const ownPath = (next: unknown): string =>
  typeof next === 'string' && next.length <= PATH_MAX && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)
    ? next
    : '/account';

export type RequireAccount = (request: FastifyRequest, reply: FastifyReply) => Promise<AccountRow | null>;

/**
 * The signed-in account. Null: the response redirects to the sign-in, and from there back to the address of a GET.
 * Rejects with ACCOUNT_BANNED.
 */
export const createRequireAccount = (deps: ServerDeps, sessions: Sessions): RequireAccount => {
  const accounts = accountStore(deps.records);
  return async (request, reply) => {
    if (request.requester.kind === 'session') return request.requester.account;
    const token = readSessionToken(request, deps.webOrigin());
    const session = token === null ? undefined : await sessions.find(token);
    const account = session && (await accounts.byId(session.accountId));
    if (account !== undefined && account.bannedAt !== null) throw accountBanned();
    const next = ownPath(request.method === 'GET' ? request.url : null);
    void reply.header('cache-control', 'no-store').redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303);
    return null;
  };
};
