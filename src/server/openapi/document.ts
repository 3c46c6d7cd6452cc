/** The OpenAPI 3.1 document, made from the table of endpoints in the contract, at `/openapi.json`, and its viewer at `/docs`. */
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { Problem, SERVICE_ERRORS } from '../../contract/errors.ts';
import { FolderResult } from '../../contract/folder/record.ts';
import { Account, RequestLog, Subscription } from '../../contract/service/account.ts';
import { API } from '../../contract/service/api.ts';
import { Content, LockedCard, UpdateContent } from '../../contract/service/content.ts';
import { ConnectedDevice, DeviceAuth, RenewedKey, StartDeviceAuth } from '../../contract/service/device-auth.ts';
import type { Budget, Endpoint } from '../../contract/service/endpoints/endpoint.ts';
import { LIMITS } from '../../contract/service/limits.ts';
import {
  Album,
  AlbumPage,
  AlbumWithItems,
  ItemPage,
  MediaStatuses,
  Profile,
  ViewsByDay,
} from '../../contract/service/lists.ts';
import { CreateNote, NoteText } from '../../contract/service/note.ts';
import { CompleteUpload, PendingUploads, ResumableUpload, StartUpload } from '../../contract/service/upload.ts';
import { CreatedContent, CreatedFolder } from '../../contract/service/whole-file.ts';
import { DOCS_LOOK } from '../docs-look.ts';
import type { App } from '../http/route.ts';
import { PROBLEM_TYPE } from '../problem.ts';
import { DOCUMENTED, type Documented } from './examples.ts';

type Json = { readonly [key: string]: unknown };

/** Schemas with a name of their own; wherever one of them stands, the document refers to it. */
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

/** A schema as plain JSON; `top` is written out itself even though it has a name. */
const toJson = (schema: unknown, top?: object): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => toJson(item));
  const name = schema === top ? undefined : nameOf.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, toJson(value)]));
};

/** Statuses of failure that a budget's endpoints may answer (API document, "Endpoints" and "Errors"). */
const FAILURES: Readonly<Record<Budget, readonly number[]>> = {
  general: [400, 401, 403, 404, 409, 410, 413, 429, 503],
  uploads: [400, 401, 403, 404, 408, 409, 410, 413, 415, 429, 500, 503],
  parts: [400, 401, 403, 404, 408, 409, 410, 413, 429, 500, 503],
  guest: [400, 401, 403, 404, 409, 429, 503],
};

/** What a file that is sent whole adds. */
const FORM_FAILURES = [408, 415, 422];

const codesOf = (status: number): string =>
  Object.entries(SERVICE_ERRORS)
    .filter(([, error]) => error.status === status)
    .map(([code]) => code)
    .join(', ');

const failures = (budget: Budget, more: readonly number[] = []): Json =>
  Object.fromEntries(
    [...FAILURES[budget], ...more].map((status) => [
      status,
      {
        description: codesOf(status),
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );

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

const requestBody = (endpoint: Endpoint, example: unknown): Json => {
  if (endpoint.budget === 'parts') {
    const description = `Exactly the bytes of the part, at most ${LIMITS.partBytes}.`;
    return { requestBody: { required: true, description, content: { 'application/octet-stream': {} } } };
  }
  if (endpoint.form !== undefined) {
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: toJson(endpoint.form) } } } };
  }
  return endpoint.body === undefined ? {} : { requestBody: { content: json(endpoint.body, example) } };
};

/** Which group of the document a path belongs to. */
const TAGS: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/v1\/(uploads|folders)\b/, 'uploads'],
  [/^\/api\/(v1\/(account|requests)|billing)\b/, 'account'],
  [/\/device-auth\//, 'connection'],
  [/^\/api\/v1\/(content|pastes)\b/, 'content'],
  [/^\/api\/v1\/(feed|users|albums)\b/, 'lists'],
  [/^\/api\/share\b/, 'share'],
];

const tagOf = (path: string): string => TAGS.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';

/** What the API document calls the section that an operation comes from, and who may ask. */
const describe = (endpoint: Endpoint, documented: Documented | undefined): string =>
  [
    ...(endpoint.scope === null ? [] : [`Permission: \`${endpoint.scope}\`.`]),
    ...(documented === undefined ? [] : [`API document: "${documented.section}".`]),
  ].join(' ');

const operation = (operationId: string, endpoint: Endpoint, documented = DOCUMENTED[operationId]): Json => ({
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
      ...(endpoint.reply !== null && { content: json(endpoint.reply, documented?.reply) }),
    },
    ...failures(endpoint.budget, endpoint.form && FORM_FAILURES),
  },
});

const itemId: Json = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const bytes: Json = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** What answers bytes or HTML and so is no row of the table. */
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
        { name: 'Range', in: 'header', schema: { type: 'string', examples: ['bytes=0-1023'] } },
        { name: 'If-Range', in: 'header', schema: { type: 'string' } },
        { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
      ],
      responses: {
        200: { description: 'All bytes.', content: bytes },
        206: { description: 'The bytes of the range.', content: bytes },
        304: { description: 'The copy of the client is still good.' },
        416: { description: 'The range lies beyond the end.' },
        ...failures('guest'),
      },
    },
  },
  '/api/media/{id}/preview': {
    get: {
      operationId: 'readPreview',
      summary: 'A small picture of an image or a video, for those who may have the item itself',
      tags: ['share'],
      security: [{}, { apiKey: [] }],
      parameters: [itemId, { name: 'If-None-Match', in: 'header', schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'A WebP of at most 640 pixels on its longer side.',
          content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } },
        },
        304: { description: 'The copy of the client is still good.' },
        ...failures('guest'),
      },
    },
  },
  '/s/{id}': {
    get: {
      operationId: 'sharePage',
      summary: 'The share page',
      tags: ['share'],
      security: [{}],
      parameters: [itemId],
      responses: {
        200: { description: 'The item, or what stands before it.', content: { 'text/html': {} } },
        404: { description: 'The link is not available.', content: { 'text/html': {} } },
      },
    },
  },
};

/** The document for a server whose pages live at `origin`. */
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

/** The viewer's own files, and the one style sheet that it writes into its page (the hash is of swagger-ui's text). */
const VIEWER_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const registerDocs = (app: App, { webOrigin }: { readonly webOrigin: () => string }): void => {
  app.get('/openapi.json', { schema: { hide: true } }, () => openApiDocument(webOrigin()));
  // The viewer asks the server it came from, so its document needs no address.
  const { servers: _, ...document } = openApiDocument('');
  app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } });
  app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    theme: DOCS_LOOK,
    staticCSP: true,
    transformStaticCSP: () => VIEWER_POLICY,
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      deepLinking: true,
      tryItOutEnabled: false,
      validatorUrl: null,
    },
  });
};
