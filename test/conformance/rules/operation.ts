/** Authentication, errors, states, limits and versions of the API document. */
import { section, shown } from './rule.ts';

export const OPERATION_RULES = [
  ...section(
    'N',
    'Authentication',
    shown('1. The key comes in Authorization: Bearer.', 'accounts/auth: without a key is 401'),
    shown(
      '2. Each operation needs its scope, else 403.',
      'accounts/auth: scopes > %s needs its own',
      'content/content: is needed for each of reading, changing and deleting',
    ),
    shown('3. All keys of an account share one request budget.', 'http/budgets: for all keys of an account'),
    shown('4. An expired key is 401 API_KEY_EXPIRED.', 'accounts/auth: with an expired key'),
    shown(
      '4. A revoked key is 401 API_KEY_REVOKED: by the key list, the console, or a new connection of the device.',
      'accounts/auth: with a revoked key',
      'operation/command-line: key revoke',
      'pages/account: and revokes it',
      'device-auth/device-code: revokes the older key',
    ),
    shown('4. An unknown key is 401 API_KEY_INVALID.', 'accounts/auth: with an unknown key'),
    shown('4. A key of a banned account is 401 ACCOUNT_BANNED.', 'accounts/auth: of a banned account'),
    shown(
      '4. Changed access is 401 ACCOUNT_ACCESS_CHANGED.',
      'device-auth/device-code: ends with ACCOUNT_ACCESS_CHANGED',
    ),
    shown(
      '5. A connection key lives 365 days and renews within 30 days of its end.',
      'device-auth/device-code: is renewed within 30 days',
      'conformance/numbers: the limits of the document',
    ),
    shown(
      '6. X-Service-Account of another account is 409 before state is read.',
      'uploads/start: for another account is 409',
      'conformance/uploads: X-Service-Account',
    ),
  ),
  ...section(
    'X',
    'Errors',
    shown('Every code has its status.', 'conformance/numbers: every code of the document'),
    shown(
      'FOLDER_ARCHIVE_INVALID is 400.',
      'folders/route: %s: %i %s',
      'folders/read-archive: a bad archive is refused',
    ),
    shown('FOLDER_EMPTY is 400.', 'folders/route: %s: %i %s'),
    shown('ONE_TIME_NOT_PUBLIC is 400.', 'uploads/single-request-upload: public together with oneTime'),
    shown(
      'UPLOAD_FORMAT_UNSUPPORTED is 400.',
      'uploads/parts: of an unsupported format',
      'uploads/single-request-upload: a refused upload stores nothing > %s: %s',
    ),
    shown('FOLDER_TOO_LARGE and FOLDER_TOO_MANY_FILES are 413.', 'folders/route: %s: %i %s'),
    shown(
      'UPLOAD_TOO_LARGE is 413.',
      'uploads/start: over the plan is 413',
      'uploads/single-request-upload: a file over maxUploadBytes',
    ),
    shown(
      'IMAGE_TOO_LARGE is 413, with params.ceiling = server above the ceiling.',
      'uploads/parts: of an image over the plan',
      'uploads/parts: names the ceiling',
    ),
    shown(
      'VIDEO_TOO_LARGE is 413, with params.ceiling = server above the ceiling.',
      'conformance/uploads: a video over its limit',
    ),
    shown(
      'QUOTA_EXCEEDED is 413.',
      'content/content: counts against the quota',
      'uploads/complete: for one of ten racing uploads',
    ),
    shown('FOLDER_INFECTED is 422.', 'folders/antivirus: finds a threat'),
    shown('VIDEO_NOT_SUITABLE is 415 with params.problems.', 'uploads/complete: of a video outside limits.video'),
    shown(
      'UPLOAD_STALLED is 408.',
      'uploads/parts: is 408 UPLOAD_STALLED',
      'uploads/single-request-upload: is 408 UPLOAD_STALLED',
    ),
    shown(
      'UPLOAD_USER_BUSY is 429 with Retry-After.',
      'uploads/single-request-upload: two at once',
      'uploads/parts: are three for an account',
    ),
    shown('RATE_LIMITED is 429 with Retry-After.', 'http/budgets: then 429 with Retry-After'),
    shown(
      'UPLOAD_SERVER_BUSY is 503 with Retry-After and stores nothing.',
      'uploads/states: is 503 UPLOAD_SERVER_BUSY',
      'folders/antivirus: 503, and nothing is stored',
    ),
    shown(
      'PLAN_FEATURE_REQUIRED is 403 with params.feature.',
      'content/content: needs the plan for expiresAt and viewLimit',
    ),
    shown('PASTE_REVISION_CONFLICT is 409 with currentRevision.', 'notes/api: is 409 with the current one'),
    shown('SHARE_UNAVAILABLE is 404.', 'sharing/share: answers the same bytes for every cause'),
    shown(
      'The five causes of 401 have their codes.',
      'accounts/auth: is 401',
      'device-auth/device-code: ends with ACCOUNT_ACCESS_CHANGED',
    ),
    shown(
      '404 is content unavailable, 410 what was deleted or has expired, 409 a conflict, 500 an internal error of resumable endpoints.',
      'sharing/share: answers the same bytes for every cause',
      'uploads/start: 410 CONTENT_GONE once that was deleted',
      'uploads/start: with other bytes is 409',
      'conformance/numbers: every code that we decided',
    ),
    shown(
      'No malformed request is answered with another status than a documented one.',
      'faults/fuzz: malformed requests give',
    ),
  ),
  ...section(
    'T',
    'States and transitions',
    shown('A pending upload lives 24 hours.', 'uploads/states: turn a pending upload EXPIRED'),
    shown(
      'Videos are processed after their upload: PROCESSING, then READY or FAILED.',
      'server/media/previews: is PROCESSING until its poster',
      'server/media/previews: without one frame that decodes is FAILED',
      'media/media-route: becomes READY by itself',
    ),
    shown(
      'A moderator puts an item on hold (review, blocked) and lifts it.',
      'operation/command-line: content hold hides an item',
    ),
    shown(
      'The first explicit open consumes a one-time link (consumedAt).',
      'sharing/share: serves its viewer for ten minutes',
      'sharing/share: lets the first of 50 browsers in',
    ),
    shown(
      'Each change of visibility, password or one-time raises accessVersion.',
      'content/content: raises accessVersion',
    ),
  ),
  ...section(
    'L',
    'Limits',
    shown(
      'The numbers of the document are those of the server.',
      'conformance/numbers: the limits of the document',
      'server/operation/config: has the documented defaults',
    ),
    shown('60 requests a minute for an account.', 'http/budgets: is 60 requests a minute'),
    shown(
      '240 upload requests and 1,200 parts a minute, apart from the 60.',
      'http/budgets: is apart from those of uploads',
    ),
    shown(
      'X-RateLimit-Limit, -Remaining and -Reset are sent; above the limit 429 with Retry-After.',
      'http/budgets: then 429 with Retry-After',
      'conformance/uploads: the rate headers',
    ),
    shown(
      'Storage above the quota is 413 QUOTA_EXCEEDED.',
      'content/content: counts against the quota',
      'uploads/single-request-upload: the quota is kept',
    ),
    shown(
      '2 files and 3 parts at once, more are 429 with Retry-After.',
      'uploads/single-request-upload: two at once',
      'uploads/parts: are three for an account',
    ),
    shown(
      'A body of POST /uploads may pause for 30 seconds.',
      'uploads/single-request-upload: is 408 UPLOAD_STALLED',
      'conformance/numbers: the limits of the document',
    ),
    shown(
      'Paths of a folder have up to 20 levels and 200 characters.',
      'folders/rules: excluded files, with the reason > %s: %s',
      'folders/rules: excluded files, with the reason > %s stays',
    ),
    shown(
      'A JSON body has up to 1 MB.',
      'http/error-responses: a JSON body over 1 MB',
      'notes/api: refuses a body over 1 MB',
    ),
    shown(
      'A list has 25 items a page.',
      'content/content: newest first, 25 a page',
      'content/content: holds exactly a page',
    ),
    shown('media-status takes up to 25 ids.', 'server/content/views: is asked of 25 items at most'),
    shown(
      'An Idempotency-Key is retained at least 24 hours.',
      'uploads/single-request-upload: is kept for seven days',
      'conformance/uploads: an Idempotency-Key is kept',
    ),
    shown(
      'Views by day cover 1 to 90 days.',
      'server/content/views: refuse %s',
      'server/content/views: are counted on the day',
    ),
    shown('The request log has the latest 100 entries from 30 days.', 'accounts/request-log: keeps the latest 100'),
    shown(
      'The numbers of the plan in force are in limits of GET /account.',
      'accounts/account: of the free plan',
      'accounts/account: of a paid plan',
    ),
  ),
  ...section(
    'W',
    'Versioning',
    shown('Paths of the API begin with /api/v1.', 'conformance/numbers: every operation that the document names'),
    shown(
      'accessVersion and revision are versions of an item, not of the API.',
      'notes/api: which has its own version',
    ),
    shown(
      'The fingerprint text carries service-resumable-v1.',
      'uploads/start: computes the fingerprint vector of one byte "a"',
    ),
  ),
];
