/**
 * Who asks: the holder of an API key, someone signed in to the pages, or a guest. A bad key is an error and never makes a
 * guest (API document, "Authentication"); a session that has ended does.
 */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../api/account.ts';
import { createReadVersion } from '../database-version.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';
import { type AccountRow, createAccounts } from './accounts.ts';
import { createKeys, type KeyRow, scopesOf } from './keys.ts';
import { readSessionToken } from './session-cookie.ts';
import { createSessions } from './sessions.ts';

export interface KeyHolder {
  readonly kind: 'key';
  readonly account: AccountRow;
  readonly key: KeyRow;
  /** Of the database when account and key were looked at, which is when the request came. */
  readonly version: number;
}

interface Guest {
  readonly kind: 'guest';
}

/** Signed in to the account's pages: the owner of its items there, but nobody to the API, which wants a key. */
interface SignedIn {
  readonly kind: 'session';
  readonly account: AccountRow;
}

export type Asker = Guest | KeyHolder | SignedIn;

export const accountBanned = (): ProblemError =>
  new ProblemError('ACCOUNT_BANNED', 'This account is banned; ask the operator of the service.');

/** Give it an account as it is in the transaction that acts for it. Throws ACCOUNT_BANNED. */
export const requireActiveAccount = (account: AccountRow | undefined): AccountRow => {
  if (account === undefined) throw new Error('An account has lost its row.');
  if (account.bannedAt !== null) throw accountBanned();
  return account;
};

const BEARER = /^Bearer(?: +(.*))?$/i;

/** Tells who asks. Throws `ProblemError` with one of the 401 codes for a key that is not good. */
export const createAuthenticator = (deps: Pick<ServerDeps, 'database' | 'clock' | 'random' | 'webOrigin'>) => {
  const accounts = createAccounts(deps);
  const keys = createKeys(deps);
  const sessions = createSessions(deps);
  const readVersion = createReadVersion(deps.database);

  const withoutKey = (request: FastifyRequest): Asker => {
    const token = readSessionToken(request, deps.webOrigin());
    const session = token === null ? undefined : sessions.find(token);
    const account = session && accounts.byId(session.accountId);
    const isGood = account !== undefined && account.bannedAt === null;
    return isGood ? { kind: 'session', account } : { kind: 'guest' };
  };

  /** A client asks again and again with the same key over the same connection; what is known of it goes with that. */
  const remembered = new WeakMap<Socket, Remembered>();

  const find = ({ headers: { authorization = '' }, raw: { socket } }: FastifyRequest): KeyHolder | 'unknown' | null => {
    const known = remembered.get(socket);
    const version = readVersion();
    if (known?.authorization === authorization && known.holder.version === version) return known.holder;
    const match = BEARER.exec(authorization);
    if (match === null) return null;
    const found = keys.find((match[1] ?? '').trim());
    if (found === undefined) return 'unknown';
    const holder: KeyHolder = { kind: 'key', ...found, version };
    remembered.set(socket, { authorization, holder });
    return holder;
  };

  return (request: FastifyRequest): Asker => {
    if (request.headers.authorization === undefined) return withoutKey(request);
    const found = find(request);
    if (found === null) return withoutKey(request);
    if (found === 'unknown') {
      throw new ProblemError('API_KEY_INVALID', 'This API key is unknown; check it, or connect again for a new one.');
    }
    const { key, account } = found;
    if (key.revokedAt !== null) {
      throw new ProblemError('API_KEY_REVOKED', 'This API key was revoked; connect again for a new one.');
    }
    if (key.accessChangedAt !== null) {
      throw new ProblemError('ACCOUNT_ACCESS_CHANGED', 'The password of this account was changed; connect again.');
    }
    if (key.expiresAt !== null && key.expiresAt <= deps.clock.now()) {
      throw new ProblemError('API_KEY_EXPIRED', 'This API key has expired; connect again for a new one.');
    }
    if (account.bannedAt !== null) {
      throw accountBanned();
    }
    if (key.deviceId !== null && key.firstUsedAt === null) keys.recordFirstUse(key);
    return found;
  };
};

interface Remembered {
  readonly authorization: string;
  readonly holder: KeyHolder;
}

/** Lets a key pass that carries `scope`. Throws AUTH_REQUIRED without a key and SCOPE_MISSING for a lesser key. */
export const requireScope = (asker: Asker, scope: Scope): KeyHolder => {
  if (asker.kind !== 'key') {
    throw new ProblemError('AUTH_REQUIRED', 'Send an API key in the header "Authorization: Bearer KEY".');
  }
  if (!scopesOf(asker.key).includes(scope)) {
    throw new ProblemError('SCOPE_MISSING', `This API key lacks the permission ${scope}; use a key that has it.`, {
      params: { scope },
    });
  }
  return asker;
};

/** The key holder of a request whose endpoint names a scope: the gate has let it pass already. */
export const keyHolder = (request: FastifyRequest): KeyHolder => {
  if (request.asker.kind !== 'key') throw new Error('This route serves guests; it must look at request.asker.');
  return request.asker;
};

/**
 * The same, looked at again: a body may arrive for long, and what follows may take long, while the key is revoked or the
 * account changes. Ask before a transaction. Throws what a new request with this key would be answered.
 */
export const keyHolderNow = (request: FastifyRequest): KeyHolder => {
  request.identifyAgain();
  return keyHolder(request);
};
