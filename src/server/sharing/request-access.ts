/** Determines a requester's access to an item: collects the inputs of the access table. */
import type { FastifyRequest } from 'fastify';
import { requireScope } from '../accounts/authenticate.ts';
import { type ContentRow, createContentStore } from '../content/content-store.ts';
import type { ServerDeps } from '../deps.ts';
import { type ItemState, type RequesterState, type Standing, standingOf } from './access-table.ts';
import { createGrants, type Grant, type Viewer, viewerOfRequest } from './grants.ts';

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
export interface RequestAccess {
  readonly row: ContentRow | undefined;
  readonly standing: Standing;
  readonly viewer: Viewer | null;
  readonly grant: Grant | undefined;
}

export const createRequestAccess = ({ database, clock, webOrigin }: ServerDeps) => {
  const store = createContentStore(database);
  const grants = createGrants(database);

  const isOwner = (request: FastifyRequest, row: ContentRow): boolean =>
    request.requester.kind !== 'guest' && request.requester.account.id === row.accountId;

  return {
    /** `password` proven: this request contained the right one. */
    look: (request: FastifyRequest, id: string, password: RequesterState['password'] = 'none'): RequestAccess => {
      const row = store.byId(id);
      const viewer = viewerOfRequest(request, webOrigin());
      if (row === undefined) return { row, standing: 'unknown', viewer, grant: undefined };
      const now = clock.now();
      const grant = viewer === null ? undefined : grants.live(viewer, row, now);
      const standing = standingOf(itemState(row, now), {
        who: isOwner(request, row) ? 'owner' : 'other',
        grant: grant === undefined ? 'none' : 'live',
        password,
      });
      return { row, standing, viewer, grant };
    },
    /** The same for the API, where a key is used and cookies are ignored. */
    lookByKey: (
      request: FastifyRequest,
      id: string,
      byId = store.byId,
    ): { row: ContentRow | undefined; standing: Standing } => {
      const row = byId(id);
      if (row === undefined) return { row, standing: 'unknown' };
      const who = isOwner(request, row) ? 'owner' : 'other';
      const standing = standingOf(itemState(row, clock.now()), { who, grant: 'none', password: 'none' });
      return { row, standing };
    },
    isOwner,
  };
};
