/**
 * The same error response for every unavailable link, whether unknown, deleted, expired, on hold, private or used up,
 * so that it reveals nothing about the item. Also the error (410) that tells the owner that an item has expired.
 */
import type { FastifyReply } from 'fastify';
import { PROBLEM_TYPE, ProblemError, problemBody } from '../problem-details.ts';

const BODY = JSON.stringify(
  problemBody(new ProblemError('SHARE_UNAVAILABLE', 'This link is not available, or it is not for you.'), ''),
);

/** 404 SHARE_UNAVAILABLE (API decisions 6). */
export const sendUnavailable = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('cache-control', 'no-store').type(PROBLEM_TYPE).serializer(String).send(BODY);

/** 410, for the owner alone (API decisions 6, row 3). */
export const contentGone = (): ProblemError =>
  new ProblemError('CONTENT_GONE', 'The item has expired; upload the file again.');
