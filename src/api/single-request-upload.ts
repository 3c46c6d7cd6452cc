/**
 * Schemas for publishing in one `multipart/form-data` request: the form, headers and reply of `POST /folders` (API
 * document) and of `POST /uploads`, which takes the same form (API decisions 3). The requests that publish notes use
 * the same headers and reply, but JSON in place of the form.
 */
import Type, { type Static } from 'typebox';
import { Content, Ttl, Visibility } from './content.ts';
import { FolderResult } from './folder-result.ts';
import { LIMITS } from './limits.ts';
import { Nullable } from './nullable-and-literals.ts';

/** Fields arrive as text in any order; `file` once, the others at most once. Other fields are refused. */
export const SingleRequestUploadForm = Type.Object({
  file: Type.Unsafe<never>({ type: 'string', format: 'binary', description: 'The bytes, with their file name.' }),
  title: Type.Optional(Type.String({ description: `Up to ${LIMITS.titleMaxCharacters} characters (code points).` })),
  tags: Type.Optional(
    Type.String({
      description: `A JSON-encoded array of strings, up to ${LIMITS.folderTagsFieldCharacters} characters.`,
    }),
  ),
  visibility: Type.Optional(Visibility),
  ttl: Type.Optional(Ttl),
  password: Type.Optional(
    Type.String({
      description: `Empty, or ${LIMITS.passwordMinCharacters}-${LIMITS.passwordMaxCharacters} characters; never returned.`,
    }),
  ),
  oneTime: Type.Optional(Type.Boolean({ description: '`true` or `false`; false by default.' })),
});

/** A retry with the same key, bytes and fields returns the existing item; this applies to notes too. */
export const SingleRequestUploadHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: LIMITS.idempotencyKeyMinCharacters,
      maxLength: LIMITS.idempotencyKeyMaxCharacters,
      pattern: '^[0-9A-Za-z_-]+$',
    }),
  ),
  'x-service-account': Type.Optional(Type.String()),
});

/** The new item: its fields, and the same item as `content`. */
export const CreatedContent = Type.Object({ ...Content.properties, content: Content });
export type CreatedContent = Static<typeof CreatedContent>;

/** The new folder; `folder` is null when an Idempotency-Key is repeated. */
export const CreatedFolder = Type.Object({ ...CreatedContent.properties, folder: Nullable(FolderResult) });
export type CreatedFolder = Static<typeof CreatedFolder>;
