/**
 * The endpoints of the service's API as data, except `/api/media`, which sends bytes. The server's routes, the app's
 * calls and the OpenAPI page read this table, so each path, scope and shape in it is defined once. Also fills the
 * parameters into a path.
 */
import type { Static, TSchema } from 'typebox';
import { ACCOUNT_ENDPOINTS } from './account.ts';
import { CONTENT_ENDPOINTS } from './content.ts';
import { DEVICE_AUTH_ENDPOINTS } from './device-auth.ts';
import type { Endpoint } from './endpoint.ts';
import { FEED_AND_ALBUM_ENDPOINTS } from './feed-and-albums.ts';
import { UPLOADS_ENDPOINTS } from './uploads.ts';

export const API = {
  ...ACCOUNT_ENDPOINTS,
  ...DEVICE_AUTH_ENDPOINTS,
  ...UPLOADS_ENDPOINTS,
  ...CONTENT_ENDPOINTS,
  ...FEED_AND_ALBUM_ENDPOINTS,
} as const;

export type ApiOperation = keyof typeof API;
type ReplySchema<K extends ApiOperation> = (typeof API)[K]['reply'];
/** The response body of a successful operation. */
type Replies = { [K in ApiOperation]: ReplySchema<K> extends TSchema ? Static<ReplySchema<K>> : undefined };
export type ReplyOf<K extends ApiOperation> = Replies[K];

/** An endpoint's path with its placeholders filled in and escaped. */
export const pathOf = (endpoint: Endpoint, params: Readonly<Record<string, string | number>> = {}): string =>
  endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`No value for :${name} of ${endpoint.path}`);
    return encodeURIComponent(value);
  });
