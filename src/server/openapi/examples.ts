/**
 * Documents each operation of the OpenAPI document: the matching section of the API document, and examples of the
 * request body and the response. A test validates all examples against their schemas. It also sends the example
 * bodies that work without an earlier request.
 */

import type { Account, Entitlements, Subscription } from '../../api/account.ts';
import type { Album } from '../../api/albums.ts';
import type { Content } from '../../api/content.ts';
import type { FolderResult } from '../../api/folder-result.ts';
import type { AccountId, ContentId, RequestKey, Sha256, UploadId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { PALETTES } from '../../api/page-palettes.ts';
import type { Profile } from '../../api/public-profile.ts';
import type { ResumableUpload, StartUpload } from '../../api/resumable-upload.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';

export interface Documented {
  /** A heading of the API document. */
  readonly section: string;
  readonly body?: unknown;
  readonly reply?: unknown;
}

const REFERENCED = 'Behaviours of referenced operations';
const CREATED = '2027-01-31T12:00:00.000Z';
const LATER = '2027-02-01T12:00:00.000Z';
const WEEK_LATER = '2027-02-07T12:00:00.000Z';
const SECOND = 1_000;
const author = { id: '6dc0cf0a-62d5-4ea9-a8c8-26cc0ce7dd3c', username: 'ada', name: 'Ada' };
const contentId = 'Xk3vQ9aZpT' as ContentId;

const image: Content = {
  id: contentId,
  title: 'Login page',
  tags: ['design'],
  originalName: 'login.png',
  type: 'IMAGE',
  mime: 'image/png',
  pasteFormat: null,
  pasteLanguage: null,
  folderFiles: null,
  revision: 1,
  accessVersion: 1,
  size: 48_213,
  visibility: 'unlisted',
  allowDownload: true,
  passwordProtected: false,
  oneTime: false,
  consumedAt: null,
  readExpiresAt: null,
  readMaxExpiresAt: null,
  hasVideoText: false,
  videoTextRevision: 0,
  views: 0,
  viewLimit: null,
  viewLimitReachedAt: null,
  mediaStatus: 'READY',
  mediaError: null,
  width: 1_280,
  height: 800,
  durationMs: null,
  videoCodec: null,
  hasAudio: false,
  previewUrl: `/api/media/${contentId}/preview`,
  expiresAt: null,
  createdAt: CREATED,
  url: `https://share.example.org/s/${contentId}`,
  mediaUrl: `/api/media/${contentId}`,
  moderationHold: null,
  author,
};
/** In a list. */
const listed: Content = { ...image, favorite: false, owned: true };

const noteText = '# Steps\n\n1. Open the page\n';

const note: Content = {
  ...image,
  title: 'Steps to reproduce',
  tags: [],
  size: noteText.length,
  previewUrl: null,
  expiresAt: WEEK_LATER,
  originalName: 'Steps to reproduce.md',
  type: 'PASTE',
  mime: 'text/plain',
  pasteFormat: 'markdown',
  pasteLanguage: null,
  width: null,
  height: null,
};

const folderItem: Content = {
  ...image,
  title: 'parser',
  originalName: 'parser.zip',
  type: 'FOLDER',
  mime: 'application/zip',
  folderFiles: 12,
  previewUrl: null,
  width: null,
  height: null,
};

const folder: FolderResult = {
  files: 12,
  textBytes: 31_870,
  skipped: [{ path: 'node_modules/', reason: 'dependencies', files: 431, size: 5_302_144 }],
  skippedFiles: 431,
  gitignore: 'applied',
};

const trial = {
  state: 'available',
  planCode: 'pro',
  planName: { ru: 'Про', en: 'Pro' },
  days: 14,
  planQuota: true,
  startsAt: null,
  endsAt: null,
  daysLeft: null,
  reason: null,
  notice: null,
} as const;

const { plans, server, video } = DEFAULT_CONFIG;

const entitlements: Entitlements = {
  planUntil: null,
  imageBytes: LIMITS.freeImageBytes,
  videoBytes: LIMITS.freeVideoBytes,
  planImageBytes: plans.free.imageBytes,
  planVideoBytes: plans.free.videoBytes,
  quotaBytes: plans.free.quotaBytes,
  features: [],
  trial,
};

const account: Account = {
  user: {
    ...author,
    id: author.id as AccountId,
    palette: PALETTES[0],
    bio: '',
    copyLink: true,
    privateByDefault: false,
    unlistedPreviews: true,
    previewAuthor: true,
    captureHotkey: 'CommandOrControl+Shift+L',
    avatarUrl: null,
    avatarRevision: 0,
    storageUsed: 48_213,
    quotaBytes: plans.free.quotaBytes,
    createdAt: CREATED,
    plan: null,
  },
  limits: {
    requestsPerMinute: LIMITS.requestsPerMinute,
    maxUploadBytes: LIMITS.freeVideoBytes,
    maxImageBytes: LIMITS.freeImageBytes,
    maxVideoBytes: LIMITS.freeVideoBytes,
    planImageBytes: plans.free.imageBytes,
    planVideoBytes: plans.free.videoBytes,
    serverImageBytes: server.imageBytes,
    serverVideoBytes: server.videoBytes,
    uploadsAtOnce: LIMITS.uploadsAtOnce,
    video,
  },
  entitlements,
  credential: {
    id: '0f3c7f6e-8a5b-4a0e-9d0e-3a1c7a5a1b11',
    name: 'Work laptop',
    scopes: ['content:read', 'content:write', 'account:read'],
    expiresAt: LATER,
    client: null,
    deviceName: null,
  },
};

const subscription: Subscription = { plan: null, entitlements, trial };
const requestKey = '8b6a2f52-7a0b-4f0d-9d0f-2f1f0a5d7e10' as RequestKey;

/** For the file whose only byte is "a", in one part; the fingerprint is that of `fingerprintText`. */
const start: StartUpload = {
  accountId: author.id as AccountId,
  filename: 'a.png',
  size: 1,
  chunkSize: LIMITS.partBytes,
  chunkHashes: ['ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb' as Sha256],
  fingerprint: '1b4e09a4ca02ff38eda51cf0aa3b9c5806303cdd5a4dd35588cbb085d29bfbbf' as Sha256,
};

const upload: ResumableUpload = {
  id: '1d9f6c52-3c1f-4b58-8f54-0a6f2d0f2a77' as UploadId,
  state: 'UPLOADING',
  filename: start.filename,
  size: start.size,
  chunkSize: start.chunkSize,
  chunkCount: 1,
  fingerprint: start.fingerprint,
  received: [],
  receivedBytes: 0,
  expiresAt: LATER,
  content: null,
};
const completeUpload: ResumableUpload = { ...upload, received: [0], receivedBytes: 1 };

const profile: Profile = { ...author, bio: '', avatarUrl: null, avatarRevision: 0, createdAt: CREATED };
const album: Album = {
  id: 'kQ2mX7',
  title: 'Release 2',
  visibility: 'private',
  createdAt: CREATED,
  owned: true,
  author,
};
const page = { items: [listed], nextCursor: null };

export const OPERATION_EXAMPLES: Readonly<Record<string, Documented>> = {
  readAccount: { section: 'GET /api/v1/account', reply: account },
  listRequests: {
    section: 'Limits',
    reply: {
      items: [{ method: 'GET', path: '/api/v1/account', status: 200, keyName: 'Work laptop', time: CREATED }],
    },
  },
  readSubscription: { section: REFERENCED, reply: subscription },
  startTrial: {
    section: 'States and transitions',
    reply: {
      ...subscription,
      trial: { ...trial, state: 'active', startsAt: CREATED, endsAt: '2027-02-14T12:00:00.000Z', daysLeft: 14 },
    },
  },
  startDeviceAuth: {
    section: 'Authentication',
    body: { deviceName: 'Work laptop', deviceId: 'b7e1', platform: 'linux' },
    reply: {
      deviceCode: 'the code that the device keeps',
      userCode: 'BCDF-GHJK',
      verificationUri: 'https://share.example.org/connect/device',
      verificationUriComplete: 'https://share.example.org/connect/device?code=BCDF-GHJK',
      expiresIn: LIMITS.deviceCodeMs / SECOND,
      interval: LIMITS.devicePollMs / SECOND,
    },
  },
  deviceToken: {
    section: 'Authentication',
    body: { grantType: 'device_code', deviceCode: 'the code that the device keeps' },
    reply: { apiKey: 'lsk_...', credential: account.credential, account },
  },
  renewKey: { section: REFERENCED, reply: { apiKey: 'lsk_...', credential: account.credential } },
  startUpload: {
    section: 'POST /api/v1/uploads/resumable - start a resumable upload',
    body: start,
    reply: upload,
  },
  listUploads: { section: REFERENCED, reply: { items: [upload] } },
  readUpload: { section: REFERENCED, reply: upload },
  putPart: { section: 'PUT /api/v1/uploads/resumable/{id}/parts/{index} - upload a part', reply: completeUpload },
  completeUpload: {
    section: 'POST /api/v1/uploads/resumable/{id}/complete - complete the upload',
    body: { completeKey: requestKey, title: 'Login page', tags: ['design'], visibility: 'unlisted', ttl: 'week' },
    reply: { ...completeUpload, state: 'COMPLETED', content: { ...image, expiresAt: WEEK_LATER } },
  },
  cancelUpload: { section: 'States and transitions' },
  uploadFile: { section: REFERENCED, reply: { ...image, content: image } },
  createFolder: {
    section: 'POST /api/v1/folders - share a folder of code',
    reply: { ...folderItem, content: folderItem, folder },
  },
  createNote: {
    section: REFERENCED,
    body: { text: noteText, format: 'markdown', title: 'Steps to reproduce', ttl: 'week' },
    reply: { ...note, content: note },
  },
  readNoteText: {
    section: REFERENCED,
    reply: { text: noteText, format: 'markdown', language: null, revision: 1 },
  },
  listContent: { section: REFERENCED, reply: page },
  readContent: { section: REFERENCED, reply: image },
  updateContent: {
    section: REFERENCED,
    body: { title: 'Login page, second draft', visibility: 'public' },
    reply: {
      ...image,
      title: 'Login page, second draft',
      visibility: 'public',
      accessVersion: 2,
      url: `${image.url}?v=2`,
    },
  },
  deleteContent: { section: 'Authentication' },
  addFavorite: { section: 'Content (shared item, 40 fields)' },
  removeFavorite: { section: 'Content (shared item, 40 fields)' },
  readMediaStatus: {
    section: REFERENCED,
    reply: { items: [{ id: contentId, mediaStatus: 'PROCESSING', mediaError: null }] },
  },
  readViews: { section: REFERENCED, reply: { days: [{ date: '2027-01-31', views: 3 }] } },
  readFeed: { section: 'Content (shared item, 40 fields)', reply: page },
  readProfile: { section: 'Content (shared item, 40 fields)', reply: profile },
  listProfileContent: { section: 'Content (shared item, 40 fields)', reply: page },
  listAlbums: { section: REFERENCED, reply: { items: [album], nextCursor: null } },
  createAlbum: { section: REFERENCED, body: { title: 'Release 2' }, reply: album },
  readAlbum: { section: REFERENCED, reply: { ...album, ...page } },
  updateAlbum: {
    section: REFERENCED,
    body: { visibility: 'unlisted' },
    reply: { ...album, visibility: 'unlisted' },
  },
  deleteAlbum: { section: REFERENCED },
  addToAlbum: { section: REFERENCED },
  removeFromAlbum: { section: REFERENCED },
  openShare: {
    section: REFERENCED,
    body: { password: 'open sesame' },
    reply: { ...image, passwordProtected: true, views: 1 },
  },
};
