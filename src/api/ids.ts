/**
 * Schemas of identifiers, SHA-256 hashes, idempotency keys and file tokens, each with a type of its own, so that the
 * compiler refuses an upload id where a content id is expected.
 */
import Type, { type Static, type TSchema } from 'typebox';

/** Type tag of an id's kind; exists for the compiler only. */
export interface Brand<Name extends string> {
  readonly '~kind': Name;
}

const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
/** As other clients may spell it: a uuid is case-insensitive (RFC 9562, 4). */
const SPELLED_UUID = UUID.replaceAll('a-f', 'a-fA-F');
const branded = <Name extends string>(schema: TSchema) => Type.Unsafe<string & Brand<Name>>(schema);

/** Id of a shared item: `/s/{id}`, `/api/media/{id}`. */
export const ContentId = branded<'ContentId'>(
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9A-Za-z_-]+$' }),
);
export type ContentId = Static<typeof ContentId>;

/** `user.id` of `GET /api/v1/account`. */
export const AccountId = branded<'AccountId'>(
  Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' }),
);
export type AccountId = Static<typeof AccountId>;

export const UploadId = branded<'UploadId'>(Type.String({ pattern: SPELLED_UUID }));
export type UploadId = Static<typeof UploadId>;

/** 32 bytes in lower-case hex. */
export const Sha256 = branded<'Sha256'>(Type.String({ pattern: '^[0-9a-f]{64}$' }));
export type Sha256 = Static<typeof Sha256>;

/** Idempotency-Key of a start, or completeKey: a uuid that the client generates and stores before the request. */
export const RequestKey = branded<'RequestKey'>(Type.String({ pattern: SPELLED_UUID }));
export type RequestKey = Static<typeof RequestKey>;

/** The app's own id of one connection, an account at a service. */
export const ConnectionId = branded<'ConnectionId'>(Type.String({ pattern: UUID }));
export type ConnectionId = Static<typeof ConnectionId>;

/** Id of an item in the app's own queue and library. */
export const ItemId = branded<'ItemId'>(Type.String({ pattern: UUID }));
export type ItemId = Static<typeof ItemId>;

/** Represents a file that a trusted part (the preload, the spool) has checked; a page cannot name a path. */
export const SourceToken = branded<'SourceToken'>(Type.String({ minLength: 16, maxLength: 128 }));
export type SourceToken = Static<typeof SourceToken>;

/** Id of a file that a page streams to the host's spool. */
export const IntakeId = branded<'IntakeId'>(Type.String({ pattern: UUID }));
export type IntakeId = Static<typeof IntakeId>;

/** Id of one capture session. */
export const CaptureId = branded<'CaptureId'>(Type.String({ pattern: UUID }));
export type CaptureId = Static<typeof CaptureId>;

/** Id of one screen recording. */
export const RecordingId = branded<'RecordingId'>(Type.String({ pattern: UUID }));
export type RecordingId = Static<typeof RecordingId>;
