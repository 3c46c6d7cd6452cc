/**
 * Endpoints of published items: list, read, change, delete, mark as favorite and open by link; their views, and the
 * status of their media.
 */
import Type from 'typebox';
import { Content, ContentType, UpdateContent } from '../content.ts';
import { ItemPage } from '../item-lists.ts';
import { LIMITS } from '../limits.ts';
import { MediaStatuses } from '../media-statuses.ts';
import { NoteText } from '../note.ts';
import { Nullable } from '../nullable-and-literals.ts';
import { ViewsByDay } from '../views-by-day.ts';
import { ContentParams, type Endpoint, PageQuery } from './endpoint.ts';

export const CONTENT_ENDPOINTS = {
  readNoteText: {
    method: 'GET',
    path: '/api/v1/content/:id/text',
    summary: 'The text of a note and the revision that an edit must name',
    scope: 'content:read',
    budget: 'general',
    params: ContentParams,
    status: 200,
    reply: NoteText,
  },
  listContent: {
    method: 'GET',
    path: '/api/v1/content',
    summary: 'Own items, or favorites of any owner, newest first',
    scope: 'content:read',
    budget: 'general',
    query: Type.Object({
      ...PageQuery.properties,
      type: Type.Optional(ContentType),
      q: Type.Optional(
        Type.String({ description: `Up to ${LIMITS.searchMaxCharacters} characters (code points) after NFKC.` }),
      ),
      tag: Type.Optional(
        Type.String({ description: `Up to ${LIMITS.tagMaxCharacters} characters (code points) after NFKC.` }),
      ),
      favorite: Type.Optional(Type.Boolean()),
    }),
    status: 200,
    reply: ItemPage,
  },
  readContent: {
    method: 'GET',
    path: '/api/v1/content/:id',
    summary: 'One item: an own one, or a public one of another account (with a password: its locked card)',
    scope: 'content:read',
    budget: 'general',
    params: ContentParams,
    status: 200,
    reply: Content,
  },
  updateContent: {
    method: 'PATCH',
    path: '/api/v1/content/:id',
    summary: 'Change fields of an own item',
    scope: 'content:write',
    budget: 'general',
    params: ContentParams,
    body: UpdateContent,
    status: 200,
    reply: Content,
  },
  deleteContent: {
    method: 'DELETE',
    path: '/api/v1/content/:id',
    summary: 'Delete an own item',
    scope: 'content:delete',
    budget: 'general',
    params: ContentParams,
    status: 204,
    reply: null,
  },
  addFavorite: {
    method: 'PUT',
    path: '/api/v1/content/:id/favorite',
    summary: 'Mark an item as a favorite',
    scope: 'content:write',
    budget: 'general',
    params: ContentParams,
    status: 204,
    reply: null,
  },
  removeFavorite: {
    method: 'DELETE',
    path: '/api/v1/content/:id/favorite',
    summary: 'Take the mark away',
    scope: 'content:write',
    budget: 'general',
    params: ContentParams,
    status: 204,
    reply: null,
  },
  readMediaStatus: {
    method: 'GET',
    path: '/api/v1/content/media-status',
    summary: 'How far the processing of own items is',
    scope: 'content:read',
    budget: 'general',
    query: Type.Object({
      ids: Type.String({ description: `Up to ${LIMITS.mediaStatusIds} ids, separated by commas.` }),
    }),
    status: 200,
    reply: MediaStatuses,
  },
  readViews: {
    method: 'GET',
    path: '/api/v1/content/:id/views',
    summary: 'Counted views of an own item by day (plan feature view_stats)',
    scope: 'content:read',
    budget: 'general',
    params: ContentParams,
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LIMITS.viewsByDayMax, default: LIMITS.viewsByDayDefault }),
      ),
    }),
    status: 200,
    reply: ViewsByDay,
  },
  openShare: {
    method: 'POST',
    path: '/api/share/:id/open',
    summary: 'Open a share link: counts the view, checks the password, consumes a one-time link',
    scope: null,
    budget: 'guest',
    params: ContentParams,
    body: Nullable(Type.Object({ password: Type.Optional(Type.String()) })),
    status: 200,
    reply: Content,
  },
} as const satisfies Record<string, Endpoint>;
