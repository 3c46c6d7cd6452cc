/**
 * Decides which items may be in the lists of an account (favorites, albums, feed, profiles): its own, and those of
 * others that the API shows it, at least as a locked card. Unlisted and one-time items of others are in no list.
 */
import type { FastifyRequest } from 'fastify';
import type { ContentRow } from '../content/content-rows.ts';
import type { ServerDeps } from '../deps.ts';
import { ANSWERS, type Standing } from '../sharing/access-rules.ts';
import { createRequestAccess } from '../sharing/requester-access.ts';

/** Whether an item with this standing may be in the requester's lists. */
export const isListed = (row: Pick<ContentRow, 'oneTime'>, standing: Standing): boolean => {
  const { api } = ANSWERS[standing];
  return standing === 'owner' || (row.oneTime === 0 && (api === 'show' || api === 'locked-card'));
};

/** Finds the requested item; undefined: unknown, or the requester may not keep it. */
export const createListEligibility = (deps: ServerDeps) => {
  const visits = createRequestAccess(deps);
  return async (request: FastifyRequest, id: string): Promise<ContentRow | undefined> => {
    const { row, standing } = await visits.lookByKey(request, id);
    return row !== undefined && isListed(row, standing) ? row : undefined;
  };
};
