/** Routes of `/account/security` and its forms: password, sessions, connected devices and API keys. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SCOPES, type Scope } from '../../../api/account.ts';
import { LIMITS } from '../../../api/limits.ts';
import { isValidPassword } from '../../../api/password-rules.ts';
import { type AccountRow, createAccounts } from '../../accounts/accounts.ts';
import { createApiKeys, TooManyKeysError } from '../../accounts/api-keys.ts';
import type { RequestLog } from '../../accounts/request-log.ts';
import { clearSessionCookie, readSessionToken, type Sessions, setSessionCookie } from '../../accounts/sessions.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { closedSignal } from '../../http/closed-signal.ts';
import { networksOf } from '../../limits/address-networks.ts';
import { normalizePassword, type Passwords } from '../../passwords.ts';
import { ProblemError } from '../../problem-details.ts';
import { languageFor, sendPage } from '../layout.ts';
import { formOf } from './read-form.ts';
import type { RequireAccount } from './require-sign-in.ts';
import { KEY_LIFETIMES, SECURITY_RESULTS, type SecurityNotice, securityPage } from './security-page.ts';
import { originOfSignIn } from './sign-in-origin.ts';

const DAY_MS = 86_400_000;
const NONCE_BYTES = 16;
const HIDDEN = { schema: { hide: true } } as const;

interface SecurityPagesNeeds {
  readonly passwords: Passwords;
  readonly requestLog: RequestLog;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly requireAccount: RequireAccount;
}

export const registerSecurityPages = (app: App, deps: ServerDeps, needs: SecurityPagesNeeds): void => {
  const { passwords, requestLog, sessions, signIn, requireAccount } = needs;
  const { clock, config, random, webOrigin } = deps;
  const accounts = createAccounts(deps);
  const keys = createApiKeys(deps);

  const currentSession = (request: FastifyRequest): string => {
    const token = readSessionToken(request, webOrigin());
    if (token === null) throw new Error('A signed-in request has no session.');
    return sessions.idOf(token);
  };

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: AccountRow,
    notice: SecurityNotice,
  ): Promise<FastifyReply> => {
    const nonce = random.bytes(NONCE_BYTES).toString('base64');
    const markup = securityPage({
      ...{ language: languageFor(request), nonce, account, notice },
      sessions: await sessions.list(account.id),
      currentSession: currentSession(request),
      devices: await keys.live(account.id, 'device'),
      keys: await keys.live(account.id, 'by-hand'),
      requests: await requestLog.latest(account.id),
    });
    return sendPage(reply, markup, nonce);
  };

  /** Redirects, so that a reload after a form sends nothing twice. */
  const redirect = (
    reply: FastifyReply,
    result: (typeof SECURITY_RESULTS)[number],
    card: 'password' | 'sessions' | 'devices' | 'keys',
  ): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(`/account/security?done=${result}#${card}`, 303);

  app.get<{ Querystring: { done?: unknown } }>('/account/security', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const kind = SECURITY_RESULTS.find((known) => known === request.query.done) ?? 'none';
    return await show(request, reply, account, { kind });
  });

  // Reloading the address of a form shows the page that contains the form.
  for (const path of ['/account/password', '/account/keys']) {
    app.get(path, HIDDEN, (_request, reply) =>
      reply.header('cache-control', 'no-store').redirect('/account/security', 303),
    );
  }

  /** Ends everything that the old password has opened, and goes on in this browser with a new session. */
  app.post('/account/password', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const form = formOf(request);
    const wanted = form.get('wanted') ?? '';
    const refuse = (fault: 'current' | 'wanted' | 'repeated'): Promise<FastifyReply> =>
      show(request, reply.code(400), account, { kind: 'password-fault', fault });
    if (!isValidPassword(wanted)) return await refuse('wanted');
    if (form.get('repeated') !== wanted) return await refuse('repeated');
    const networks = networksOf(request, config.limits);
    const known = await signIn.check(account.username, form.get('current') ?? '', networks, closedSignal(reply.raw));
    if (known === null) return await refuse('current');
    const hash = await passwords.hash(normalizePassword(wanted));
    // The account may have been banned, or the session ended, while the passwords were checked.
    await request.identifyAgain();
    if ((await requireAccount(request, reply)) === null) return reply;
    const changed = await accounts.changePassword(known, hash);
    if (changed === null) {
      await request.identifyAgain();
      return (await requireAccount(request, reply)) === null ? reply : await refuse('current');
    }
    const token = await sessions.start(changed, originOfSignIn(request));
    // The password was changed again meanwhile, or the account was banned: the next page asks to sign in.
    if (token === null) clearSessionCookie(reply, webOrigin());
    else setSessionCookie(reply, token, webOrigin());
    return redirect(reply, 'password-changed', 'password');
  });

  app.post<{ Params: { id: string } }>('/account/sessions/:id/end', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    if (!(await sessions.endOwn(account.id, request.params.id)))
      throw new ProblemError('NOT_FOUND', 'This account has no such session.');
    return redirect(reply, 'session-ended', 'sessions');
  });

  app.post('/account/sessions/end-others', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    await sessions.endOthers(account.id, currentSession(request));
    return redirect(reply, 'sessions-ended', 'sessions');
  });

  const revoke = async (account: AccountRow, id: string): Promise<void> => {
    if (!(await keys.revokeOwn(account.id, id))) throw new ProblemError('NOT_FOUND', 'This account has no such key.');
  };

  app.post<{ Params: { id: string } }>('/account/devices/:id/disconnect', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    await revoke(account, request.params.id);
    return redirect(reply, 'device-disconnected', 'devices');
  });

  app.post('/account/devices/disconnect-all', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    await keys.revokeDevices(account.id);
    return redirect(reply, 'devices-disconnected', 'devices');
  });

  app.post<{ Params: { id: string } }>('/account/keys/:id/revoke', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    await revoke(account, request.params.id);
    return redirect(reply, 'key-revoked', 'keys');
  });

  app.post('/account/keys', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const form = formOf(request);
    const name = (form.get('keyName') ?? '')
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    const scopes = form.getAll('scope');
    const lifetime = KEY_LIFETIMES.find((known) => known === form.get('lifetime'));
    if (!isKeyName(name) || !areScopes(scopes) || lifetime === undefined) {
      return await show(request, reply.code(400), account, { kind: 'key-fault' });
    }
    const expiresAt = lifetime === 'never' ? null : clock.now() + Number(lifetime) * DAY_MS;
    try {
      const { apiKey } = await keys.add({ accountId: account.id, name, scopes, expiresAt });
      return await show(request, reply, account, { kind: 'key-made', apiKey });
    } catch (error) {
      if (!(error instanceof TooManyKeysError)) throw error;
      return await show(request, reply.code(400), account, { kind: 'too-many-keys' });
    }
  });
};

const isKeyName = (name: string): boolean => name !== '' && [...name].length <= LIMITS.keyNameMaxCharacters;

const areScopes = (values: readonly string[]): values is readonly Scope[] =>
  values.length > 0 && values.every((value) => SCOPES.some((scope) => scope === value));
