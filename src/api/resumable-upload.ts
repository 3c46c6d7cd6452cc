/**
 * Schemas of resumable uploads (API document, "ResumableUpload"; API decisions 1): the upload, the requests that start
 * and complete it, and the list of unfinished ones. Also builds the text whose hash is the fingerprint of an upload.
 */
import Type, { type Static } from 'typebox';
import { Content, ShareFields } from './content.ts';
import { AccountId, RequestKey, Sha256, UploadId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { literals, Nullable } from './nullable-and-literals.ts';

const UPLOAD_STATES = ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const;
export const UploadState = literals(...UPLOAD_STATES);
export type UploadState = Static<typeof UploadState>;

/** The confirmed, persisted state of an upload. Bytes in flight do not count. */
export const ResumableUpload = Type.Object({
  id: UploadId,
  state: UploadState,
  filename: Type.String(),
  size: Type.Integer({ minimum: 1, maximum: LIMITS.maxResumableBytes }),
  chunkSize: Type.Literal(LIMITS.partBytes),
  chunkCount: Type.Integer({ minimum: 1, maximum: LIMITS.maxParts }),
  fingerprint: Sha256,
  received: Type.Array(Type.Integer({ minimum: 0 }), { uniqueItems: true }),
  receivedBytes: Type.Integer({ minimum: 0, maximum: LIMITS.maxResumableBytes }),
  expiresAt: Type.String({ format: 'date-time' }),
  content: Nullable(Content),
});
export type ResumableUpload = Static<typeof ResumableUpload>;

export const StartUpload = Type.Object({
  accountId: AccountId,
  filename: Type.String({ minLength: 1, maxLength: LIMITS.filenameMaxCharacters }),
  size: Type.Integer({ minimum: 1, maximum: LIMITS.maxResumableBytes }),
  chunkSize: Type.Literal(LIMITS.partBytes),
  chunkHashes: Type.Array(Sha256, { minItems: 1, maxItems: LIMITS.maxParts }),
  fingerprint: Sha256,
});
export type StartUpload = Static<typeof StartUpload>;

/** Strict like every publishing endpoint: a misspelt `oneTime` must not publish a file openly. */
export const CompleteUpload = Type.Object(
  { completeKey: RequestKey, ...ShareFields.properties },
  { additionalProperties: false },
);
export type CompleteUpload = Static<typeof CompleteUpload>;

export const PendingUploads = Type.Object({ items: Type.Array(ResumableUpload) });

/**
 * The text whose SHA-256 (over UTF-8, lower hex) is the fingerprint: version line, size, part size and every part's
 * hash, each followed by LF. File name and modification time are not part of the identity.
 */
export const fingerprintText = (size: number, chunkHashes: readonly string[]): string =>
  `${[LIMITS.fingerprintVersion, size, LIMITS.partBytes, ...chunkHashes].join('\n')}\n`;
