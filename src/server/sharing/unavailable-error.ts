/**
 * The one response for every unavailable link, whether unknown, deleted, expired, held, private, consumed or used up.
 * It is byte-identical, so that it reveals nothing about the item; the request's id is in the header only. Also the
 * API's error for an item that is gone.
 */
import type { FastifyReply } from 'fastify';
import { PROBLEM_TYPE, ProblemError, problemBody } from '../problem.ts';

const BODY = JSON.stringify(
  problemBody(new ProblemError('SHARE_UNAVAILABLE', 'This link is not available, or it is not for you.'), ''),
);

/** 404 SHARE_UNAVAILABLE (API decisions 6). */
export const sendUnavailable = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('cache-control', 'no-store').type(PROBLEM_TYPE).serializer(String).send(BODY);

/** 410, for the owner alone (API decisions 6, row 3). */
export const contentGone = (): ProblemError =>
  new ProblemError('CONTENT_GONE', 'The item has expired; upload the file again.');
