/** `GET /s/{id}` and its subpaths: the share pages, rendered on the server and complete without a script. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unreachable } from '../../../api/errors.ts';
import type { ContentRow } from '../../content/content-store.ts';
import type { ServerDeps } from '../../deps.ts';
import { registerFormBody } from '../../http/form-body.ts';
import type { App } from '../../http/route.ts';
import type { Renderer } from '../../notes/renderer.ts';
import { ANSWERS, mayPreview, type Standing } from '../../sharing/access-table.ts';
import type { Opener } from '../../sharing/open-link.ts';
import { createRequestAccess, requireToRead } from '../../sharing/request-access.ts';
import { languageFor, sendPage, unavailablePage } from '../layout.ts';
import { type AccessPage, type LockState, limitedPage, lockPage, oneTimePage } from './access-pages.ts';
import type { SharePage } from './frame.ts';
import { renderMediaPage } from './media-page.ts';
import { createFolderPage, type FolderAnswer, folderQuery } from './text/folder-page.ts';
import { createNotePage } from './text/note-page.ts';

const NONCE_BYTES = 16;
const FORM_BYTES_MAX = 8 * 1024;

interface SharePath {
  Params: { id: string };
}

/** A page in front of an item: one that asks for the password, or one with only a button. */
type Gate = LockState | 'one-time' | 'limited';

export const registerSharePages = (scope: App, deps: ServerDeps, opener: Opener, renderer: Renderer): void => {
  const { clock, config, random, webOrigin } = deps;
  const visits = createRequestAccess(deps);
  const notePage = createNotePage(deps, renderer);
  const folderPage = createFolderPage(deps, renderer);
  const oneTimeMinutes = Math.max(1, Math.round(config.limits.oneTimeSeconds / 60));

  const newNonce = (): string => random.bytes(NONCE_BYTES).toString('base64url');

  const sendUnavailablePage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(reply.code(404), unavailablePage(languageFor(request)));

  /** Null: the item was changed or deleted while the page was rendered. */
  const markupOf = async (
    request: FastifyRequest,
    row: ContentRow,
    page: SharePage,
    signal: AbortSignal,
  ): Promise<FolderAnswer | null> => {
    switch (row.type) {
      case 'IMAGE':
      case 'VIDEO':
        return { status: 200, markup: renderMediaPage(row, page) };
      case 'PASTE': {
        const markup = await notePage(row, page, signal);
        return markup === null ? null : { status: 200, markup };
      }
      case 'FOLDER':
        return folderPage(row, page, folderQuery(request.query), signal);
      default:
        return unreachable(row.type);
    }
  };

  const sendShare = async (
    request: FastifyRequest,
    reply: FastifyReply,
    row: ContentRow,
    standing: Standing,
  ): Promise<FastifyReply> => {
    await deps.reading.take(request, reply);
    const nonce = newNonce();
    const aborted = new AbortController();
    reply.raw.once('close', () => aborted.abort());
    const page = {
      language: languageFor(request),
      nonce,
      origin: webOrigin(),
      as: standing === 'owner' ? ('owner' as const) : ('viewer' as const),
      preview: mayPreview(standing, row) ? ('full' as const) : ('none' as const),
      now: clock.now(),
    };
    const answer = await markupOf(request, row, page, aborted.signal);
    if (answer === null) return sendUnavailablePage(request, reply);
    return sendPage(reply.code(answer.status), answer.markup, nonce);
  };

  /** Sends the page in front of the item while it may not be seen. */
  const sendGate = (request: FastifyRequest, reply: FastifyReply, { id }: ContentRow, gate: Gate): FastifyReply => {
    const page: AccessPage = { language: languageFor(request), id, nonce: newNonce() };
    return sendPage(reply, gatePage(page, gate), page.nonce);
  };

  const gatePage = (page: AccessPage, gate: Gate): string => {
    switch (gate) {
      case 'first':
      case 'password-needed':
      case 'password-wrong':
        return lockPage(page, gate);
      case 'one-time':
        return oneTimePage(page, oneTimeMinutes);
      case 'limited':
        return limitedPage(page);
      default:
        return unreachable(gate);
    }
  };

  registerFormBody(scope, config, FORM_BYTES_MAX);

  scope.route<SharePath>({
    method: ['GET', 'HEAD'],
    url: '/s/:id',
    schema: { hide: true },
    handler: async (request, reply) => {
      const { row, standing } = visits.look(request, request.params.id);
      requireToRead(request, standing);
      const { page } = ANSWERS[standing];
      if (row === undefined || row.objectId === null) return sendUnavailablePage(request, reply);
      switch (page) {
        case 'unavailable':
          return sendUnavailablePage(request, reply);
        case 'lock':
          return sendGate(request, reply, row, 'first');
        case 'button':
          return sendGate(request, reply, row, standing === 'one-time' ? 'one-time' : 'limited');
        case 'show':
          return sendShare(request, reply, row, standing);
        default:
          return unreachable(page);
      }
    },
  });

  scope.route<SharePath>({
    method: 'POST',
    url: '/s/:id/open',
    schema: { hide: true },
    handler: async (request, reply) => {
      const password = request.body instanceof URLSearchParams ? (request.body.get('password') ?? '') : '';
      const opening = await opener.open(request, reply, request.params.id, password);
      switch (opening.kind) {
        case 'unavailable':
          return sendUnavailablePage(request, reply);
        case 'password-needed':
        case 'password-wrong': {
          const { row } = visits.look(request, request.params.id);
          if (row === undefined) return sendUnavailablePage(request, reply);
          return sendGate(request, reply.code(403), row, opening.kind);
        }
        case 'opened':
          // A reload of the following page sends nothing twice.
          return reply.header('cache-control', 'no-store').redirect(`/s/${opening.row.id}`, 303);
        default:
          return unreachable(opening);
      }
    },
  });

  // Reloading the address of a form, after a wrong password, shows the page that contains the form.
  scope.get<SharePath>('/s/:id/open', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`/s/${encodeURIComponent(request.params.id)}`, 303),
  );
};
