/**
 * `GET /u/{username}`: the page of an author with name, bio and public items, the same that the API lists (API
 * decisions 3). Only signed-in users see it, as the API document requires; others are redirected to the sign-in.
 */
import type { ContentType } from '../../api/content.ts';
import type { ItemPage, ListedItem } from '../../api/item-lists.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { listStore } from '../lists/list-store.ts';
import { createItemLists } from '../lists/page-of-items.ts';
import { type ProfileRow, profileStore } from '../lists/public-profile-store.ts';
import { ACCOUNT_MESSAGES } from './account/messages.ts';
import { formatDay, formatSize } from './format.ts';
import { type Html, html } from './html.ts';
import { symbol } from './icons.ts';
import { languageFor, noticePage, renderPage, sendPage } from './layout.ts';
import { type Language, MESSAGES } from './messages.ts';
import { authorPath } from './share/share-layout.ts';

const SYMBOLS = { IMAGE: 'image', VIDEO: 'video', PASTE: 'text', FOLDER: 'folder' } as const satisfies Record<
  ContentType,
  string
>;
const WORDS = { IMAGE: 'image', VIDEO: 'video', PASTE: 'note', FOLDER: 'folder' } as const satisfies Record<
  ContentType,
  string
>;

const card = (item: ListedItem, language: Language): Html => {
  const text = MESSAGES[language];
  const kind = text[WORDS[item.type]];
  if (!('title' in item))
    return html`<li><a href="/s/${item.id}"><span class="seen">${symbol('lock')}</span><strong>${kind}</strong><small>${text.protectedItem}</small></a></li>\n`;
  const { id, title, previewUrl, size, createdAt, viewLimit } = item;
  // The media of a view-limited item are served after an explicit open only.
  const isSeen = previewUrl !== null && viewLimit === null;
  const seen = isSeen ? html`<img src="${previewUrl}" alt="" loading="lazy">` : symbol(SYMBOLS[item.type]);
  const day = formatDay(Date.parse(createdAt), language);
  return html`<li><a href="/s/${id}"><span class="seen">${seen}</span><strong>${title}</strong><small>${kind} · ${formatSize(size, language)}<br><time datetime="${createdAt}">${day}</time></small></a></li>\n`;
};

const authorPage = (
  { username, name, bio, createdAt }: ProfileRow,
  { items, nextCursor }: ItemPage,
  language: Language,
): string => {
  const text = MESSAGES[language];
  const day = new Date(createdAt).toISOString();
  return renderPage({
    language,
    title: `${name} (@${username}) · Linkshot`,
    body: html`<main class="stage"><article class="item">
<section class="card about"><div>
<h1>${name}</h1>
<div class="by"><span class="initial" aria-hidden="true">${[...name][0]?.toUpperCase()}</span><p>@${username}<br>${text.since} <time datetime="${day}">${formatDay(createdAt, language)}</time></p></div>
${bio !== '' && html`<p class="by">${bio}</p>\n`}</div></section>
<h2>${text.itemsOf(name)}</h2>
${items.length === 0 ? html`<p class="hint">${text.noItems}</p>` : html`<ul class="works">\n${items.map((item) => card(item, language))}</ul>`}
${nextCursor !== null && html`<div class="actions"><a class="button" rel="next" href="${authorPath(username)}?cursor=${nextCursor}">${text.older}</a></div>\n`}</article></main>`,
  });
};

export const registerAuthorPage = (app: App, deps: ServerDeps): void => {
  const profiles = profileStore(deps.records);
  const lists = listStore(deps.records);
  const itemLists = createItemLists(deps);

  app.get<{ Params: { username: string }; Querystring: { cursor?: unknown } }>(
    '/u/:username',
    { schema: { hide: true } },
    async (request, reply) => {
      const language = languageFor(request);
      if (request.requester.kind !== 'session')
        return reply
          .header('cache-control', 'no-store')
          .redirect(`/sign-in?next=${encodeURIComponent(authorPath(request.params.username))}`, 303);
      const profile = await profiles.byUsername(request.params.username);
      if (profile === undefined) {
        const { goneTitle: title, goneText: text } = ACCOUNT_MESSAGES[language];
        return sendPage(reply.code(404), noticePage(language, { icon: symbol('unlink'), title, text }));
      }
      const { cursor } = request.query;
      const page = itemLists.request(request.requester.account, typeof cursor === 'string' ? cursor : undefined);
      const listed = itemLists.answer(await lists.profile(page, profile.id), page);
      return sendPage(reply, authorPage(profile, listed, language));
    },
  );
};
