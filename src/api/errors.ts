/**
 * Lists every error code of the service and of the app, with the HTTP status of the service's codes and what a client
 * may do about each. Defines the types of errors: `Problem` in HTTP replies (RFC 9457 `application/problem+json`, API
 * decisions 2), `Failure` and `Result` inside the app. `unreachable` checks that a switch handles every case.
 */
import Type, { type Static } from 'typebox';

/**
 * never: the same request fails again. wait: retry after Retry-After or a few seconds, without counting an attempt.
 * backoff: a transient error. reconnect: the key is not accepted; the item waits until its account is connected again.
 * user: the user must change something first (space, plan, file).
 */
export type Retry = 'never' | 'wait' | 'backoff' | 'reconnect' | 'user';

const error = (status: number, retry: Retry, title: string) => ({ status, retry, title });

/** Codes that the service answers (API document, "Errors"; API decisions 2). `title` is the problem's English title. */
export const SERVICE_ERRORS = {
  INVALID_INPUT: error(400, 'never', 'The request is not valid.'),
  FOLDER_ARCHIVE_INVALID: error(400, 'never', 'The archive is not a plain ZIP.'),
  FOLDER_EMPTY: error(400, 'never', 'No files are left after filtering.'),
  ONE_TIME_NOT_PUBLIC: error(400, 'never', 'A one-time link cannot be public.'),
  UPLOAD_FORMAT_UNSUPPORTED: error(400, 'never', 'Only PNG, JPEG, WebP, AVIF, MP4 and WebM are accepted.'),
  UPLOAD_PART_MISMATCH: error(400, 'never', 'The bytes of the part do not match its hash.'),
  AUTHORIZATION_PENDING: error(400, 'wait', 'The connection has not been approved yet.'),
  SLOW_DOWN: error(400, 'wait', 'Polling too fast.'),
  ACCESS_DENIED: error(400, 'never', 'The connection was refused.'),
  EXPIRED_TOKEN: error(400, 'never', 'The code has expired.'),
  AUTH_REQUIRED: error(401, 'reconnect', 'An API key is required.'),
  API_KEY_EXPIRED: error(401, 'reconnect', 'The API key has expired.'),
  API_KEY_REVOKED: error(401, 'reconnect', 'The API key was revoked.'),
  API_KEY_INVALID: error(401, 'reconnect', 'The API key is unknown.'),
  ACCOUNT_BANNED: error(401, 'reconnect', 'The account is banned.'),
  ACCOUNT_ACCESS_CHANGED: error(401, 'reconnect', 'Access to the account has changed; connect again.'),
  SCOPE_MISSING: error(403, 'reconnect', 'The API key lacks a permission.'),
  PLAN_FEATURE_REQUIRED: error(403, 'user', 'The plan does not include this.'),
  SHARE_OPEN_REQUIRED: error(403, 'never', 'The link must be opened first.'),
  SHARE_PASSWORD_INVALID: error(403, 'never', 'The password is wrong.'),
  DOWNLOAD_DISABLED: error(403, 'never', 'The owner does not allow downloads.'),
  NOT_FOUND: error(404, 'never', 'Not found.'),
  SHARE_UNAVAILABLE: error(404, 'never', 'The link is not available.'),
  UPLOAD_STALLED: error(408, 'backoff', 'The body stopped arriving.'),
  ACCOUNT_MISMATCH: error(409, 'user', 'The upload belongs to another account.'),
  IDEMPOTENCY_CONFLICT: error(409, 'never', 'The Idempotency-Key was used for something else, or is in use now.'),
  COMPLETE_CONFLICT: error(409, 'never', 'The upload was completed with another key or other fields.'),
  UPLOAD_INCOMPLETE: error(409, 'backoff', 'Parts are missing.'),
  PASTE_REVISION_CONFLICT: error(409, 'never', 'The note was changed in the meantime.'),
  MEDIA_PROCESSING: error(409, 'wait', 'The video is not ready.'),
  TRIAL_UNAVAILABLE: error(409, 'never', 'The trial cannot be started.'),
  RENEW_TOO_EARLY: error(409, 'never', 'The key can only be renewed in the 30 days before it expires.'),
  UPLOAD_GONE: error(410, 'never', 'The upload has expired or was cancelled.'),
  CONTENT_GONE: error(410, 'never', 'The item was deleted or has expired.'),
  UPLOAD_TOO_LARGE: error(413, 'user', 'The file is too large.'),
  IMAGE_TOO_LARGE: error(413, 'user', 'The image is too large.'),
  VIDEO_TOO_LARGE: error(413, 'user', 'The video is too large.'),
  QUOTA_EXCEEDED: error(413, 'user', 'The account has no space left.'),
  FOLDER_TOO_LARGE: error(413, 'user', 'The folder contains too much text.'),
  FOLDER_TOO_MANY_FILES: error(413, 'user', 'The folder contains too many files.'),
  VIDEO_NOT_SUITABLE: error(415, 'user', 'The video is not within limits.video.'),
  FOLDER_INFECTED: error(422, 'never', 'The antivirus found a threat.'),
  UPLOAD_USER_BUSY: error(429, 'wait', 'Too many uploads at once.'),
  RATE_LIMITED: error(429, 'wait', 'Too many requests.'),
  INTERNAL: error(500, 'backoff', 'The server failed.'),
  UPLOAD_SERVER_BUSY: error(503, 'wait', 'The server is busy; nothing was stored.'),
} as const;

