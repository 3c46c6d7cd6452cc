/** Paths that return bytes or HTML and are not in the endpoint table: media, previews and the share page. */
import { failures, type Json } from './failures.ts';

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
export const OTHER_PATHS: Json = {
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
      parameters: [itemId, ...conditions],
      responses: {
        200: { description: 'A WebP of at most 640 pixels on its longer side.', content: webp },
        206: { description: 'The bytes of the range.', content: webp },
        ...withoutBytes,
        ...failures('guest'),
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
