/** `/sign-in`, `/sign-out` and `/account` with its forms: what users can do without an app. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SCOPES, type Scope } from '../../../api/account.ts';
import { LIMITS } from '../../../api/limits.ts';
import type { AccountReplies } from '../../accounts/account-reply.ts';
import { type AccountRow, createAccounts } from '../../accounts/accounts.ts';
import { createKeys } from '../../accounts/keys.ts';
import { quotaOf } from '../../accounts/plan.ts';
import { readProfile } from '../../accounts/profile.ts';
import type { RequestLog } from '../../accounts/request-log.ts';
import { clearSessionCookie, readSessionToken, type Sessions, setSessionCookie } from '../../accounts/sessions.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import type { Trials } from '../../accounts/trial.ts';
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/route-of-endpoint.ts';
import { networksOf, trialNetworkOf } from '../../limits/network.ts';
import { ProblemError } from '../../problem.ts';
import { registerAssets } from '../assets.ts';
import { languageFor, sendPage } from '../layout.ts';
import { type AccountNotice, accountPage, KEY_LIFETIMES, signInPage } from './account-pages.ts';
import { formOf, ownPath, type RequireAccount } from './frame.ts';
import { ACCOUNT_SHEET } from './styles.ts';

const DAY_MS = 86_400_000;
const HIDDEN = { schema: { hide: true } } as const;

export interface AccountPagesDeps {
  readonly answers: AccountReplies;
  readonly requestLog: RequestLog;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly trials: Trials;
  readonly requireAccount: RequireAccount;
}

export const registerAccountPages = (app: App, deps: ServerDeps, needs: AccountPagesDeps): void => {
  const { answers, requestLog, sessions, signIn, trials, requireAccount } = needs;
  const { clock, config, webOrigin } = deps;
  const accounts = createAccounts(deps);
  const keys = createKeys(deps);

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    { id }: AccountRow,
    notice: AccountNotice,
  ): FastifyReply => {
    const account = accounts.byId(id);
    if (account === undefined) throw new Error(`The account ${id} is gone.`);
    const now = clock.now();
    const markup = accountPage({
      language: languageFor(request),
      account,
      quotaBytes: quotaOf(config, account, now),
      subscription: answers.subscription(account, trialNetworkOf(request)),
      keys: keys.live(id),
      requests: requestLog.latest(id),
      notice,
      now,
    });
    return sendPage(reply, markup);
  };

  /** Redirects, so that a reload after a form sends nothing twice. */
  const redirect = (reply: FastifyReply, path: string): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(path, 303);

  app.get<{ Querystring: { next?: unknown } }>('/sign-in', HIDDEN, (request, reply) => {
    const next = ownPath(request.query.next);
    if (request.requester.kind === 'session') return redirect(reply, next);
    return sendPage(reply, signInPage(languageFor(request), { next, username: '', state: 'first' }));
  });

  app.post('/sign-in', HIDDEN, async (request, reply) => {
    const form = formOf(request);
    const next = ownPath(form.get('next'));
    const username = form.get('username') ?? '';
    const account = await signIn.check(username, form.get('password') ?? '', networksOf(request));
    if (account === null) {
      return sendPage(reply.code(401), signInPage(languageFor(request), { next, username, state: 'wrong' }));
    }
    const before = readSessionToken(request, webOrigin());
    if (before !== null) sessions.end(before);
    setSessionCookie(reply, sessions.start(account.id), webOrigin());
    return redirect(reply, next);
  });

  app.post('/sign-out', HIDDEN, (request, reply) => {
    const token = readSessionToken(request, webOrigin());
    if (token !== null) sessions.end(token);
    clearSessionCookie(reply, webOrigin());
    return redirect(reply, '/sign-in');
  });

  app.get<{ Querystring: { done?: unknown } }>('/account', HIDDEN, (request, reply) => {
    const account = requireAccount(request, reply);
    if (account === null) return reply;
    const { done } = request.query;
    return show(request, reply, account, { kind: done === 'profile-saved' || done === 'key-revoked' ? done : 'none' });
  });

  app.post('/account/profile', HIDDEN, (request, reply) => {
    const account = requireAccount(request, reply);
    if (account === null) return reply;
    const { profile, faults } = readProfile(formOf(request));
    if (faults.length > 0) return show(request, reply.code(400), account, { kind: 'profile-fault', profile, faults });
    accounts.setProfile(account.id, profile);
    return redirect(reply, '/account?done=profile-saved#profile');
  });

  app.post('/account/trial', HIDDEN, (request, reply) => {
    const account = requireAccount(request, reply);
    if (account === null) return reply;
    trials.start(account.id, trialNetworkOf(request));
    return redirect(reply, '/account#plan');
  });

  app.post('/account/keys', HIDDEN, (request, reply) => {
    const account = requireAccount(request, reply);
    if (account === null) return reply;
    const form = formOf(request);
    const name = (form.get('keyName') ?? '')
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    const scopes = form.getAll('scope');
    const lifetime = KEY_LIFETIMES.find((known) => known === form.get('lifetime'));
    if (!isKeyName(name) || !areScopes(scopes) || lifetime === undefined) {
      return show(request, reply.code(400), account, { kind: 'key-fault' });
    }
    const expiresAt = lifetime === 'never' ? null : clock.now() + Number(lifetime) * DAY_MS;
    const { apiKey } = keys.add({ accountId: account.id, name, scopes, expiresAt });
    return show(request, reply, account, { kind: 'key-made', apiKey });
  });

  // Reloading the address of a form shows the page that contains the form.
  for (const path of ['/account/profile', '/account/trial', '/account/keys']) {
    app.get(path, HIDDEN, (_request, reply) => redirect(reply, '/account'));
  }

  app.post<{ Params: { id: string } }>('/account/keys/:id/revoke', HIDDEN, (request, reply) => {
    const account = requireAccount(request, reply);
    if (account === null) return reply;
    if (!keys.revokeOwn(account.id, request.params.id)) {
      throw new ProblemError('NOT_FOUND', 'This account has no such key.');
    }
    return redirect(reply, '/account?done=key-revoked#keys');
  });

  registerAssets(app, [ACCOUNT_SHEET]);
};

const isKeyName = (name: string): boolean => name !== '' && [...name].length <= LIMITS.keyNameMaxCharacters;

const areScopes = (values: readonly string[]): values is readonly Scope[] =>
  values.length > 0 && values.every((value) => SCOPES.some((scope) => scope === value));
