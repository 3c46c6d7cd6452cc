/** The endpoints that the API document describes. */
import { section, shown } from './rule.ts';

export const ENDPOINT_RULES = [
  ...section(
    'E',
    'POST /api/v1/folders',
    shown('It needs content:write.', 'accounts/auth: scopes > %s needs its own'),
    shown(
      'Idempotency-Key has 16 to 128 letters, digits, _ and -.',
      'uploads/single-request-upload: an Idempotency-Key > %s is 400',
    ),
    shown(
      'A replay returns the folder made before with folder = null.',
      'folders/route: the same item and folder null',
    ),
    shown('Without a title the file name without .zip is the title.', 'folders/route: takes title, tags and access'),
    shown(
      'tags is a JSON-encoded array in up to 2,048 characters.',
      'uploads/single-request-upload: a tags field of 2,048',
      'folders/route: takes title, tags and access',
      'uploads/single-request-upload: %s: 400 INVALID_INPUT',
    ),
    shown(
      'title, visibility, ttl, password and oneTime keep the rules of items.',
      'folders/route: takes title, tags and access',
      'uploads/single-request-upload: %s: 400 INVALID_INPUT',
    ),
    shown(
      '1. The archive is at most 32 MB, else 413 UPLOAD_TOO_LARGE with params.limitBytes.',
      'folders/route: %s: %i %s',
      'folders/route: an archive of exactly 32 MB',
    ),
    shown(
      '2. Anything but a plain ZIP is 400 FOLDER_ARCHIVE_INVALID.',
      'folders/read-archive: a bad archive is refused',
      'folders/real-archives: are refused',
    ),
    shown(
      '2. Stored and deflated entries with UTF-8 names are read.',
      'folders/read-archive: an odd but valid archive',
      'folders/real-archives: archives of common programs are accepted',
    ),
    shown('3. At most 2,000 files stay, else 413 FOLDER_TOO_MANY_FILES.', 'folders/rules: 2,000 files stay'),
    shown('3. At most 20 MB of text stay, else 413 FOLDER_TOO_LARGE.', 'folders/rules: 20 MB of text stay'),
    shown('3. A file has at most 512 KB.', 'folders/rules: a file over 512 KB'),
    shown('4. Secrets are never stored.', 'folders/route: leaves no secret on the disk'),
    shown(
      '4. Dependencies, build output, version control, odd names, deep and long paths, case collisions and binaries are left out and listed.',
      'folders/rules: excluded files, with the reason > %s: %s',
      'folders/rules: of names that differ only by case',
    ),
    shown(
      '4. The root .gitignore and what it excludes are left out.',
      'folders/rules: is applied, and itself left out',
      'folders/gitignore: is judged as git judges it',
    ),
    shown(
      '5. Nothing left is 400 FOLDER_EMPTY.',
      'folders/rules: nothing left is FOLDER_EMPTY',
      'folders/route: %s: %i %s',
    ),
    shown('6. A threat is 422 FOLDER_INFECTED and nothing is stored.', 'folders/antivirus: finds a threat'),
    shown(
      '7. A single top folder is dropped, and its .gitignore is the root one.',
      'folders/rules: is dropped from the paths',
    ),
    shown(
      '8. The kept files are stored as a new ZIP: sorted, UTF-8 names, deflate.',
      'folders/real-archives: as the same sorted list',
      'folders/route: is the same ZIP for equal files',
    ),
    shown('8. The quota counts the bytes of that ZIP.', 'folders/route: counts the stored ZIP against the quota'),
    shown('9. It shares uploadsAtOnce with POST /uploads.', 'folders/route: share the two places'),
    shown('10. public with oneTime is 400 ONE_TIME_NOT_PUBLIC.', 'folders/route: %s: %i %s'),
    shown('201 has the fields of the item, content, and folder.', 'folders/route: is 201 with the fields of the item'),
    shown(
      'The archive is the media; a Range reads one file, ?download=1 is an attachment.',
      'folders/route: is served as stored: single files by Range through the central directory, and as an attachment',
    ),
  ),
  ...section(
    'G',
    'GET /api/v1/account',
    shown('It needs account:read.', 'accounts/auth: scopes > %s needs its own'),
    shown('200 is user, limits, entitlements and credential.', 'accounts/account: has the 16 fields'),
  ),
  ...section(
    'U',
    'POST /api/v1/uploads/resumable',
    shown('It needs content:write.', 'accounts/auth: scopes > %s needs its own'),
    shown(
      'An account has at most ten pending uploads.',
      'uploads/start: are at most ten',
      'uploads/start: count also when many start at once',
    ),
    shown(
      'A pending upload lives 24 hours.',
      'uploads/start: an expiry 24 hours ahead',
      'uploads/states: turn a pending upload EXPIRED',
    ),
    shown('Idempotency-Key is required and a UUID.', 'uploads/start: with the Idempotency-Key %j is 400'),
    shown(
      'X-Service-Account of another account is 409 before any state is read or byte buffered.',
      'uploads/start: by the header even before the body',
      'conformance/uploads: X-Service-Account',
    ),
    shown(
      'accountId is that of the key, 1 to 128 characters.',
      'uploads/start: for another account is 409',
      'uploads/start: with %s is 400',
    ),
    shown('filename has 1 to 1,024 characters.', 'uploads/start: with %s is 400'),
    shown(
      'The stored name has no control characters or separators and 180 characters with its extension.',
      'uploads/sanitize-filename: a stored file name',
    ),
    shown(
      'The same Idempotency-Key and bytes return the same upload and its first name.',
      'uploads/start: with the same bytes gives the same upload',
    ),
    shown(
      'size is 1 to 4 GiB and at most maxUploadBytes, else 413 UPLOAD_TOO_LARGE; params.ceiling = server when the plan has none.',
      'uploads/start: over the plan is 413',
      'uploads/start: with %s is 400',
    ),
    shown('chunkSize is 2097152 only.', 'uploads/start: with %s is 400'),
    shown('chunkHashes are SHA-256 in hex of every part in order.', 'uploads/start: with %s is 400'),
    shown(
      'fingerprint is the SHA-256 of the version line, size, chunk size and hashes, each followed by LF.',
      'uploads/start: computes the fingerprint vector of one byte "a"',
      'uploads/start: with %s is 400',
    ),
    shown('File name and time are not identity.', 'uploads/start: the same upload and its first name'),
    shown(
      'The first part reveals the type: 400 UPLOAD_FORMAT_UNSUPPORTED cancels at once.',
      'uploads/parts: of an unsupported format',
    ),
    shown(
      'A file above the limit of its type is 413 IMAGE_TOO_LARGE or VIDEO_TOO_LARGE and cancels at once.',
      'uploads/parts: of an image over the plan',
      'uploads/parts: of an image over the server',
      'conformance/uploads: a video over its limit',
    ),
    shown('200 is the confirmed persisted state.', 'uploads/start: answers the confirmed state'),
  ),
  ...section(
    'P',
    'PUT /api/v1/uploads/resumable/{id}/parts/{index}',
    shown('It needs content:write.', 'accounts/auth: scopes > %s needs its own'),
    shown(
      'A part is immutable; a repeat verifies the same hash.',
      'uploads/parts: that is repeated with the same bytes',
      'uploads/parts: with other bytes is 400',
    ),
    shown(
      'index counts from zero.',
      'uploads/parts: with index %s is 400',
      'uploads/parts: is confirmed with its number',
    ),
    shown(
      'Content-Length is required and that of the part.',
      'uploads/parts: with a wrong Content-Length',
      'uploads/parts: without a Content-Length',
    ),
    shown('X-Service-Account as above.', 'uploads/parts: for another account is 409'),
    shown('The SHA-256 of the body must match the manifest.', 'uploads/parts: with other bytes is 400'),
    shown(
      '200 is ResumableUpload.',
      'uploads/parts: is confirmed with its number',
      'conformance/uploads: every answer of a resumable upload',
    ),
    shown(
      'A body idle for 20 seconds is 408 UPLOAD_STALLED.',
      'uploads/parts: is 408 UPLOAD_STALLED',
      'conformance/numbers: the limits of the document',
    ),
    shown('More than three parts at a time are 429 UPLOAD_USER_BUSY.', 'uploads/parts: are three for an account'),
  ),
  ...section(
    'K',
    'POST /api/v1/uploads/resumable/{id}/complete',
    shown('It needs content:write.', 'accounts/auth: scopes > %s needs its own'),
    shown(
      'It publishes exactly one item.',
      'uploads/complete: raced by twenty with the same key',
      'faults/server-kill: keeps what it acknowledged, once',
      'uploads/kill: every file is published once',
    ),
    shown('X-Service-Account as above.', 'conformance/uploads: X-Service-Account'),
    shown(
      'A retry with the same completeKey and fields returns the same file.',
      'uploads/complete: repeated with the same key and fields',
    ),
    shown(
      'title, tags, visibility, ttl, password and oneTime keep the rules of items.',
      'content/content: takes title, tags',
      'uploads/complete: with wrong fields is 400',
    ),
    shown(
      'A video outside limits.video is 415 VIDEO_NOT_SUITABLE with params.problems and stores nothing.',
      'uploads/complete: of a video outside limits.video',
    ),
    shown(
      'public with oneTime is 400 ONE_TIME_NOT_PUBLIC.',
      'content/content: refuses a state that is public and one-time',
      'content/content: is refused for fields that break the rules',
    ),
    shown('200 is ResumableUpload with content.', 'uploads/complete: publishes the item'),
  ),
  ...section(
    'O',
    'Behaviours of referenced operations',
    shown('GET /api/media/{id} serves the media of an item.', 'media/media-route: comes as it was uploaded'),
    shown('?download=1 serves it as an attachment.', 'media/media-route: is an attachment'),
    shown(
      'POST /api/share/{id}/open counts a view and grants access.',
      'sharing/share: counts a view once per browser',
    ),
    shown(
      'The operations that are named exist.',
      'server/openapi/document: has every endpoint of the contract',
      'conformance/numbers: every operation that the document names',
    ),
  ),
];
