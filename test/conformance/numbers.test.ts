/** What the API document and the decisions print as tables is what the server was built with. */
import { expect, it } from 'vitest';
import { API } from '../../src/api/endpoints/endpoint-table.ts';
import { SERVICE_ERRORS } from '../../src/api/errors.ts';
import { LIMITS } from '../../src/api/limits.ts';
import { DEFAULT_CONFIG } from '../../src/server/config/config.ts';
import { startServer } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';

const MIB = 1024 ** 2;
const [MINUTE, DAY] = [60_000, 86_400_000];

it('the limits of the document are those of the server', () => {
  expect(DEFAULT_CONFIG.limits).toMatchObject({
    requestsPerMinute: 60,
    uploadRequestsPerMinute: 240,
    partsPerMinute: 1_200,
    uploadsAtOnce: 2,
    partsAtOnce: 3,
    pendingUploads: 10,
    pendingUploadSeconds: 24 * 3_600,
    partStallSeconds: 20,
    uploadStallSeconds: 30,
    oneTimeSeconds: 600,
    viewerGrantSeconds: 24 * 3_600,
  });
  expect(DEFAULT_CONFIG.limits.idempotencySeconds).toBeGreaterThanOrEqual(24 * 3_600);
  expect(DEFAULT_CONFIG.plans.free).toMatchObject({ imageBytes: 10 * MIB, videoBytes: 100 * MIB });
  expect(DEFAULT_CONFIG.plans.pro).toMatchObject({ imageBytes: null, videoBytes: null });
  expect(DEFAULT_CONFIG.server).toEqual({ imageBytes: 64 * MIB, videoBytes: 4_096 * MIB, imageMegapixels: 40 });
  expect(LIMITS).toMatchObject({
    partBytes: 2_097_152,
    maxResumableBytes: 4_294_967_296,
    maxParts: 2_048,
    filenameMaxCharacters: 1_024,
    storedFilenameMaxCharacters: 180,
    titleMaxCharacters: 180,
    tagsMax: 10,
    tagMaxCharacters: 32,
    passwordMinCharacters: 8,
    passwordMaxCharacters: 128,
    noteMaxCharacters: 200_000,
    bioMaxCharacters: 600,
    viewLimitMax: 1_000_000,
    pageItems: 25,
    mediaStatusIds: 25,
    viewsByDayMax: 90,
    requestLogEntries: 100,
    requestLogMs: 30 * DAY,
    jsonBodyBytes: MIB,
    folderArchiveBytes: 32 * MIB,
    folderFiles: 2_000,
    folderTextBytes: 20 * MIB,
    folderFileBytes: 512 * 1_024,
    folderDepth: 20,
    folderPathCharacters: 200,
    folderSkippedListed: 200,
    folderTagsFieldCharacters: 2_048,
    connectionKeyMs: 365 * DAY,
    renewWindowMs: 30 * DAY,
    deviceCodeMs: 15 * MINUTE,
    oneTimeMs: 10 * MINUTE,
  });
});

const statusesOf = (codes: readonly string[]): Record<string, number | undefined> =>
  Object.fromEntries(codes.map((code) => [code, SERVICE_ERRORS[code as keyof typeof SERVICE_ERRORS]?.status]));

it('every code of the document has its status', () => {
  const statuses = {
    ...{ FOLDER_ARCHIVE_INVALID: 400, FOLDER_EMPTY: 400, ONE_TIME_NOT_PUBLIC: 400, UPLOAD_FORMAT_UNSUPPORTED: 400 },
    ...{ API_KEY_EXPIRED: 401, API_KEY_REVOKED: 401, API_KEY_INVALID: 401, ACCOUNT_BANNED: 401 },
    ...{ ACCOUNT_ACCESS_CHANGED: 401, PLAN_FEATURE_REQUIRED: 403, SHARE_UNAVAILABLE: 404, UPLOAD_STALLED: 408 },
    ...{ PASTE_REVISION_CONFLICT: 409, FOLDER_TOO_LARGE: 413, FOLDER_TOO_MANY_FILES: 413, UPLOAD_TOO_LARGE: 413 },
    ...{ IMAGE_TOO_LARGE: 413, VIDEO_TOO_LARGE: 413, QUOTA_EXCEEDED: 413, VIDEO_NOT_SUITABLE: 415 },
    ...{ FOLDER_INFECTED: 422, UPLOAD_USER_BUSY: 429, RATE_LIMITED: 429, UPLOAD_SERVER_BUSY: 503 },
  };
  expect(statusesOf(Object.keys(statuses))).toEqual(statuses);
});