/** Codes that arise in the app itself and never on the wire. */
export const APP_ERRORS = {
  NOT_CONNECTED: { retry: 'reconnect' },
  CONNECTION_REFUSED: { retry: 'backoff' },
  SERVER_UNREACHABLE: { retry: 'backoff' },
  NETWORK_FAILED: { retry: 'backoff' },
  REPLY_TIMEOUT: { retry: 'backoff' },
  NOT_THE_SERVICE: { retry: 'backoff' },
  UNSAFE_ANSWER: { retry: 'user' },
  LIST_ENDLESS: { retry: 'never' },
  REDIRECT_REFUSED: { retry: 'user' },
  TLS_FAILED: { retry: 'user' },
  INSECURE_ADDRESS: { retry: 'never' },
  ADDRESS_INVALID: { retry: 'never' },
  SOURCE_MISSING: { retry: 'user' },
  SOURCE_UNREADABLE: { retry: 'user' },
  SOURCE_EMPTY: { retry: 'never' },
  SOURCE_SECRET: { retry: 'never' },
  SOURCE_NOT_A_FILE: { retry: 'never' },
  SOURCE_NOT_A_FOLDER: { retry: 'never' },
  SOURCE_CHANGED: { retry: 'user' },
  VIDEO_TOOL_MISSING: { retry: 'user' },
  VIDEO_UNREADABLE: { retry: 'never' },
  VIDEO_FIT_FAILED: { retry: 'user' },
  IMAGE_UNREADABLE: { retry: 'never' },
  IMAGE_VECTOR: { retry: 'never' },
  TEXT_DATA_MISSING: { retry: 'user' },
  TEXT_NOT_READ: { retry: 'user' },
  SECRETS_FOUND: { retry: 'user' },
  SECRETS_UNCHECKED: { retry: 'user' },
  SECRETS_NOT_HIDDEN: { retry: 'never' },
  UPLOADED_UNCHECKED: { retry: 'never' },
  MAYBE_PUBLISHED: { retry: 'never' },
  NOTE_EMPTY: { retry: 'never' },
  CLIPBOARD_NO_IMAGE: { retry: 'never' },
  NOTE_TOO_LONG: { retry: 'never' },
  NOTE_NOT_TEXT: { retry: 'never' },
  TOO_MANY_DRAFTS: { retry: 'user' },
  DISK_FULL: { retry: 'user' },
  KEY_STORE_FAILED: { retry: 'user' },
  CAPTURE_UNAVAILABLE: { retry: 'user' },
  CAPTURE_AREA_INVALID: { retry: 'never' },
  CAPTURE_BUSY: { retry: 'user' },
  CAPTURE_GONE: { retry: 'never' },
  DRAWING_NOT_APPLIED: { retry: 'user' },
  DRAWING_TOO_LARGE: { retry: 'never' },
  RECORDING_LIMIT: { retry: 'never' },
  RECORDING_INTERRUPTED: { retry: 'never' },
  RECORDING_RECOVERED: { retry: 'never' },
  INPUT_NOT_SHOWN: { retry: 'never' },
  CAMERA_NOT_SHOWN: { retry: 'never' },
  SAVE_FAILED: { retry: 'user' },
  HOTKEY_TAKEN: { retry: 'user' },
  HOTKEY_INVALID: { retry: 'never' },
  PROFILE_BUSY: { retry: 'backoff' },
  PROFILE_NEWER: { retry: 'never' },
  PROFILE_DAMAGED: { retry: 'user' },
  ITEM_UNREADABLE: { retry: 'never' },
  COMMAND_INVALID: { retry: 'never' },
  TOO_MANY_TAGS: { retry: 'user' },
  CANCELLED: { retry: 'never' },
  APP_FAILED: { retry: 'backoff' },
} as const satisfies Record<string, { retry: Retry }>;

