/** Routes of `/account/items` and its forms: own items with search, settings and deletion (API document, "Content"). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UpdateContent, Visibility } from '../../../api/content.ts';
import { LIMITS } from '../../../api/limits.ts';
import { tagsOfLine } from '../../../api/tag-rules.ts';
import type { AccountRow } from '../../accounts/accounts.ts';
import { featuresOf } from '../../accounts/plan.ts';
import { type ContentRow, contentRows } from '../../content/content-rows.ts';
import { presentContent, tagsOf } from '../../content/present-content.ts';
import { viewDays } from '../../content/storage-and-view-counters.ts';
import { cutSearch, readSearch } from '../../content/title-and-tags.ts';
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { createItemDeletion } from '../../items/delete-items.ts';
import { createUpdater } from '../../items/update-item.ts';
import { listStore, OWN_ACCESS } from '../../lists/list-store.ts';
import { cutPage, readCursor } from '../../lists/pagination.ts';
import type { Passwords } from '../../passwords.ts';
import { type Issue, invalidInput, ProblemError } from '../../problem-details.ts';
import { html } from '../html.ts';
import { symbol } from '../icons.ts';
import { languageFor, noticePage, sendPage } from '../layout.ts';
import { type ItemFault, type ItemFields, itemPage, settingsVersion } from './item-page.ts';
import { ITEMS_MESSAGES } from './items-messages.ts';
import { deletePage, ITEM_TYPES, type ItemsQuery, itemPath, itemsPage, itemsPath } from './items-page.ts';
import { formOf } from './read-form.ts';
import { ownPath, type RequireAccount } from './require-sign-in.ts';

const HIDDEN = { schema: { hide: true } } as const;
const NONCE_BYTES = 16;
const VISIBILITIES = ['private', 'unlisted', 'public'] as const satisfies readonly Visibility[];
const TTLS = ['forever', 'day', 'week', 'month'] as const;
const RECENT_DAYS = 30;

const oneOf = <Value extends string>(known: readonly Value[], given: unknown): Value | null =>
  known.find((value) => value === given) ?? null;

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');

const queryOfList = (query: Readonly<Record<string, unknown>>): ItemsQuery => ({
  search: cutSearch(textOf(query['q']).trim()),
  type: oneOf(ITEM_TYPES, query['type']),
  access: oneOf(OWN_ACCESS, query['access']),
  cursor: textOf(query['cursor']) || null,
});

const isPageOfItems = (path: string): boolean => /^\/account\/items(?:[/?]|$)/.test(path);

const fieldsOfRow = (row: ContentRow): ItemFields => ({
  title: row.title,
  tags: tagsOf(row).join(', '),
  visibility: row.visibility,
  oneTime: row.oneTime === 1,
  allowDownload: row.allowDownload === 1,
  removePassword: false,
  ttl: row.expiresAt === null ? 'forever' : '',
  expiresAt: '',
  viewLimit: row.viewLimit === null ? '' : String(row.viewLimit),
});

const fieldsOfForm = (form: URLSearchParams, row: ContentRow): ItemFields => ({
  title: form.get('title') ?? '',
  tags: form.get('tags') ?? '',
  visibility: oneOf(VISIBILITIES, form.get('visibility')) ?? row.visibility,
  oneTime: form.has('oneTime'),
  allowDownload: form.has('allowDownload'),
  removePassword: form.has('removePassword'),
  ttl: oneOf(TTLS, form.get('ttl')) ?? '',
  expiresAt: form.get('expiresAt') ?? '',
  viewLimit: (form.get('viewLimit') ?? '').trim(),
});

const expiryOf = ({ ttl, expiresAt }: ItemFields): Pick<UpdateContent, 'ttl' | 'expiresAt'> => {
  if (expiresAt !== '') return { expiresAt: `${expiresAt}Z` };
  const chosen = oneOf(TTLS, ttl);
  return chosen === null ? {} : { ttl: chosen };
};

/** The change that the form asks for, or the field that cannot be read. */
const updateOf = (fields: ItemFields, form: URLSearchParams, row: ContentRow): UpdateContent | ItemFault => {
  const { title, tags, visibility, oneTime, allowDownload, removePassword, viewLimit } = fields;
  const password = form.get('password') ?? '';
  const limit = viewLimit === '' ? null : Number(viewLimit);
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.viewLimitMax)) return 'viewLimit';
  if (removePassword && password !== '') return 'removePassword';
  return {
    ...{ title, visibility, oneTime, allowDownload, tags: tagsOfLine(tags, tagsOf(row)) },
    ...expiryOf(fields),
    ...(removePassword ? { password: '' } : password !== '' && { password }),
    // Without the feature there is no field, and the limit stays.
    ...(form.has('viewLimit') && { viewLimit: limit }),
  };
};

