/**
 * Determines what a requester may do with an item: collects the inputs of the access table (`access-rules.ts`) from the
 * item, the key or sign-in, and the viewer cookies.
 */
import type { FastifyRequest } from 'fastify';
import { requireScope } from '../accounts/authenticate.ts';
import { type ContentRow, contentRows } from '../content/content-rows.ts';
import type { Sql } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError, serverBusy } from '../problem-details.ts';
import { type ItemState, type RequesterState, type Standing, standingOf } from './access-rules.ts';
import { type Grant, grantStore, viewersOfRequest } from './browser-grants.ts';

/** The item's inputs of the access table at `now`. */
export const itemState = (row: ContentRow, now: number): ItemState => ({
  expired: row.expiresAt !== null && row.expiresAt <= now,
  held: row.moderationHold !== null || row.authorBannedAt !== null,
  visibility: row.visibility,
  passwordProtected: row.passwordHash !== null,
  oneTime: row.oneTime === 0 ? 'no' : row.consumedAt === null ? 'unused' : 'consumed',
  viewLimit: row.viewLimit === null ? 'none' : row.views < row.viewLimit ? 'views-left' : 'reached',
});

/**
 * An own item requires a key with read scope: private content must not leave by a key without it. Throws SCOPE_MISSING.
 */
export const requireToRead = ({ requester }: FastifyRequest, standing: Standing): void => {
  if (standing === 'owner' && requester.kind === 'key') requireScope(requester, 'content:read');
};

/** `row` is undefined exactly when the standing is `unknown`. */
export interface RequestAccess<Row extends ContentRow = ContentRow> {
  readonly row: Row | undefined;
  readonly standing: Standing;
  readonly grant: Grant | undefined;
}

/**
 * Whether a response made for `before` may still be sent: the requester has the same access, and the item the same bytes.
 */
export const isAsBefore = (
  before: Pick<RequestAccess, 'row' | 'standing'>,
  now: Pick<RequestAccess, 'row' | 'standing'>,
): boolean =>
  now.standing === before.standing &&
  now.row?.accessVersion === before.row?.accessVersion &&
  now.row?.objectId === before.row?.objectId;

/** How often a response is made for an item that changes meanwhile, before `changesTooOften` is thrown. */
export const LOOKS = 5;

export const changesTooOften = (): ProblemError =>
  serverBusy('The item is being changed all the time; try again soon.');

/** Throws DOWNLOAD_DISABLED where the owner lets nobody else download the item. */
export const requireDownload = ({ allowDownload }: Pick<ContentRow, 'allowDownload'>, standing: Standing): void => {
  if (standing !== 'owner' && allowDownload === 0)
    throw new ProblemError('DOWNLOAD_DISABLED', 'The owner does not allow downloads of this item.');
};

export const createRequestAccess = ({ records, clock, webOrigin }: ServerDeps) => {
  const isOwner = (request: FastifyRequest, row: ContentRow): boolean =>
    request.requester.kind !== 'guest' && request.requester.account.id === row.accountId;

  /** The access to a row that was read over `from`. */
  const assess = async <Row extends ContentRow>(
    from: Sql,
    request: FastifyRequest,
    row: Row | undefined,
    password: RequesterState['password'] = 'none',
  ): Promise<RequestAccess<Row>> => {
    if (row === undefined) return { row, standing: 'unknown', grant: undefined };
    const now = clock.now();
    const grant = await grantStore(from).live(viewersOfRequest(request, webOrigin(), row.id), row, now);
    const standing = standingOf(itemState(row, now), {
      who: isOwner(request, row) ? 'owner' : 'other',
      grant: grant === undefined ? 'none' : 'live',
      password,
    });
    return { row, standing, grant };
  };

  /** The access by the API to a row, where a key is used and cookies are ignored. */
  const standingByKey = (
    request: FastifyRequest,
    row: ContentRow | undefined,
  ): { row: ContentRow | undefined; standing: Standing } => {
    if (row === undefined) return { row, standing: 'unknown' };
    const who = isOwner(request, row) ? 'owner' : 'other';
    const standing = standingOf(itemState(row, clock.now()), { who, grant: 'none', password: 'none' });
    return { row, standing };
  };

  const look = async (request: FastifyRequest, id: string): Promise<RequestAccess> =>
    await assess(records, request, await contentRows(records).byId(id));

  return {
    assess,
    look,
    /**
     * The access now, after a wait in which the item may have changed; call it right before a response is sent. The key or
     * session of an owner may have ended too: then it rejects with what a new request with the key would get.
     */
    lookAgain: async (request: FastifyRequest, id: string, before: Standing): Promise<RequestAccess> => {
      if (before === 'owner') await request.identifyAgain();
      return await look(request, id);
    },
    standingByKey,
    lookByKey: async (request: FastifyRequest, id: string) =>
      standingByKey(request, await contentRows(records).byId(id)),
    isOwner,
  };
};
