/**
 * Routes of `/sign-in`, `/sign-out` and `/account`, with the forms that start the trial and change the user's name, bio
 * and other settings.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountReplies } from '../../accounts/account-reply.ts';
import { type AccountRow, createAccounts } from '../../accounts/accounts.ts';
import { quotaOf } from '../../accounts/plan.ts';
import type { Trials } from '../../accounts/plan-trial.ts';
import { readProfile } from '../../accounts/profile-form.ts';
import { clearSessionCookie, readSessionToken, type Sessions, setSessionCookie } from '../../accounts/sessions.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { storageUse } from '../../content/storage-and-view-counters.ts';
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { closedSignal } from '../../http/closed-signal.ts';
import { networksOf, trialNetworkOf } from '../../limits/address-networks.ts';
import { registerAssets } from '../assets.ts';
import { languageFor, sendPage } from '../layout.ts';
import { type AccountNotice, accountPage } from './account-page.ts';
import { formOf } from './read-form.ts';
import { ownPath, type RequireAccount } from './require-sign-in.ts';
import { signInPage } from './sign-in-and-connect-pages.ts';
import { originOfSignIn } from './sign-in-origin.ts';
import { ACCOUNT_SHEET } from './styles.ts';

const NONCE_BYTES = 16;
const HIDDEN = { schema: { hide: true } } as const;

export interface AccountPagesDeps {
  readonly answers: AccountReplies;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly trials: Trials;
  readonly requireAccount: RequireAccount;
}

export const registerAccountPages = (app: App, deps: ServerDeps, needs: AccountPagesDeps): void => {
  const { answers, sessions, signIn, trials, requireAccount } = needs;
  const { clock, config, records, random, webOrigin } = deps;
  const accounts = createAccounts(deps);

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { id }: AccountRow,
    notice: AccountNotice,
  ): Promise<FastifyReply> => {
    const account = await accounts.byId(id);
    if (account === undefined) throw new Error(`The account ${id} is gone.`);
    const now = clock.now();
    const nonce = random.bytes(NONCE_BYTES).toString('base64');
    const markup = accountPage({
      language: languageFor(request),
      nonce,
      account,
      kinds: await storageUse(records).byKind(id),
      quotaBytes: quotaOf(config, account, now),
      subscription: await answers.subscription(account, trialNetworkOf(request)),
      notice,
      now,
    });
    return sendPage(reply, markup, nonce);
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
    const networks = networksOf(request, config.limits);
    const account = await signIn.check(username, form.get('password') ?? '', networks, closedSignal(reply.raw));
    const token = account && (await sessions.start(account, originOfSignIn(request)));
    if (token === null) {
      return sendPage(reply.code(401), signInPage(languageFor(request), { next, username, state: 'wrong' }));
    }
    const before = readSessionToken(request, webOrigin());
    if (before !== null) await sessions.end(before);
    setSessionCookie(reply, token, webOrigin());
    return redirect(reply, next);
  });

  app.post('/sign-out', HIDDEN, async (request, reply) => {
    const token = readSessionToken(request, webOrigin());
    if (token !== null) await sessions.end(token);
    clearSessionCookie(reply, webOrigin());
    return redirect(reply, '/sign-in');
  });

  app.get<{ Querystring: { done?: unknown } }>('/account', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const isSaved = request.query.done === 'profile-saved';
    return await show(request, reply, account, { kind: isSaved ? 'profile-saved' : 'none' });
  });

  app.post('/account/profile', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const { profile, faults } = readProfile(formOf(request));
    if (faults.length > 0)
      return await show(request, reply.code(400), account, { kind: 'profile-fault', profile, faults });
    await accounts.setProfile(account.id, profile);
    return redirect(reply, '/account?done=profile-saved#profile');
  });

  app.post('/account/trial', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    await trials.start(account.id, trialNetworkOf(request));
    return redirect(reply, '/account#plan');
  });

  // Reloading the address of a form shows the page that contains the form.
  for (const path of ['/account/profile', '/account/trial']) {
    app.get(path, HIDDEN, (_request, reply) => redirect(reply, '/account'));
  }

  registerAssets(app, [ACCOUNT_SHEET]);
};