const FAULT_OF_PATH: Readonly<Record<string, ItemFault>> = {
  title: 'title',
  tags: 'tags',
  password: 'password',
  expiresAt: 'expires',
};

/** The field that a refusal is about; null: not about the form. */
const faultOf = (error: unknown): ItemFault | null => {
  if (!(error instanceof ProblemError)) return null;
  if (error.code === 'ONE_TIME_NOT_PUBLIC') return 'oneTime';
  if (error.code === 'PLAN_FEATURE_REQUIRED') return 'plan';
  if (error.code !== 'INVALID_INPUT') return null;
  const [issue] = (error.more.params?.['issues'] ?? []) as readonly Issue[];
  return FAULT_OF_PATH[issue?.path.split('/')[1] ?? ''] ?? 'other';
};

interface ItemPagesNeeds {
  readonly passwords: Passwords;
  readonly requireAccount: RequireAccount;
}

export const registerItemPages = (app: App, deps: ServerDeps, needs: ItemPagesNeeds): void => {
  const { passwords, requireAccount } = needs;
  const { clock, config, records, random } = deps;
  const removal = createItemDeletion(deps);
  const update = createUpdater(deps, passwords);

  const newNonce = (): string => random.bytes(NONCE_BYTES).toString('base64');

  const redirect = (reply: FastifyReply, path: string): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(path, 303);

  const ownItem = async ({ id }: AccountRow, item: string): Promise<ContentRow | null> => {
    const row = await contentRows(records).byId(item);
    const isOwn = row !== undefined && row.accountId === id;
    return isOwn && (row.expiresAt === null || row.expiresAt > clock.now()) ? row : null;
  };

  const sendGone = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const language = languageFor(request);
    const { goneTitle: title, goneText: text, allItems } = ITEMS_MESSAGES[language];
    const action = html`<a class="button primary" href="/account/items">${allItems}</a>`;
    return sendPage(reply.code(404), noticePage(language, { icon: symbol('unlink'), title, text, action }));
  };

  const sendItem = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: AccountRow,
    row: ContentRow,
    shown: { readonly fields: ItemFields; readonly fault: ItemFault | null; readonly isSaved: boolean },
  ): Promise<FastifyReply> => {
    const now = clock.now();
    const nonce = newNonce();
    const features = featuresOf(config, account, now);
    const days = features.includes('view_stats') ? await viewDays(records).days(row.id, RECENT_DAYS, now) : null;
    const markup = itemPage({
      ...shown,
      ...{ language: languageFor(request), nonce, account, row, now },
      content: presentContent(deps, row),
      recentViews: days === null ? null : days.reduce((sum, { views }) => sum + views, 0),
      mayLimitViews: features.includes('view_limit'),
      mayChooseEnd: features.includes('link_expiry'),
      oneTimeSeconds: config.limits.oneTimeSeconds,
    });
    return sendPage(reply, markup, nonce);
  };

  app.get<{ Querystring: Record<string, unknown> }>('/account/items', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const query = queryOfList(request.query);
    const now = clock.now();
    const page = { requester: account.id, now, before: readCursor(query.cursor ?? undefined) };
    const { search } = readSearch(query.search);
    const listed = await listStore(records).own(page, { type: query.type, search, tag: null }, query.access);
    const { rows, nextCursor } = cutPage(listed);
    const { deleted, selected } = request.query;
    const isCount = typeof deleted === 'string' && /^\d{1,3}$/.test(deleted);
    const notice = isCount ? Number(deleted) : selected === 'none' ? 'none-selected' : null;
    const nonce = newNonce();
    const language = languageFor(request);
    return sendPage(reply, itemsPage({ language, nonce, account, rows, query, nextCursor, notice, now }), nonce);
  });

  app.get<{ Params: { id: string }; Querystring: { done?: unknown } }>(
    '/account/items/:id',
    HIDDEN,
    async (request, reply) => {
      const account = await requireAccount(request, reply);
      if (account === null) return reply;
      const row = await ownItem(account, request.params.id);
      if (row === null) return sendGone(request, reply);
      const isSaved = request.query.done === 'saved';
      return sendItem(request, reply, account, row, { fields: fieldsOfRow(row), fault: null, isSaved });
    },
  );

  app.post<{ Params: { id: string } }>('/account/items/:id', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const form = formOf(request);
    const row = await ownItem(account, request.params.id);
    if (row === null) return sendGone(request, reply);
    const outdated = (now: ContentRow): Promise<FastifyReply> =>
      sendItem(request, reply.code(409), account, now, { fields: fieldsOfRow(now), fault: 'changed', isSaved: false });
    const isCurrent = (now: ContentRow): boolean => form.get('version') === settingsVersion(now);
    if (!isCurrent(row)) return outdated(row);
    const fields = fieldsOfForm(form, row);
    const refuse = (fault: ItemFault): Promise<FastifyReply> =>
      sendItem(request, reply.code(400), account, row, { fields, fault, isSaved: false });
    const change = updateOf(fields, form, row);
    if (typeof change === 'string') return refuse(change);
    const isStillAllowed = async (): Promise<boolean> => {
      await request.identifyAgain();
      return request.requester.kind === 'session';
    };
    try {
      const changed = await update(row, change, { isStillAllowed, isCurrent });
      if (changed !== null) return redirect(reply, `${itemPath(row)}?done=saved#settings`);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      return refuse(fault);
    }
    // The session may have ended, or the account been banned.
    if ((await requireAccount(request, reply)) === null) return reply;
    const now = await ownItem(account, row.id);
    return now === null ? sendGone(request, reply) : outdated(now);
  });

  app.get('/account/items/delete', HIDDEN, (_request, reply) => redirect(reply, '/account/items'));

  app.post('/account/items/delete', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const form = formOf(request);
    const ids = [...new Set(form.getAll('id'))];
    // A page lists no more.
    if (ids.length > LIMITS.pageItems)
      throw invalidInput({ path: '/id', message: `must name at most ${LIMITS.pageItems} items` });
    const asked = ownPath(form.get('back'));
    const back = isPageOfItems(asked) ? asked : '/account/items';
    const listQuery = queryOfList(Object.fromEntries(new URL(back, 'http://server').searchParams));
    if (form.get('confirmed') === 'yes') {
      let count = 0;
      for (const id of ids) if (await removal.removeOwn(id, account.id)) count += 1;
      return redirect(reply, itemsPath({ ...listQuery, cursor: null }, { deleted: String(count) }));
    }
    const rows = (await Promise.all(ids.map((id) => ownItem(account, id)))).filter((row) => row !== null);
    if (rows.length === 0) return redirect(reply, itemsPath(listQuery, { selected: 'none' }));
    const nonce = newNonce();
    return sendPage(reply, deletePage({ language: languageFor(request), nonce, account, rows, back }), nonce);
  });
};
