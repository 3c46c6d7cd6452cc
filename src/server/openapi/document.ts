/**
 * Generates the OpenAPI 3.1 document from the table of endpoints and a list of other paths, and serves it at
 * `/openapi.json`. `/docs` shows it in a viewer, or redirects to it where the viewer is left out.
 */
import { Value } from 'typebox/value';
import { Account, RequestLog, Subscription } from '../../api/account.ts';
import { Album, AlbumPage, AlbumWithItems } from '../../api/albums.ts';
import { Content, LockedCard, UpdateContent } from '../../api/content.ts';
import { ConnectedDevice, DeviceAuth, RenewedKey, StartDeviceAuth } from '../../api/device-auth.ts';
import type { Endpoint } from '../../api/endpoints/endpoint.ts';
import { API } from '../../api/endpoints/endpoint-table.ts';
import { Problem } from '../../api/errors.ts';
import { FolderResult } from '../../api/folder-result.ts';
import { ItemPage } from '../../api/item-lists.ts';
import { LIMITS } from '../../api/limits.ts';
import { MediaStatuses } from '../../api/media-statuses.ts';
import { CreateNote, NoteText } from '../../api/note.ts';
import { Profile } from '../../api/public-profile.ts';
import { CompleteUpload, PendingUploads, ResumableUpload, StartUpload } from '../../api/resumable-upload.ts';
import { CreatedContent, CreatedFolder } from '../../api/single-request-upload.ts';
import { ViewsByDay } from '../../api/views-by-day.ts';
import type { App } from '../http/app-type.ts';
import { BODY_FAILURES, errorResponses, FORM_FAILURES, type Json } from './error-responses.ts';
import { type Documented, OPERATION_EXAMPLES } from './examples.ts';

/** Named schemas, which the document references. */
const NAMED: Readonly<Record<string, object>> = {
  Account,
  Subscription,
  RequestLog,
  StartDeviceAuth,
  DeviceAuth,
  ConnectedDevice,
  RenewedKey,
  Content,
  LockedCard,
  ItemPage,
  Profile,
  Album,
  AlbumPage,
  AlbumWithItems,
  MediaStatuses,
  ViewsByDay,
  UpdateContent,
  CreateNote,
  NoteText,
  ResumableUpload,
  StartUpload,
  CompleteUpload,
  PendingUploads,
  CreatedContent,
  CreatedFolder,
  FolderResult,
  Problem,
};
const nameOf = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** A schema as plain JSON; `top` is written out even if it is named. */
const toJson = (schema: unknown, top?: object): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => toJson(item));
  const name = schema === top ? undefined : nameOf.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, toJson(value)]));
};

/** Responses for requesters with limited access (API decisions 6, row 10); clients request only own items. */
const LESSER_REPLIES: Readonly<Record<string, object>> = { readContent: LockedCard };

const RATE_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Requests of this budget a minute'],
    ['X-RateLimit-Remaining', 'Requests left in this minute'],
    ['X-RateLimit-Reset', 'Seconds until the budget refills'],
  ].map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
);

const json = (schema: unknown, example: unknown): Json => ({
  'application/json': { schema: toJson(schema), ...(example !== undefined && { example }) },
});

const parameters = (place: 'path' | 'query' | 'header', schema: object | undefined): readonly Json[] => {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: toJson(property),
  }));
};

interface RequestBody {
  /** Where it is missing, OpenAPI takes the body for optional. */
  readonly required: boolean;
  readonly content: Json;
  readonly description?: string;
}

const requestBody = (endpoint: Endpoint, example: unknown): { readonly requestBody?: RequestBody } => {
  if (endpoint.budget === 'parts') {
    const description = `Exactly the bytes of the part, at most ${LIMITS.partBytes}.`;
    return { requestBody: { required: true, description, content: { 'application/octet-stream': {} } } };
  }
  if (endpoint.form !== undefined) {
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: toJson(endpoint.form) } } } };
  }
  if (endpoint.body === undefined) return {};
  // The server validates a missing body as null.
  return { requestBody: { required: !Value.Check(endpoint.body, null), content: json(endpoint.body, example) } };
};

/** The document's group of a path. */
const TAGS: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/v1\/(uploads|folders)\b/, 'uploads'],
  [/^\/api\/(v1\/(account|requests)|billing)\b/, 'account'],
  [/\/device-auth\//, 'connection'],
  [/^\/api\/v1\/(content|pastes)\b/, 'content'],
  [/^\/api\/v1\/(feed|users|albums)\b/, 'lists'],
  [/^\/api\/share\b/, 'share'],
];

const tagOf = (path: string): string => TAGS.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';

/** The section of the API document that defines an operation, and who may call it. */
const describe = (endpoint: Endpoint, documented: Documented | undefined): string =>
  [
    ...(endpoint.scope === null ? [] : [`Permission: \`${endpoint.scope}\`.`]),
    ...(documented === undefined ? [] : [`API document: "${documented.section}".`]),
  ].join(' ');

const replyOf = (operationId: string, { reply }: Endpoint): unknown => {
  const lesser = LESSER_REPLIES[operationId];
  return lesser === undefined ? reply : { anyOf: [reply, lesser] };
};

