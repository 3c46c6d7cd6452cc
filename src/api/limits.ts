/**
 * The limits of the API document and the API decisions: sizes, lengths, counts, request rates and durations. Also
 * calculates the number of parts of a file and the length of each. Plans and operators may change some limits; `GET
 * /api/v1/account` returns the request rate, the sizes and the number of uploads at once that are in force for an
 * account.
 */

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const LIMITS = {
  /** Resumable uploads (API document, "Resumable upload"; API decisions 1). */
  partBytes: 2 * MIB,
  maxParts: 2_048,
  maxResumableBytes: 4 * GIB,
  filenameMaxCharacters: 1_024,
  storedFilenameMaxCharacters: 180,
  fingerprintVersion: 'service-resumable-v1',
  partsAtOnce: 3,
  pendingUploads: 10,
  pendingUploadMs: DAY,
  partStallMs: 20 * SECOND,

  /** Uploads in a single request. */
  uploadsAtOnce: 2,
  uploadStallMs: 30 * SECOND,
  idempotencyMs: 7 * DAY,
  idempotencyKeyMinCharacters: 16,
  idempotencyKeyMaxCharacters: 128,

  /** Request budgets per minute, of an account with all its keys; that of guests is of a network without a key. */
  requestsPerMinute: 60,
  uploadRequestsPerMinute: 240,
  partsPerMinute: 1_200,
  guestRequestsPerMinute: 600,
  budgetWindowMs: MINUTE,

  /** Files. */
  freeImageBytes: 10 * MIB,
  freeVideoBytes: 100 * MIB,
  freeQuotaBytes: GIB,
  proQuotaBytes: 100 * GIB,
  serverImageBytes: 64 * MIB,
  serverVideoBytes: 4 * GIB,
  imageMegapixels: 40,

  /** Code folders. */
  folderArchiveBytes: 32 * MIB,
  folderFiles: 2_000,
  folderTextBytes: 20 * MIB,
  folderFileBytes: 512 * KIB,
  folderDepth: 20,
  folderPathCharacters: 200,
  folderSkippedListed: 200,
  folderRawEntries: 50_000,
  folderTagsFieldCharacters: 2_048,

  /** Fields of an item. */
  titleMaxCharacters: 180,
  tagsMax: 10,
  tagMaxCharacters: 32,
  passwordMinCharacters: 8,
  passwordMaxCharacters: 128,
  noteMaxCharacters: 200_000,
  viewLimitMax: 1_000_000,
  bioMaxCharacters: 600,

  /** Access. */
  oneTimeMs: 10 * MINUTE,
  viewerGrantMs: DAY,
  wrongPasswords: 10,
  wrongPasswordWindowMs: 15 * MINUTE,
  /**
   * Counted over all networks. Beyond it, a link accepts one try every few seconds, and a sign-in to that name waits.
   */
  wrongPasswordsPerItem: 200,
  wrongSignInsPerName: 200,
  signInFirstDelayMs: SECOND,
  signInDelayMs: 8 * SECOND,
  /** Concurrent password checks; one slot is reserved for networks without a wrong guess in `suspicionMs`. */
  passwordChecksAtOnce: 2,
  suspicionMs: 2 * MINUTE,
  /** The limit of an IPv6 /64, multiplied by this factor, also applies to its /56. */
  widerNetworkFactor: 10,

  /** Lists and bodies. */
  pageItems: 25,
  searchMaxCharacters: 200,
  mediaStatusIds: 25,
  viewsByDayMax: 90,
  viewsByDayDefault: 30,
  requestLogEntries: 100,
  requestLogMs: 30 * DAY,
  jsonBodyBytes: MIB,

  /** Keys and the device connection. */
  connectionKeyMs: 365 * DAY,
  renewWindowMs: 30 * DAY,
  deviceCodeMs: 15 * MINUTE,
  devicePollMs: 5 * SECOND,
  connectCodeMs: 2 * MINUTE,
  wrongUserCodes: 5,
  scopesMax: 4,
  /** Valid keys of an account that were made by hand, perhaps one for each job of a script, and keys of its devices. */
  keysMax: 500,
  deviceKeysMax: 100,
  keyNameMaxCharacters: 100,
  deviceNameMaxCharacters: 128,
  deviceIdMaxCharacters: 128,

  /** The account's own pages. */
  nameMaxCharacters: 64,
  captureHotkeyMaxCharacters: 64,
  sessionMs: 30 * DAY,
  sessionsMax: 100,

  /** The trial of a paid plan. One address or network may take one in `trialNetworkMs`. */
  trialDays: 14,
  trialEndingMs: 2 * DAY,
  trialEndedNoticeMs: 14 * DAY,
  trialNetworkMs: 30 * DAY,
} as const;

/** Relative expiry (`ttl`) in milliseconds; `forever` removes the expiry. A month is 30 days (API decisions 7). */
export const TTL_MS = { day: DAY, week: 7 * DAY, month: 30 * DAY } as const;

/** The latest expiry, in milliseconds since 1970: later years have more than four digits. */
export const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/** Number of parts of a file of `size` bytes. The last part may be shorter (API decisions 1). */
export const partCount = (size: number): number => Math.ceil(size / LIMITS.partBytes);

/** Bytes of part `index` (counted from zero) of a file of `size` bytes. */
export const partLength = (size: number, index: number): number =>
  Math.min(LIMITS.partBytes, size - index * LIMITS.partBytes);

/** Of a file that may become a note: four bytes per character in UTF-8, and a byte order mark. */
export const NOTE_MAX_BYTES = LIMITS.noteMaxCharacters * 4 + 3;
