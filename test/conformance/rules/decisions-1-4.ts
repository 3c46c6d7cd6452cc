/** What the API document does not show, as API decisions 1 to 4 say it. */
import { decided, section } from './rule.ts';

export const DECISIONS_1_TO_4 = [
  ...section(
    'D1.',
    'Decisions 1: resumable uploads',
    decided(
      'chunkCount is size / 2097152 rounded up, at most 2,048: 50 parts on the free plan, 2,048 for 4 GiB.',
      'uploads/start: has exactly 50 parts',
    ),
    decided('An index at or above chunkCount is 400.', 'uploads/parts: with index %s is 400'),
    decided(
      'Units are binary, characters are Unicode code points.',
      'uploads/start: of 100 MiB on the free plan',
      'content/fields: has up to 180 characters, counted as code points',
      'uploads/sanitize-filename: (code points)',
    ),
    decided(
      'One byte a has the fingerprint 1b4e09a4….',
      'uploads/start: computes the fingerprint vector of one byte "a"',
    ),
    decided(
      'GET /uploads/resumable/{id} answers the upload; of another account 404.',
      'uploads/states: of an unknown upload or that of another account',
    ),
    decided(
      'GET /uploads/resumable lists the pending uploads of the account.',
      'uploads/start: of others are not listed',
      'uploads/states: turn a pending upload EXPIRED',
    ),
    decided('DELETE cancels: 204, also when repeated.', 'uploads/states: is 204, also when repeated'),
    decided('DELETE while COMPLETING is 409.', 'conformance/uploads: while COMPLETING'),
    decided(
      'COMPLETING goes back to UPLOADING on a failure of the server or QUOTA_EXCEEDED.',
      'uploads/complete: the others are 413 and stay UPLOADING',
      'uploads/states: continues an interrupted completion',
    ),
    decided(
      'COMPLETING goes to CANCELLED when the bytes are refused.',
      'uploads/complete: stores nothing and cancels',
      'uploads/complete: UPLOAD_FORMAT_UNSUPPORTED and cancels',
    ),
    decided('Nothing expires while COMPLETING.', 'conformance/uploads: while COMPLETING'),
    decided(
      'Parts and completion of an upload that is over are 410 UPLOAD_GONE.',
      'uploads/states: parts and completion are 410',
      'conformance/uploads: a cancelled upload',
    ),
    decided('Completion with parts missing is 409 UPLOAD_INCOMPLETE.', 'uploads/complete: with parts missing'),
    decided(
      'The same Idempotency-Key with another manifest is 409 IDEMPOTENCY_CONFLICT.',
      'uploads/start: with other bytes is 409',
    ),
    decided(
      'The same Idempotency-Key after the item was deleted is 410.',
      'uploads/start: 410 CONTENT_GONE once that was deleted',
    ),
    decided(
      'The same completeKey with other fields, or another key after COMPLETED, is 409 COMPLETE_CONFLICT.',
      'uploads/complete: other fields or another key are 409',
      'uploads/complete: raced by twenty with keys of their own',
    ),
    decided('Twenty racing completions publish one item.', 'uploads/complete: raced by twenty with the same key'),
    decided(
      'A repeated part with other bytes is 400 UPLOAD_PART_MISMATCH and leaves the stored one.',
      'uploads/parts: with other bytes is 400',
    ),
    decided(
      'A wrong Content-Length is 400 before the body is read.',
      'uploads/parts: before a byte of the body is sent',
    ),
    decided(
      'The eleventh pending upload and the fourth part in flight are 429 UPLOAD_USER_BUSY.',
      'uploads/start: are at most ten',
      'uploads/parts: are three for an account',
    ),
    decided(
      'An acknowledged part survives a power cut: fsync, then commit with synchronous=FULL.',
      'uploads/group-commit: sync the bytes, then commit the row',
      'uploads/group-commit: survives a power cut',
      'faults/server-kill: keeps what it acknowledged, once',
    ),
    decided(
      'X-Service-Account mismatch is 409 ACCOUNT_MISMATCH before any body byte is read.',
      'uploads/parts: for another account is 409 ACCOUNT_MISMATCH',
    ),
  ),
  ...section(
    'D2.',
    'Decisions 2: errors',
    decided(
      'Every error is RFC 9457 problem+json with code, requestId, and params where they tell something.',
      'http/error-responses: problem details >',
      'faults/fuzz: malformed requests give',
    ),
    decided('Every code of ours has its status.', 'conformance/numbers: every code that we decided'),
    decided('INVALID_INPUT names what is wrong in params.issues.', 'uploads/start: INVALID_INPUT that names the field'),
    decided('A request without a key is 401 AUTH_REQUIRED.', 'accounts/auth: 401 AUTH_REQUIRED'),
    decided('A missing permission is 403 SCOPE_MISSING with params.scope.', 'accounts/auth: scopes > %s needs its own'),
    decided('An unknown address is 404 NOT_FOUND.', 'http/error-responses: with 404 NOT_FOUND'),
    decided('UPLOAD_INCOMPLETE names the missing parts.', 'uploads/complete: UPLOAD_INCOMPLETE that names them'),
    decided(
      'A client takes any body, also HTML of a proxy, and never shows it raw.',
      'engine/api-client/api-client: never condemns the key and never shows its body',
    ),
  ),
  ...section(
    'D3.',
    'Decisions 3: the other operations',
    decided(
      'POST /uploads takes one image or video as a form and answers 201 with content.',
      'uploads/single-request-upload: is published as it was sent',
      'uploads/single-request-upload: may be a video of many chunks',
    ),
    decided(
      'Its Idempotency-Key is kept 7 days for account and route; a running twin is 409; a replay is 201.',
      'uploads/single-request-upload: is kept for seven days',
      'uploads/single-request-upload: is 409 for its twin at once',
      'uploads/single-request-upload: makes a repeat answer 201',
      'uploads/single-request-upload: counts for its account alone',
      'folders/route: is another one than that of POST /uploads',
    ),
    decided(
      'POST /pastes publishes a note: 201 with content.',
      'notes/api: publishes a note of code',
      'notes/api: with 400 and stores nothing',
    ),
    decided(
      'GET /content/{id} answers an item as far as the asker may see it.',
      'sharing/share: unlisted it is not in the API',
      'sharing/share: A password > locks',
    ),
    decided(
      'GET /content/{id}/text answers text, format, language and revision.',
      'notes/api: gives the owner the text',
      'notes/api: is always of one revision',
    ),
    decided(
      'PATCH changes what is given; unchanged values raise nothing.',
      'content/content: changes the given fields and keeps the others',
      'content/content: and not for unchanged values',
      'notes/api: that changes nothing raises nothing',
    ),
    decided(
      'PATCH of text, format or language needs revision, else 409 PASTE_REVISION_CONFLICT.',
      'notes/api: from an older revision is 409',
      'notes/api: which are guarded the same',
    ),
    decided('Turning oneTime off and on clears consumedAt.', 'sharing/share: is armed again'),
    decided(
      'Every change of accessVersion ends all grants of viewers.',
      'sharing/share: that changes ends what viewers were granted',
    ),
    decided('DELETE is 204, repeated 404.', 'content/content: is 404 from then on'),
    decided(
      'GET /content lists own items by type, words, tag and favorite, newest first, 25 a page.',
      'content/content: newest first, 25 a page',
      'content/content: is narrowed by type, words, tag and favorite, and contains no items of others and no expired ones',
    ),
    decided(
      'GET /feed has the public items of everyone, protected ones as locked cards.',
      'server/lists/lists: The feed >',
    ),
    decided('GET /users/{username} and its content are the profile.', 'server/lists/lists: A profile >'),
    decided(
      'PUT and DELETE /content/{id}/favorite set and take away the mark.',
      'server/lists/lists: is set and taken away as often as one likes',
    ),
    decided(
      'Albums are made, listed, changed and deleted, and items are put in and taken out.',
      'server/lists/lists: is made, listed, renamed and deleted',
      'server/lists/lists: holds own items and visible ones of others',
    ),
    decided(
      'GET /content/media-status tells id, mediaStatus and mediaError in the order asked.',
      'server/content/views: covers own items in the requested order',
    ),
    decided(
      'GET /content/{id}/views tells the views of each day to the owner.',
      'server/content/views: are counted on the day',
      'server/content/views: are shown only to the owner',
    ),
    decided(
      'GET /requests has method, path, status, key name and time, newest first.',
      'accounts/request-log: newest first',
    ),
    decided(
      'GET /api/billing/subscription tells plan, entitlements and trial; POST /api/billing/trial starts it.',
      'accounts/plan-trial: when active gives the rights',
      'accounts/plan-trial: is started once',
    ),
    decided(
      'GET /api/media/{id}/preview serves the preview, 404 where there is no preview.',
      'server/media/previews: is served only to requesters with access to the item',
      'server/media/previews: that has none answers 404',
    ),
  ),
  ...section(
    'D4.',
    'Decisions 4: keys and the device connection',
    decided(
      'A key is lsk_ and 32 random bytes in base64url, stored only as SHA-256.',
      'accounts/auth: is kept only as its hash',
      'conformance/numbers: a key is lsk_',
    ),
    decided(
      'Same device: PKCE with S256 and a redirect to 127.0.0.1.',
      'device-auth/same-device: takes a code and the state',
      'device-auth/same-device: without the right verifier',
    ),
    decided(
      'The approval page shows app, device and scopes after the sign-in.',
      'device-auth/same-device: shows the app, the device',
      'device-auth/same-device: asks to sign in first, and then returns',
    ),
    decided('A code of the redirect is used once.', 'device-auth/same-device: is used once'),
    decided(
      'Another device: start answers codes, address, 900 seconds and an interval of 5.',
      'device-auth/device-code: comes with the address where the user enters it',
    ),
    decided(
      'A poll is AUTHORIZATION_PENDING, SLOW_DOWN (+5 s), ACCESS_DENIED, EXPIRED_TOKEN, or the key once.',
      'device-auth/device-code: a poll >',
    ),
    decided('The sixth wrong code ends the session.', 'device-auth/same-device: wrong for the sixth time'),
    decided(
      'Renewal works within 30 days of the end, else 409 RENEW_TOO_EARLY; the old key works until the new one is first used.',
      'device-auth/device-code: is renewed within 30 days',
    ),
    decided(
      'A new connection of a device revokes its old key at the first use of the new one.',
      'device-auth/device-code: when it is first used, and not before',
    ),
    decided(
      'client is windows on Windows, else null; deviceName is always set.',
      'device-auth/device-code: has client null',
      'device-auth/same-device: names the client windows',
    ),
  ),
];
