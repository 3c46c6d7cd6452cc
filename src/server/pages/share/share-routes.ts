/**
 * `/s/{id}` and its subpaths: the share pages, the pages that ask for a password or a click first, the form that opens
 * the link (`/open`), and single files of a folder (`/raw`). All pages are rendered on the server and work without a
 * script.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { unreachable } from '../../../api/errors.ts';
import type { ContentId } from '../../../api/ids.ts';
import { baseName } from '../../../common/folder/file-tree.ts';
import type { ServerConfig } from '../../config/config.ts';
import type { ContentRow } from '../../content/content-rows.ts';
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { closedSignal } from '../../http/closed-signal.ts';
import { registerFormBody } from '../../http/request-body.ts';
import { contentDisposition, mediaHeaders } from '../../media/download-headers.ts';
import type { Renderer } from '../../rendering/renderer.ts';
import { ANSWERS, mayIndex, mayPreview, type Standing } from '../../sharing/access-rules.ts';
import type { Opener } from '../../sharing/open-link.ts';
import {
  changesTooOften,
  createRequestAccess,
  isAsBefore,
  LOOKS,
  type RequestAccess,
  requireDownload,
  requireToRead,
} from '../../sharing/requester-access.ts';
import { formatPeriod } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import { symbol } from '../icons.ts';
import { languageFor, noticePage, sendPage, unavailablePage } from '../layout.ts';
import { type Language, MESSAGES } from '../messages.ts';
import { renderMediaPage } from './media-page.ts';
import { createFolderPage, type FolderAnswer } from './notes-and-folders/folder-page.ts';
import { createNotePage } from './notes-and-folders/note-page.ts';
import { textQuery } from './notes-and-folders/text-view-options.ts';
import type { SharePage } from './share-layout.ts';

// The pages in front of an item, which reveal nothing about it: password, one-time link, view-limited link.

/** The inputs of a page in front of an item. `nonce` allows its script. */
interface AccessPage {
  readonly language: Language;
  readonly id: ContentId;
  /** What was asked for of the item, as a query. */
  readonly part: string;
  readonly nonce: string;
}

const PARTS = ['file', 'view', 'q', 't'] as const;
const PART_MAX = 2_048;

/** Such as `?file=a.ts`; kept over the page in front of the item. */
const partOf = (query: unknown): string => {
  const values = query as Record<string, unknown>;
  const wanted = new URLSearchParams();
  for (const name of PARTS) {
    const value = values[name];
    if (typeof value === 'string' && value.length <= PART_MAX) wanted.set(name, value);
  }
  return wanted.size === 0 ? '' : `?${wanted}`;
};

/**
 * A second click would abort the first response, and with it the only cookie that a link may give. The form takes the
 * fragment along, such as marked lines, which a browser then keeps over the redirect.
 */
const SCRIPT = trusted(`
const button = document.querySelector('form button');
addEventListener('submit', ({ target }) => {
  button.disabled = true;
  target.action = Object.assign(new URL(target.action), { hash: location.hash });
});
addEventListener('pageshow', () => { button.disabled = false; });
`);

/** Posts to the page's own address, which sets the cookie and redirects back: no script is needed. */
const openForm = ({ id, part, nonce }: AccessPage, fields: Html): Html =>
  html`<form method="post" action="/s/${id}/open${part}">${fields}</form>
<script nonce="${nonce}">${SCRIPT}</script>`;

type LockState = 'first' | 'password-needed' | 'password-wrong';

const lockPage = (page: AccessPage, state: LockState): string => {
  const { language } = page;
  const text = MESSAGES[language];
  const complaint = state === 'first' ? null : state === 'password-needed' ? text.passwordNeeded : text.passwordWrong;
  return noticePage(language, {
    icon: symbol('lock'),
    title: text.lockedTitle,
    text: text.lockedText,
    action: openForm(
      page,
      html`<div class="field"><label for="password">${text.password}</label>
<input id="password" name="password" type="password" required maxlength="512" autocomplete="off" autofocus${complaint !== null && html` aria-invalid="true" aria-describedby="complaint"`}>
${complaint !== null && html`<p class="wrong" id="complaint" role="alert">${complaint}</p>`}</div>
<button class="button primary" type="submit">${text.unlock}</button>`,
    ),
  });
};

const oneTimePage = (page: AccessPage, { oneTimeSeconds }: ServerConfig['limits']): string => {
  const { language } = page;
  const { oneTimeTitle: title, oneTimeText, open } = MESSAGES[language];
  const action = openForm(page, html`<button class="button primary" type="submit">${open}</button>`);
  const text = oneTimeText(formatPeriod(oneTimeSeconds, language));
  return noticePage(language, { icon: symbol('ticket'), title, text, action });
};

