/** The page of an unknown address. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_MESSAGES } from './account/messages.ts';
import { symbol } from './icons.ts';
import { languageFor, noticePage, sendPage } from './layout.ts';

const isUser = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');

/** Null: the client is a program, which gets a different response. */
export const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
  if (!isUser(request)) return null;
  const language = languageFor(request);
  const { goneTitle: title, goneText: text } = ACCOUNT_MESSAGES[language];
  return sendPage(reply.code(404), noticePage(language, { icon: symbol('unlink'), title, text }));
};
