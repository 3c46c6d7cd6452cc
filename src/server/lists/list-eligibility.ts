/** What may go into someone's favorites and albums: items that they may see. One-time items of others are in no list. */
import type { FastifyRequest } from 'fastify';
import type { ContentRow } from '../content/content-store.ts';
import type { ServerDeps } from '../deps.ts';
import { ANSWERS, type Standing } from '../sharing/access-table.ts';
import { createRequestAccess } from '../sharing/request-access.ts';

/** Whether an item of this standing may be in a list of who asks. */
export const isListed = (row: Pick<ContentRow, 'oneTime'>, standing: Standing): boolean => {
  const { api } = ANSWERS[standing];
  return standing === 'owner' || (row.oneTime === 0 && (api === 'show' || api === 'locked-card'));
};

/** Finds the item that a request names; undefined: there is none that the asker may keep. */
export const createListEligibility = (deps: ServerDeps) => {
  const visits = createRequestAccess(deps);
  return (request: FastifyRequest, id: string): ContentRow | undefined => {
    const { row, standing } = visits.lookByKey(request, id);
    return row !== undefined && isListed(row, standing) ? row : undefined;
  };
};
