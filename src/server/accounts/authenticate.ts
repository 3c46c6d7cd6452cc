/**
 * Identifies the requester: the holder of an API key, a user signed in to the pages, or a guest. An invalid key is an
 * error and never makes a guest (API document, "Authentication"); an expired session does.
 */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../api/account.ts';
import { createReadVersion } from '../database.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';
import { type AccountRow, createAccounts } from './accounts.ts';
import { createKeys, type KeyRow, scopesOf } from './keys.ts';
import { createSessions, readSessionToken } from './sessions.ts';

export interface KeyHolder {
  readonly kind: 'key';
  readonly account: AccountRow;
  readonly key: KeyRow;
  /** Version of the database when account and key were read, at the start of the request. */
  readonly version: number;
}

interface Guest {
  readonly kind: 'guest';
}

/** Signed in to the account's pages: the owner of its items on share pages; the API requires a key. */
interface SignedIn {
  readonly kind: 'session';
  readonly account: AccountRow;
}

export type Requester = Guest | KeyHolder | SignedIn;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the request pipeline before any handler runs. */
    requester: Requester;
    /** Sets `requester` from the current state of the key or session. Throws one of the 401 codes, ACCOUNT_BANNED. */
    identifyAgain(): void;
  }
}

export const accountBanned = (): ProblemError =>
  new ProblemError('ACCOUNT_BANNED', 'This account is banned; ask the operator of the service.');

/** Pass the account as read in the transaction that acts for it. Throws ACCOUNT_BANNED. */
export const requireActiveAccount = (account: AccountRow | undefined): AccountRow => {
  if (account === undefined) throw new Error('An account has lost its row.');
  if (account.bannedAt !== null) throw accountBanned();
  return account;
};

const BEARER = /^Bearer(?: +(.*))?$/i;

/** Identifies the requester. Throws `ProblemError` with one of the 401 codes for an invalid key. */
export const createAuthenticator = (deps: Pick<ServerDeps, 'database' | 'clock' | 'random' | 'webOrigin'>) => {
  const accounts = createAccounts(deps);
  const keys = createKeys(deps);
  const sessions = createSessions(deps);
  const readVersion = createReadVersion(deps.database);

  const withoutKey = (request: FastifyRequest): Requester => {
    const token = readSessionToken(request, deps.webOrigin());
    const session = token === null ? undefined : sessions.find(token);
    const account = session && accounts.byId(session.accountId);
    const isGood = account !== undefined && account.bannedAt === null;
    return isGood ? { kind: 'session', account } : { kind: 'guest' };
  };

  /** Clients repeat the same key on one connection; the cached result ends with the connection. */
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

  return (request: FastifyRequest): Requester => {
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

/** Requires a key with `scope`. Throws AUTH_REQUIRED without a key and SCOPE_MISSING for a lesser key. */
export const requireScope = (requester: Requester, scope: Scope): KeyHolder => {
  if (requester.kind !== 'key') {
    throw new ProblemError('AUTH_REQUIRED', 'Send an API key in the header "Authorization: Bearer KEY".');
  }
  if (!scopesOf(requester.key).includes(scope)) {
    throw new ProblemError('SCOPE_MISSING', `This API key lacks the permission ${scope}; use a key that has it.`, {
      params: { scope },
    });
  }
  return requester;
};

/** The key holder of a request whose endpoint has a scope, which the request pipeline has checked. */
export const keyHolder = (request: FastifyRequest): KeyHolder => {
  if (request.requester.kind !== 'key') throw new Error('This route serves guests; it must look at request.requester.');
  return request.requester;
};

/**
 * The same, read again: a body or a completion may take long, during which the key is revoked or the account changes.
 * Call it before a transaction. Throws what a new request with this key would get.
 */
export const keyHolderNow = (request: FastifyRequest): KeyHolder => {
  request.identifyAgain();
  return keyHolder(request);
};
