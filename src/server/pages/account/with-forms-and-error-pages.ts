/**
 * Registers the routes of the account, of the sign-in and of connecting a device with what they share: forms are
 * parsed, those of other sites are refused (CSRF), and errors are shown as pages. It requires no sign-in: a route that
 * needs an account calls `requireAccount` (`require-sign-in.ts`).
 */
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { isCrossSite } from '../../http/csrf.ts';
import { discardBody } from '../../http/discard-body.ts';
import { refuse } from '../../http/error-responses.ts';
import { registerFormBody } from '../../http/request-body.ts';
import type { ProblemError } from '../../problem-details.ts';
import { symbol } from '../icons.ts';
import { languageFor, noticePage, sendPage } from '../layout.ts';
import { type Language, MESSAGES } from '../messages.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';

const FORM_BYTES_MAX = 32 * 1024;

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
export const withFormsAndErrorPages = (app: App, deps: ServerDeps, register: (scope: App) => void): void => {
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
