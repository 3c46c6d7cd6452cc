/**
 * The endpoints of the service as data: the server's routes, the app's calls and the OpenAPI page all read this table,
 * so that no path, scope or shape is written twice. Sections in the comments are those of the API document.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { type ContentId, RequestKey, UploadId } from '../ids.ts';
import { Account, RequestLog, type Scope, Subscription } from './account.ts';
import { Content, ContentType, Nullable, UpdateContent } from './content.ts';
import { ConnectedDevice, DeviceAuth, DeviceToken, RenewedKey, StartDeviceAuth } from './device-auth.ts';
import { LIMITS } from './limits.ts';
import {
  Album,
  AlbumId,
  AlbumPage,
  AlbumWithItems,
  CreateAlbum,
  ItemPage,
  MediaStatuses,
  Profile,
  UpdateAlbum,
  ViewsByDay,
} from './lists.ts';
import { CreateNote, NoteText } from './note.ts';
import { CompleteUpload, PendingUploads, ResumableUpload, StartUpload } from './upload.ts';
import { CreatedContent, CreatedFolder, WholeFileForm, WholeFileHeaders } from './whole-file.ts';

/** Which request budget an endpoint draws from (API document, "Limits"; decisions 5). */
export type Budget = 'general' | 'uploads' | 'parts' | 'guest';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` placeholders. */
  readonly path: string;
  readonly summary: string;
  /** The permission a key needs; null where guests are served too. */
  readonly scope: Scope | null;
  readonly budget: Budget;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** A body of `multipart/form-data`, which the handler reads as it arrives. */
  readonly form?: TSchema;
  /** Status and shape of success; `null` is an empty body. */
  readonly status: 200 | 201 | 204;
  readonly reply: TSchema | null;
}

const UploadParams = Type.Object({ id: UploadId });
/** Any text: an id that none could have is answered as one that nobody has (decisions 6, row 1). */
const ContentParams = Type.Object({ id: Type.Unsafe<ContentId>(Type.String()) });

const PageQuery = Type.Object({ cursor: Type.Optional(Type.String()) });
const ProfileParams = Type.Object({ username: Type.String() });
const AlbumParams = Type.Object({ id: AlbumId });
const AlbumItemParams = Type.Object({ id: AlbumId, contentId: ContentParams.properties.id });

/** The expected account; another one is answered 409 before any state is read (Authentication 6). */
const GuardHeaders = Type.Object({ 'x-service-account': Type.Optional(Type.String()) });

export const API = {
  readAccount: {
    method: 'GET',
    path: '/api/v1/account',
    summary: 'The account, its limits and entitlements, and the key in use',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: Account,
  },
  listRequests: {
    method: 'GET',
    path: '/api/v1/requests',
    summary: 'The latest 100 requests of the account from 30 days',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: RequestLog,
  },
  readSubscription: {
    method: 'GET',
    path: '/api/billing/subscription',
    summary: 'The plan, what it entitles to, and the trial',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: Subscription,
  },
  startTrial: {
    method: 'POST',
    path: '/api/billing/trial',
    summary: 'Start an available trial',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: Subscription,
  },
  startDeviceAuth: {
    method: 'POST',
    path: '/api/v1/device-auth/start',
    summary: 'Ask for a code that a person types in a browser to connect this device',
    scope: null,
    budget: 'guest',
    body: StartDeviceAuth,
    status: 200,
    reply: DeviceAuth,
  },
  deviceToken: {
    method: 'POST',
    path: '/api/v1/device-auth/token',
    summary: 'Exchange an approved code for an API key, or ask whether it was approved',
    scope: null,
    budget: 'guest',
    body: DeviceToken,
    status: 200,
    reply: ConnectedDevice,
  },
  renewKey: {
    method: 'POST',
    path: '/api/v1/device-auth/renew',
    summary: 'A new key for a connection within 30 days of the end of its present one',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: RenewedKey,
  },
  startUpload: {
    method: 'POST',
    path: '/api/v1/uploads/resumable',
    summary: 'Start a resumable upload',
    scope: 'content:write',
    budget: 'uploads',
    headers: Type.Object({ ...GuardHeaders.properties, 'idempotency-key': RequestKey }),
    body: StartUpload,
    status: 200,
    reply: ResumableUpload,
  },
  listUploads: {
    method: 'GET',
    path: '/api/v1/uploads/resumable',
    summary: 'The pending resumable uploads of the account',
    scope: 'content:write',
    budget: 'uploads',
    headers: GuardHeaders,
    status: 200,
    reply: PendingUploads,
  },
  readUpload: {
    method: 'GET',
    path: '/api/v1/uploads/resumable/:id',
    summary: 'The confirmed state of a resumable upload',
    scope: 'content:write',
    budget: 'uploads',
    params: UploadParams,
    headers: GuardHeaders,
    status: 200,
    reply: ResumableUpload,
  },
  putPart: {
    method: 'PUT',
    path: '/api/v1/uploads/resumable/:id/parts/:index',
    summary: 'Upload one immutable part',
    scope: 'content:write',
    budget: 'parts',
    params: Type.Object({ id: UploadId, index: Type.Integer({ minimum: 0, maximum: LIMITS.maxParts - 1 }) }),
    headers: GuardHeaders,
    status: 200,
    reply: ResumableUpload,
  },
  completeUpload: {
    method: 'POST',
    path: '/api/v1/uploads/resumable/:id/complete',
    summary: 'Verify the parts and publish exactly one item',
    scope: 'content:write',
    budget: 'uploads',
    params: UploadParams,
    headers: GuardHeaders,
    body: CompleteUpload,
    status: 200,
    reply: ResumableUpload,
  },
  cancelUpload: {
    method: 'DELETE',
    path: '/api/v1/uploads/resumable/:id',
    summary: 'Cancel a pending upload',
    scope: 'content:write',
    budget: 'uploads',
    params: UploadParams,
    headers: GuardHeaders,
    status: 204,
    reply: null,
  },
  uploadFile: {
    method: 'POST',
    path: '/api/v1/uploads',
    summary: 'Share an image or a video, sent whole',
    scope: 'content:write',
    budget: 'general',
    headers: WholeFileHeaders,
    form: WholeFileForm,
    status: 201,
    reply: CreatedContent,
  },
  createFolder: {
    method: 'POST',
    path: '/api/v1/folders',
    summary: 'Share a folder of code, sent as one ZIP',
    scope: 'content:write',
    budget: 'general',
    headers: WholeFileHeaders,
    form: WholeFileForm,
    status: 201,
    reply: CreatedFolder,
  },
  createNote: {
    method: 'POST',
    path: '/api/v1/pastes',
    summary: 'Share a note: text, Markdown or code',
    scope: 'content:write',
    budget: 'general',
    headers: WholeFileHeaders,
    body: CreateNote,
    status: 201,
    reply: CreatedContent,
  },
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
      q: Type.Optional(Type.String()),
      tag: Type.Optional(Type.String()),
      favorite: Type.Optional(Type.Boolean()),
    }),
    status: 200,
    reply: ItemPage,
  },
  readContent: {
    method: 'GET',
    path: '/api/v1/content/:id',
    summary: 'One item, as far as the asker may see it',
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
  readFeed: {
    method: 'GET',
    path: '/api/v1/feed',
    summary: 'Public items of everyone, newest first',
    scope: 'content:read',
    budget: 'general',
    query: PageQuery,
    status: 200,
    reply: ItemPage,
  },
  readProfile: {
    method: 'GET',
    path: '/api/v1/users/:username',
    summary: 'The public profile of an account',
    scope: 'content:read',
    budget: 'general',
    params: ProfileParams,
    status: 200,
    reply: Profile,
  },
  listProfileContent: {
    method: 'GET',
    path: '/api/v1/users/:username/content',
    summary: 'Public items of an account, newest first',
    scope: 'content:read',
    budget: 'general',
    params: ProfileParams,
    query: PageQuery,
    status: 200,
    reply: ItemPage,
  },
  listAlbums: {
    method: 'GET',
    path: '/api/v1/albums',
    summary: 'Own albums, newest first',
    scope: 'content:read',
    budget: 'general',
    query: PageQuery,
    status: 200,
    reply: AlbumPage,
  },
  createAlbum: {
    method: 'POST',
    path: '/api/v1/albums',
    summary: 'Make an album',
    scope: 'content:write',
    budget: 'general',
    body: CreateAlbum,
    status: 201,
    reply: Album,
  },
  readAlbum: {
    method: 'GET',
    path: '/api/v1/albums/:id',
    summary: 'An album and a page of its items, the last added first',
    scope: 'content:read',
    budget: 'general',
    params: AlbumParams,
    query: PageQuery,
    status: 200,
    reply: AlbumWithItems,
  },
  updateAlbum: {
    method: 'PATCH',
    path: '/api/v1/albums/:id',
    summary: 'Change the title or visibility of an own album',
    scope: 'content:write',
    budget: 'general',
    params: AlbumParams,
    body: UpdateAlbum,
    status: 200,
    reply: Album,
  },
  deleteAlbum: {
    method: 'DELETE',
    path: '/api/v1/albums/:id',
    summary: 'Delete an own album; its items stay',
    scope: 'content:write',
    budget: 'general',
    params: AlbumParams,
    status: 204,
    reply: null,
  },
  addToAlbum: {
    method: 'PUT',
    path: '/api/v1/albums/:id/content/:contentId',
    summary: 'Put an item into an own album',
    scope: 'content:write',
    budget: 'general',
    params: AlbumItemParams,
    status: 204,
    reply: null,
  },
  removeFromAlbum: {
    method: 'DELETE',
    path: '/api/v1/albums/:id/content/:contentId',
    summary: 'Take an item out of an own album; the item stays',
    scope: 'content:write',
    budget: 'general',
    params: AlbumItemParams,
    status: 204,
    reply: null,
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

export type ApiOperation = keyof typeof API;
type ReplySchema<K extends ApiOperation> = (typeof API)[K]['reply'];
/** What an operation answers on success. */
export type ReplyOf<K extends ApiOperation> = ReplySchema<K> extends TSchema ? Static<ReplySchema<K>> : undefined;

/** An endpoint's path with its placeholders filled in and escaped. */
export const pathOf = (endpoint: Endpoint, params: Readonly<Record<string, string | number>> = {}): string =>
  endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`No value for :${name} of ${endpoint.path}`);
    return encodeURIComponent(value);
  });
