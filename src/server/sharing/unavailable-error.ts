/**
 * The one answer for every link that is not available: unknown, deleted, expired, held, private, consumed or used up. It
 * is the same byte for byte, so that nothing about an item can be told from it; the request's id is in the header only.
 */
import type { FastifyReply } from 'fastify';
import { PROBLEM_TYPE, ProblemError, problemBody } from '../problem.ts';

const BODY = JSON.stringify(
  problemBody(new ProblemError('SHARE_UNAVAILABLE', 'This link is not available, or it is not for you.'), ''),
);

/** 404 SHARE_UNAVAILABLE (decisions 6). */
export const sendUnavailable = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('cache-control', 'no-store').type(PROBLEM_TYPE).serializer(String).send(BODY);