const limitedPage = (page: AccessPage, { viewerGrantSeconds }: ServerConfig['limits']): string => {
  const { language } = page;
  const { limitedTitle: title, limitedText, open } = MESSAGES[language];
  const action = openForm(page, html`<button class="button primary" type="submit">${open}</button>`);
  const text = limitedText(formatPeriod(viewerGrantSeconds, language));
  return noticePage(language, { icon: symbol('eye'), title, text, action });
};

/** Where to report the item at `address`: `{link}` in the operator's address becomes it. Null: nowhere. */
const reportUrlOf = (template: string | null, address: string): string | null =>
  template === null ? null : template.replaceAll('{link}', encodeURIComponent(address));

const NONCE_BYTES = 16;
const FORM_BYTES_MAX = 8 * 1024;

interface SharePath {
  Params: { id: string };
}

/** A requester who is shown the item. */
type Shown = RequestAccess & { readonly row: ContentRow };

const shownOf = ({ row, ...access }: RequestAccess): Shown | null =>
  row !== undefined && row.objectId !== null && ANSWERS[access.standing].page === 'show' ? { ...access, row } : null;

/** A page in front of an item: one that asks for the password, or one with only a button. */
type Gate = LockState | 'one-time' | 'limited';

export const registerSharePages = (scope: App, deps: ServerDeps, opener: Opener, renderer: Renderer): void => {
  const { clock, config, random, webOrigin } = deps;
  const visits = createRequestAccess(deps);
  const notePage = createNotePage(deps, renderer);
  const folderPage = createFolderPage(deps, renderer);

  const newNonce = (): string => random.bytes(NONCE_BYTES).toString('base64url');

  const sendUnavailablePage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(reply.code(404), unavailablePage(languageFor(request)));

  /** Null: the item was deleted. Rejects when its bytes cannot be read, also because it was changed meanwhile. */
  const markupOf = async (
    request: FastifyRequest,
    row: ContentRow,
    page: SharePage,
    signal: AbortSignal,
  ): Promise<FolderAnswer | null> => {
    switch (row.type) {
      case 'IMAGE':
      case 'VIDEO':
        return { status: 200, markup: renderMediaPage(row, page, (request.query as Record<string, unknown>)['t']) };
      case 'PASTE': {
        const markup = await notePage(row, page, textQuery(request.query), signal);
        return markup === null ? null : { status: 200, markup };
      }
      case 'FOLDER':
        return folderPage.answer(row, page, textQuery(request.query), signal);
      default:
        return unreachable(row.type);
    }
  };

  const pageOf = (request: FastifyRequest, row: ContentRow, standing: Standing, nonce: string): SharePage => ({
    language: languageFor(request),
    nonce,
    origin: webOrigin(),
    as: standing === 'owner' ? 'owner' : 'viewer',
    preview: mayPreview(standing, row) ? 'full' : 'none',
    mayIndex: mayIndex(standing),
    now: clock.now(),
    isSignedIn: request.requester.kind === 'session',
    reportUrl: reportUrlOf(config.web.reportUrl, `${webOrigin()}/s/${row.id}`),
  });

  /** Sends the page in front of the item while it may not be seen. */
  const sendGate = (request: FastifyRequest, reply: FastifyReply, { id }: ContentRow, gate: Gate): FastifyReply => {
    const page: AccessPage = { language: languageFor(request), id, part: partOf(request.query), nonce: newNonce() };
    return sendPage(reply, gatePage(page, gate), page.nonce);
  };

  const gatePage = (page: AccessPage, gate: Gate): string => {
    switch (gate) {
      case 'first':
      case 'password-needed':
      case 'password-wrong':
        return lockPage(page, gate);
      case 'one-time':
        return oneTimePage(page, config.limits);
      case 'limited':
        return limitedPage(page, config.limits);
      default:
        return unreachable(gate);
    }
  };

  /** Sends the page that a requester gets who is not shown the item. */
  const sendInstead = (
    request: FastifyRequest,
    reply: FastifyReply,
    { row, standing }: Pick<RequestAccess, 'row' | 'standing'>,
  ): FastifyReply => {
    const { page } = ANSWERS[standing];
    if (row === undefined || row.objectId === null) return sendUnavailablePage(request, reply);
    switch (page) {
      case 'show':
      case 'unavailable':
        return sendUnavailablePage(request, reply);
      case 'lock':
        return sendGate(request, reply, row, 'first');
      case 'button':
        return sendGate(request, reply, row, standing === 'one-time' ? 'one-time' : 'limited');
      default:
        return unreachable(page);
    }
  };

  /**
   * Sends the page of the item. Making it may take seconds, so it is sent only to a requester who still has the access
   * that it was made for.
   */
  const sendShare = async (request: FastifyRequest, reply: FastifyReply, first: Shown): Promise<FastifyReply> => {
    await deps.reading.take(request, reply);
    const nonce = newNonce();
    const closed = closedSignal(reply.raw);
    let seen = first;
    for (let look = 1; look <= LOOKS; look += 1) {
      const { row, standing } = seen;
      const page = pageOf(request, row, standing, nonce);
      const [made] = await Promise.allSettled([markupOf(request, row, page, closed)]);
      if (closed.aborted) return reply.hijack();
      const now = await visits.lookAgain(request, row.id, standing);
      const shown = shownOf(now);
      if (shown === null) return sendInstead(request, reply, now);
      if (isAsBefore(seen, shown)) {
        if (made.status === 'rejected') throw made.reason;
        if (made.value === null) return sendUnavailablePage(request, reply);
        if (made.value.status === 303)
          return reply.header('cache-control', 'no-store').redirect(made.value.location, 303);
        return sendPage(reply.code(made.value.status), made.value.markup, nonce);
      }
      seen = shown;
    }
    throw changesTooOften();
  };

  registerFormBody(scope, config, FORM_BYTES_MAX);

  scope.route<SharePath>({
    method: ['GET', 'HEAD'],
    url: '/s/:id',
    schema: { hide: true },
    handler: async (request, reply) => {
      const visit = await visits.look(request, request.params.id);
      requireToRead(request, visit.standing);
      const shown = shownOf(visit);
      return shown === null ? sendInstead(request, reply, visit) : sendShare(request, reply, shown);
    },
  });

  /** The folder whose files the requester may have; null: not a folder, or not for this requester. */
  const folderOf = ({ row, standing }: RequestAccess): ContentRow | null =>
    row?.type === 'FOLDER' && ANSWERS[standing].media === 'serve' ? row : null;

  /** Of any kind of item, since the pages in front of an item do not show which it is. */
  const sendInsteadOfFile = (
    request: FastifyRequest,
    reply: FastifyReply,
    { row, standing }: RequestAccess,
  ): FastifyReply =>
    row !== undefined && ANSWERS[standing].media === 'open-first' && textQuery(request.query).file !== undefined
      ? reply.header('cache-control', 'no-store').redirect(`/s/${row.id}${partOf(request.query)}`, 303)
      : sendUnavailablePage(request, reply);

  scope.route<SharePath>({
    method: ['GET', 'HEAD'],
    url: '/s/:id/raw',
    schema: { hide: true },
    handler: async (request, reply) => {
      const visit = await visits.look(request, request.params.id);
      const { file } = textQuery(request.query);
      const isDownload = (request.query as Record<string, unknown>)['download'] === '1';
      const row = folderOf(visit);
      if (row === null || file === undefined) return sendInsteadOfFile(request, reply, visit);
      requireToRead(request, visit.standing);
      if (isDownload) requireDownload(row, visit.standing);
      await deps.reading.take(request, reply);
      const closed = closedSignal(reply.raw);
      const [read] = await Promise.allSettled([folderPage.readFile(row, file, closed)]);
      if (closed.aborted) return reply.hijack();
      const now = await visits.lookAgain(request, row.id, visit.standing);
      const rowNow = folderOf(now);
      if (rowNow === null) return sendInsteadOfFile(request, reply, now);
      if (isDownload) requireDownload(rowNow, now.standing);
      if (read.status === 'rejected') throw read.reason;
      const bytes = read.value;
      if (bytes === null) return sendUnavailablePage(request, reply);
      return reply
        .headers({
          ...mediaHeaders(now.standing),
          'cache-control': 'no-store',
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': contentDisposition(isDownload ? 'attachment' : 'inline', baseName(file)),
        })
        .send(bytes);
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
          const { row } = await visits.look(request, request.params.id);
          if (row === undefined) return sendUnavailablePage(request, reply);
          return sendGate(request, reply.code(403), row, opening.kind);
        }
        case 'opened':
          // A reload of the following page sends nothing twice.
          return reply
            .header('cache-control', 'no-store')
            .redirect(`/s/${opening.row.id}${partOf(request.query)}`, 303);
        default:
          return unreachable(opening);
      }
    },
  });

  // Reloading the address of a form, after a wrong password, shows the page that contains the form.
  scope.get<SharePath>('/s/:id/open', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`/s/${encodeURIComponent(request.params.id)}${partOf(request.query)}`, 303),
  );
};