const operation = (operationId: string, endpoint: Endpoint, documented = OPERATION_EXAMPLES[operationId]): Json => ({
  operationId,
  summary: endpoint.summary,
  tags: [tagOf(endpoint.path)],
  description: describe(endpoint, documented),
  security: endpoint.scope === null ? [{}, { apiKey: [] }] : [{ apiKey: [] }],
  parameters: [
    ...parameters('path', endpoint.params),
    ...parameters('query', endpoint.query),
    ...parameters('header', endpoint.headers),
  ],
  ...requestBody(endpoint, documented?.body),
  responses: {
    [endpoint.status]: {
      description: endpoint.reply === null ? 'Done; no body.' : 'Success.',
      headers: RATE_HEADERS,
      ...(endpoint.reply !== null && { content: json(replyOf(operationId, endpoint), documented?.reply) }),
    },
    ...errorResponses(endpoint.budget, endpoint.form ? FORM_FAILURES : endpoint.body && BODY_FAILURES),
  },
});

/** The document for a server whose pages are at `origin`. */
const openApiDocument = (origin: string): Json => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(API)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linkshot API',
      version: '1.0.0',
      description:
        'Share images, videos, notes and folders of code. All keys of an account share one request budget; errors are problem details (RFC 9457) with a `code`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags: [
      { name: 'account', description: 'The account, its limits, plan, trial and request log' },
      {
        name: 'connection',
        description: 'How an app gets a key of its own: approved in a browser, or by a typed code',
      },
      { name: 'uploads', description: 'Files sent in parts of 2 MiB that survive interruptions, or whole' },
      { name: 'content', description: 'Own items' },
      { name: 'lists', description: 'The feed, profiles and albums' },
      { name: 'share', description: 'What others see' },
    ],
    paths: { ...paths, ...OTHER_PATHS },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `lsk_...`' } },
      schemas: Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, toJson(schema, schema)])),
    },
  };
};

/** Registers the page that shows the document. */
export type RegisterViewer = (app: App, document: object) => void;

/** `viewer` null: the address of its page redirects to the document. */
export const registerDocs = (
  app: App,
  { webOrigin }: { readonly webOrigin: () => string },
  viewer: RegisterViewer | null,
): void => {
  app.get('/openapi.json', { schema: { hide: true } }, () => openApiDocument(webOrigin()));
  // The viewer calls the server it came from, so its document needs no address.
  const { servers: _, ...document } = openApiDocument('');
  if (viewer) viewer(app, document);
  else app.get('/docs', { schema: { hide: true } }, (_, reply) => reply.redirect('/openapi.json'));
};

// Paths that return bytes or HTML and are not in the endpoint table: media, previews and the share page.

const itemId: Json = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const bytes: Json = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const webp: Json = { 'image/webp': { schema: { type: 'string', format: 'binary' } } };
const page: Json = { 'text/html': {} };

/** Headers of range and conditional requests (RFC 9110, 13 and 14). */
const conditions: readonly Json[] = [
  { name: 'Range', in: 'header', schema: { type: 'string', examples: ['bytes=0-1023'] } },
  ...['If-Range', 'If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since'].map((name) => ({
    name,
    in: 'header',
    schema: { type: 'string' },
  })),
];
const withoutBytes: Json = {
  304: { description: 'The copy of the client is still good.' },
  412: { description: 'The bytes are not those that the client insists on.' },
  416: { description: 'The range lies beyond the end.' },
};

/** Paths and operations in the document's form. */
const OTHER_PATHS: Json = {
  '/api/media/{id}': {
    get: {
      operationId: 'readMedia',
      summary: 'The bytes of an item, whole or by Range',
      tags: ['share'],
      security: [{}, { apiKey: [] }],
      parameters: [
        itemId,
        { name: 'download', in: 'query', description: '`1`: as an attachment', schema: { type: 'string' } },
        ...conditions,
      ],
      responses: {
        200: { description: 'All bytes.', content: bytes },
        206: { description: 'The bytes of the range.', content: bytes },
        ...withoutBytes,
        ...errorResponses('guest'),
      },
    },
  },
  '/api/media/{id}/preview': {
    get: {
      operationId: 'readPreview',
      summary: 'A small picture of an image or a video, for those who may have the item itself',
      tags: ['share'],
      security: [{}, { apiKey: [] }],
      parameters: [itemId, ...conditions],
      responses: {
        200: { description: 'A WebP of at most 640 pixels on its longer side.', content: webp },
        206: { description: 'The bytes of the range.', content: webp },
        ...withoutBytes,
        ...errorResponses('guest'),
      },
    },
  },
  '/s/{id}': {
    get: {
      operationId: 'sharePage',
      summary: 'The share page',
      tags: ['share'],
      security: [{}, { apiKey: [] }],
      parameters: [itemId],
      responses: {
        200: { description: 'The item, or what stands before it.', content: page },
        401: { description: 'The key is not good.', content: page },
        403: { description: 'The key of the owner lacks the permission `content:read`.', content: page },
        404: { description: 'The link is not available.', content: page },
        429: { description: 'Too many requests.', content: page },
        503: { description: 'The server is busy.', content: page },
      },
    },
  },
};
