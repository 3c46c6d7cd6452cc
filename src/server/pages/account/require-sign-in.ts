/**
 * Returns the signed-in account of a request to a page, or redirects to the sign-in, which then leads back to the page,
 * or to `/account` after a form. Refuses a banned account (ACCOUNT_BANNED). Also restricts the targets of redirects to
 * this server (`ownPath`).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AccountRow, accountStore } from '../../accounts/accounts.ts';
import { accountBanned } from '../../accounts/authenticate.ts';
import { readSessionToken, type Sessions } from '../../accounts/sessions.ts';
import type { ServerDeps } from '../../deps.ts';

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
