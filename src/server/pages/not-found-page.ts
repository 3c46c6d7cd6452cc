/** What a person sees at an address of the server that leads nowhere. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_MESSAGES } from './account/messages.ts';
import { symbol } from './icons.ts';
import { languageFor, noticePage, sendPage } from './layout.ts';

const isUser = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');

/** Null: a program asks, and is told in its own way. */
export const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
  if (!isUser(request)) return null;
  const language = languageFor(request);
  const { goneTitle: title, goneText: text } = ACCOUNT_MESSAGES[language];
  return sendPage(reply.code(404), noticePage(language, { icon: symbol('unlink'), title, text }));
};
