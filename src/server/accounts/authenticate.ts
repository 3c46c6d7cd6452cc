/**
 * Identifies the requester: the holder of an API key, a user signed in to the pages, or a guest (API document,
 * "Authentication"). An invalid key and a key of a banned account are errors; an invalid session and a session of a
 * banned account make the requester a guest. Also checks that a key has the required scope.
 */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../api/account.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem-details.ts';
import { type AccountRow, accountStore } from './accounts.ts';
import { createApiKeys, type KeyAndAccount, type KeyRow, scopesOf } from './api-keys.ts';
import { createSessions, readSessionToken } from './sessions.ts';

export interface KeyHolder {
  readonly kind: 'key';
  readonly account: AccountRow;
  readonly key: KeyRow;
  /** Version of the records when account and key were read, at the start of the request; null: unknown. */
  readonly version: number | null;
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
    /** Set by the request pipeline before any handler runs; unset on routes without a request budget. */
    requester: Requester;
    /** Sets `requester` from the current state of the key or session. Rejects with one of the 401 codes, ACCOUNT_BANNED. */
    identifyAgain(): Promise<void>;
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

/** Throws one of the 401 codes or ACCOUNT_BANNED unless the key is valid. */
export const requireValidKey = ({ key, account }: KeyAndAccount, now: number): void => {
  if (key.revokedAt !== null) {
    throw new ProblemError('API_KEY_REVOKED', 'This API key was revoked; connect again for a new one.');
  }
  if (key.accessChangedAt !== null) {
    throw new ProblemError('ACCOUNT_ACCESS_CHANGED', 'The password of this account was changed; connect again.');
  }
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw new ProblemError('API_KEY_EXPIRED', 'This API key has expired; connect again for a new one.');
  }
  if (account.bannedAt !== null) throw accountBanned();
};

const BEARER = /^Bearer(?: +(.*))?$/i;

/**
 * Identifies the requester: at once if the connection has sent this key before and nothing has changed since. Throws or
 * rejects with `ProblemError` with one of the 401 codes for an invalid key.
 */
export const createAuthenticator = (deps: Pick<ServerDeps, 'records' | 'clock' | 'random' | 'webOrigin'>) => {
  const { records, clock } = deps;
  const accounts = accountStore(records);
  const keys = createApiKeys(deps);
  const sessions = createSessions(deps);

  const withoutKey = async (request: FastifyRequest): Promise<Requester> => {
    const token = readSessionToken(request, deps.webOrigin());
    const session = token === null ? undefined : await sessions.find(token);
    const account = session && (await accounts.byId(session.accountId));
    const isGood = account !== undefined && account.bannedAt === null;
    return isGood ? { kind: 'session', account } : { kind: 'guest' };
  };

  /** Clients repeat the same key on one connection; the cached result ends with the connection. */
  const remembered = new WeakMap<Socket, Remembered>();

  /** Throws unless the key is valid. */
  const checked = (holder: KeyHolder): KeyHolder => {
    requireValidKey(holder, clock.now());
    return holder;
  };

  const withKey = async (apiKey: string, socket: Socket, authorization: string): Promise<KeyHolder> => {
    const version = records.version();
    const found = await keys.find(apiKey);
    if (found === undefined) {
      throw new ProblemError('API_KEY_INVALID', 'This API key is unknown; check it, or connect again for a new one.');
    }
    const holder: KeyHolder = { kind: 'key', ...found, version };
    if (version !== null) remembered.set(socket, { authorization, holder });
    checked(holder);
    if (holder.key.deviceId !== null && holder.key.firstUsedAt === null) await keys.recordFirstUse(holder.key);
    return holder;
  };

  return (request: FastifyRequest): Requester | Promise<Requester> => {
    const { authorization } = request.headers;
    if (authorization === undefined) return withoutKey(request);
    const { socket } = request.raw;
    const known = remembered.get(socket);
    if (known?.authorization === authorization && known.holder.version === records.version()) {
      // A first use that could not be recorded is tried again.
      const { deviceId, firstUsedAt } = known.holder.key;
      if (deviceId === null || firstUsedAt !== null) return checked(known.holder);
    }
    const match = BEARER.exec(authorization);
    return match === null ? withoutKey(request) : withKey((match[1] ?? '').trim(), socket, authorization);
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
 * Call it before a transaction. Rejects with what a new request with this key would get.
 */
export const keyHolderNow = async (request: FastifyRequest): Promise<KeyHolder> => {
  await request.identifyAgain();
  return keyHolder(request);
};
