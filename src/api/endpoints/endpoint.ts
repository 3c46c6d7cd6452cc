/**
 * The type of one endpoint of the service, with the request budget that it counts against, and the parameters that
 * several endpoints share.
 */
import Type, { type TSchema } from 'typebox';
import type { Scope } from '../account.ts';
import type { ContentId } from '../ids.ts';

/** Which request budget an endpoint draws from (API document, "Limits"; API decisions 5). */
export type Budget = 'general' | 'uploads' | 'parts' | 'guest';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` placeholders. */
  readonly path: string;
  readonly summary: string;
  /** The permission a key needs; null where guests may call it too. */
  readonly scope: Scope | null;
  readonly budget: Budget;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** A `multipart/form-data` body, which the handler reads as a stream. */
  readonly form?: TSchema;
  /** Status and shape of a successful response; `null` is an empty body. */
  readonly status: 200 | 201 | 204;
  readonly reply: TSchema | null;
}

/** Any text: a malformed id gets the same answer as an unknown one (API decisions 6, row 1). */
export const ContentParams = Type.Object({ id: Type.Unsafe<ContentId>(Type.String()) });

export const PageQuery = Type.Object({ cursor: Type.Optional(Type.String()) });