it('every code that we decided has its status', () => {
  const statuses = {
    ...{ INVALID_INPUT: 400, UPLOAD_PART_MISMATCH: 400, AUTH_REQUIRED: 401, SCOPE_MISSING: 403, NOT_FOUND: 404 },
    ...{ ACCOUNT_MISMATCH: 409, IDEMPOTENCY_CONFLICT: 409, COMPLETE_CONFLICT: 409, UPLOAD_INCOMPLETE: 409 },
    ...{ UPLOAD_GONE: 410, CONTENT_GONE: 410, MEDIA_PROCESSING: 409, SHARE_OPEN_REQUIRED: 403, INTERNAL: 500 },
    ...{ SHARE_PASSWORD_INVALID: 403, DOWNLOAD_DISABLED: 403, RENEW_TOO_EARLY: 409, AUTHORIZATION_PENDING: 400 },
    ...{ SLOW_DOWN: 400, ACCESS_DENIED: 400, EXPIRED_TOKEN: 400 },
  };
  expect(statusesOf(Object.keys(statuses))).toEqual(statuses);
});

it('every operation that the document names is served at its path, with the permission that it names', () => {
  const served = Object.values(API).map(({ method, path, scope }) => `${method} ${path} ${scope}`);
  expect(served).toEqual(
    expect.arrayContaining([
      'POST /api/v1/folders content:write',
      'GET /api/v1/account account:read',
      'POST /api/v1/uploads/resumable content:write',
      'PUT /api/v1/uploads/resumable/:id/parts/:index content:write',
      'POST /api/v1/uploads/resumable/:id/complete content:write',
      'POST /api/v1/uploads content:write',
      'POST /api/v1/pastes content:write',
      'GET /api/v1/content/:id content:read',
      'PATCH /api/v1/content/:id content:write',
      'GET /api/v1/content/:id/views content:read',
      'GET /api/v1/content/media-status content:read',
      'GET /api/billing/subscription account:read',
      'POST /api/share/:id/open null',
    ]),
  );
  expect(Object.values(API).map(({ path }) => path)).toContain('/api/v1/device-auth/renew');
  for (const { path } of Object.values(API)) expect(path).toMatch(/^\/api\/(v1|billing|share)\//);
});

it('a key is lsk_ and 32 random bytes in base64url', async () => {
  const service = await startServer();
  try {
    const keys = await Promise.all(Array.from({ length: 20 }, async () => (await service.user()).apiKey));
    for (const key of keys) {
      expect(key).toMatch(/^lsk_[A-Za-z0-9_-]{43}$/);
      expect(Buffer.from(key.slice(4), 'base64url')).toHaveLength(32);
    }
    expect(new Set(keys).size).toBe(20);
  } finally {
    await service.stop();
  }
});

it('limits.video of the account is the video object of the configuration', async () => {
  const service = await startServer({ config: { video: { maxFps: 24, maxSeconds: 7 } } });
  try {
    const { body } = await ask<{ limits: { video: unknown } }>(service.url, {
      path: '/api/v1/account',
      key: (await service.user()).apiKey,
    });
    expect(body.limits.video).toEqual({ ...DEFAULT_CONFIG.video, maxFps: 24, maxSeconds: 7 });
  } finally {
    await service.stop();
  }
});