export type ServiceErrorCode = keyof typeof SERVICE_ERRORS;
export type AppErrorCode = keyof typeof APP_ERRORS;
export type ErrorCode = ServiceErrorCode | AppErrorCode;

export const isServiceErrorCode = (code: string): code is ServiceErrorCode => Object.hasOwn(SERVICE_ERRORS, code);

/** The retry class of an error code. */
export const retryOf = (code: ErrorCode): Retry =>
  isServiceErrorCode(code) ? SERVICE_ERRORS[code].retry : APP_ERRORS[code].retry;

/** Whether the file is over a limit for its kind. A proxy sends no such code, unlike UPLOAD_TOO_LARGE. */
export const isOverTypeLimit = (code: ErrorCode): boolean =>
  code === 'IMAGE_TOO_LARGE' || code === 'VIDEO_TOO_LARGE' || code === 'VIDEO_NOT_SUITABLE';

/** The body of every error response (RFC 9457 with the extensions of API decisions 2). */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String(),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  currentRevision: Type.Optional(Type.Integer({ minimum: 1 })),
  requestId: Type.String(),
});
export type Problem = Static<typeof Problem>;

/**
 * An error as plain data, so that it crosses process boundaries and SQLite unchanged. `detail` is an English sentence of
 * the server, the system or the app for the details view; messages for the user are built from `code` and `params`, and
 * of some codes the command line shows `detail`. `afterMs`: how long to wait, where that is known.
 */
export const Failure = Type.Object({
  code: Type.Unsafe<ErrorCode>(Type.String()),
  detail: Type.String(),
  status: Type.Optional(Type.Integer()),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  afterMs: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type Failure = Static<typeof Failure>;

/** The outcome of an operation whose errors a caller can handle; bugs are thrown. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });
export const failure = (code: ErrorCode, detail: string, more: Omit<Failure, 'code' | 'detail'> = {}): Failure => ({
  code,
  detail,
  ...more,
});

/**
 * Whether the failure is the service's own word. An intermediary may answer for it, also after the service has done what
 * was asked, and then `params.isForeign` is set; so no status or code alone proves anything about an item.
 */
export const isOfService = ({ code, params }: Failure): boolean =>
  isServiceErrorCode(code) && params?.['isForeign'] !== true;

/** Whether the service itself has refused the request with one of these statuses. */
export const isRefusedWith = (reason: Failure, ...statuses: readonly number[]): boolean =>
  isOfService(reason) && reason.status !== undefined && statuses.includes(reason.status);

/** The default branch of an exhaustive switch. */
export const unreachable = (value: never): never => {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
};
