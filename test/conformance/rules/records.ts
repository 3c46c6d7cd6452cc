/** Access to items, and the records of folders, uploads and accounts. */
import { section, shown } from './rule.ts';

export const RECORD_RULES = [
  ...section(
    'V',
    'Visibility and protection rules',
    shown(
      '1. public with oneTime is 400 ONE_TIME_NOT_PUBLIC, also as the result of an update.',
      'content/content: refuses a state that is public and one-time',
      'uploads/single-request-upload: public together with oneTime',
      'notes/api: refuses one-time with public',
    ),
    shown(
      '2. Without visibility the default of the account counts.',
      'content/content: is private where the account requires it',
    ),
    shown('3. A password is empty or has 8 to 128 characters.', 'content/fields: is empty or has 8 to 128 characters'),
    shown('3. Passwords are stored hashed with Argon2id.', 'server/passwords: are Argon2id'),
    shown(
      '3. An empty password removes it, omission keeps it.',
      'content/content: changes the given fields and keeps the others',
      'content/content: raises accessVersion',
    ),
    shown(
      '3. Changing the password revokes what viewers were granted.',
      'sharing/share: that changes ends what viewers were granted',
    ),
    shown(
      '3. Others see protected items in lists only as a locked card.',
      'server/lists/lists: shows others a protected item as a locked card',
      'server/lists/lists: becomes a locked card, disappears and returns as its owner changes it, and can always be removed',
      'server/lists/lists: protected ones as locked cards',
    ),
    shown(
      '4. A one-time link opens for the first guest browser only.',
      'sharing/share: lets the first of 50 browsers in',
    ),
    shown(
      '4. The viewer of a one-time link has at most 10 minutes, also for Range requests under way.',
      'sharing/share: serves its viewer for ten minutes',
      'sharing/share: A one-time stream',
    ),
    shown(
      '4. Owner previews and GET or HEAD do not consume a one-time link.',
      'sharing/share: is not consumed by a hundred looks',
      'sharing/share: consumed or used up, and consumes nothing',
    ),
    shown(
      '4. Others never see one-time items in feed, profile or albums.',
      'server/lists/lists: never one-time ones',
      'server/lists/lists: follows the access table for every item, without one-time items of others',
    ),
    shown('5. ttl counts from the request; forever clears the expiry.', 'content/content: sets an end by ttl'),
    shown(
      '5. Access stops at expiry.',
      'sharing/share: returns 410 to the owner of an expired item in the API, and 404 everywhere else',
    ),
    shown(
      '5. Objects are removed through a persistent retry queue.',
      'jobs/deletion-queue: across restarts',
      'content/content: frees the bytes and the storage once',
    ),
  ),
  ...section(
    'F',
    'Folder result',
    shown(
      'files is at least 1, textBytes at least 0.',
      'folders/route: what became of every file',
      'folders/rules: every file is either kept or counted once',
    ),
    shown(
      'skipped is sorted by path and lists at most the first 200; skippedFiles counts all.',
      'folders/rules: the first 200 skips',
    ),
    shown(
      'gitignore is applied, none or complex.',
      'folders/rules: is applied, and itself left out',
      'folders/rules: that needs too much work is complex, and no pattern is applied',
      'folders/rules: does not exist: none',
    ),
    shown(
      'A skipped path is a file, or a whole folder when it ends with /.',
      'folders/rules: a whole folder is one entry',
    ),
    shown(
      'A skip tells the number of its files and their unpacked bytes.',
      'folders/rules: a whole folder is one entry',
    ),
    shown(
      'The reasons are dependencies, build, service, secret, gitignore, name, path, large, duplicate and binary.',
      'folders/rules: excluded files, with the reason > %s: %s',
    ),
    shown(
      'A secret is .env* but .env.example, *.pem, *.key, id_rsa*, credentials*, token files, or a file with a private key.',
      'folders/rules: a file holding a private key',
      'folders/rules: .env.example is kept',
      'folders/rules: excluded files, with the reason > %s: %s',
    ),
    shown('binary is what is not UTF-8 text by its bytes.', 'folders/rules: bytes that are not UTF-8 text are binary'),
  ),
  ...section(
    'R',
    'ResumableUpload',
    shown(
      'The record has its fields with their types and ranges.',
      'uploads/start: answers the confirmed state',
      'conformance/uploads: every answer of a resumable upload',
    ),
    shown(
      'state is UPLOADING, COMPLETING, COMPLETED, CANCELLED or EXPIRED.',
      'uploads/states: turn a pending upload EXPIRED',
      'uploads/states: the upload is CANCELLED',
      'conformance/uploads: while COMPLETING',
    ),
    shown(
      'chunkSize is always 2,097,152.',
      'uploads/start: with %s is 400',
      'conformance/uploads: every answer of a resumable upload',
    ),
    shown(
      'received has unique numbers of confirmed parts.',
      'uploads/parts: counts once',
      'uploads/parts: is confirmed with its number',
    ),
    shown(
      'receivedBytes never counts unconfirmed bytes.',
      'uploads/parts: and ends too early stores nothing',
      'uploads/states: is 503 UPLOAD_SERVER_BUSY',
    ),
    shown(
      'content is the item once completed, else null.',
      'uploads/complete: publishes the item',
      'conformance/uploads: every answer of a resumable upload',
    ),
  ),
  ...section(
    'A',
    'Account response',
    shown('user has 16 fields, limits 10, limits.video 7, entitlements 8.', 'accounts/account: has the 16 fields'),
    shown('bio has up to 600 characters.', 'pages/account: takes a bio of 600 characters'),
    shown(
      'copyLink, palette, captureHotkey, name and the other settings are those of the account page.',
      'pages/account: changes every field of the profile, which the API then returns',
    ),
    shown(
      'unlistedPreviews decides whether link previews of unlisted files show them; private, protected and one-time ones never do.',
      'pages/pages: never describe protected, one-time or limited items',
      'sharing/access: allows link previews of plain items only, of unlisted ones as the owner chose',
    ),
    shown(
      'previewAuthor decides whether link previews name the author.',
      'pages/pages: describe plain items, with the author as the owner chose',
    ),
    shown(
      'storageUsed and quotaBytes are in bytes.',
      'content/content: counts against the quota',
      'accounts/account: has the 16 fields',
    ),
    shown(
      'plan is null on the free plan, else code, name (ru, en), trial and until.',
      'accounts/account: of the free plan has no plan',
      'accounts/account: of a paid plan',
      'accounts/plan-trial: when active gives the rights',
    ),
    shown(
      'maxImageBytes and maxVideoBytes are the limits of the plan, or those of the server when it has none.',
      'accounts/account: the plan limits of 10 MB and 100 MB',
      'accounts/account: has the ceilings of the server',
    ),
    shown(
      'planImageBytes and planVideoBytes are null where the plan has no limit.',
      'accounts/account: of a paid plan',
    ),
    shown(
      'The ceilings of the server are 64 MB for an image and 4 GB for a video.',
      'accounts/account: has the ceilings of the server',
    ),
    shown(
      'The average bitrate may reach bitsPerPixel x width x height x min(fps, fpsCap), within min and max.',
      'media/video: lets the average bitrate reach',
    ),
    shown(
      'The refusal of a video names H.264 with AAC (MP4) or VP9/AV1 with Opus (WebM), up to 3840 x 2160.',
      'media/video: is returned in the terms of the API document',
      'media/video: takes 3840 x 2160',
    ),
    shown(
      'Without a subscription there are no features and planUntil is null.',
      'accounts/account: of the free plan has no plan',
    ),
    shown('A plan never grants less than the free one.', 'accounts/account: never grants less'),
    shown(
      'When a plan ends its rights stop at once; files and link settings stay.',
      'accounts/plan-trial: takes its rights away at once',
    ),
    shown(
      'link_expiry allows PATCH with expiresAt, view_limit allows viewLimit.',
      'content/content: needs the plan for expiresAt and viewLimit',
    ),
    shown('view_stats allows GET /content/{id}/views.', 'server/content/views: need the plan feature view_stats'),
    shown(
      'A missing feature is 403 PLAN_FEATURE_REQUIRED with params.feature.',
      'content/content: needs the plan for expiresAt and viewLimit',
      'server/content/views: need the plan feature view_stats',
    ),
    shown(
      'A trial is available, active, ended, used or unavailable.',
      'accounts/plan-trial: is available to an account',
      'accounts/plan-trial: when active',
      'accounts/plan-trial: is reported as ending when two days or less are left, and as ended for 14 days after its end',
      'accounts/plan-trial: is used once',
      'accounts/plan-trial: is unavailable to an account',
    ),
    shown(
      'An unavailable trial says subscribed or limit.',
      'accounts/plan-trial: that had a subscription',
      'accounts/plan-trial: taken from the same address or network',
    ),
    shown(
      'A trial tells of its last 2 days (ending) and of the 14 days after (ended).',
      'accounts/plan-trial: is reported as ending when two days or less are left, and as ended for 14 days after its end',
    ),
    shown(
      'credential is there with an API key: id, name, scopes, expiresAt, client, deviceName.',
      'accounts/auth: is shown in the account answer',
    ),
    shown(
      'client and deviceName are null for keys made by hand; a connection is named after app and device.',
      'accounts/auth: is shown in the account answer',
      'device-auth/device-code: has client null',
      'device-auth/same-device: names the client windows',
    ),
  ),
];
