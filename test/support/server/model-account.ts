/** An account and a published item as the service returns them, for tests without a real server. */

import type { Account } from '../../../src/api/account.ts';
import type { Content } from '../../../src/api/content.ts';
import type { AccountId, ContentId } from '../../../src/api/ids.ts';

const MIB = 1024 * 1024;

/** The limits of a service without its own. */
export const MODEL_LIMITS: Account['limits'] = {
  requestsPerMinute: 60,
  maxUploadBytes: 100 * MIB,
  maxImageBytes: 10 * MIB,
  maxVideoBytes: 100 * MIB,
  planImageBytes: 10 * MIB,
  planVideoBytes: 100 * MIB,
  serverImageBytes: 64 * MIB,
  serverVideoBytes: 4096 * MIB,
  uploadsAtOnce: 2,
  video: {
    formats: [{ container: 'mp4', videoCodecs: ['h264'], audioCodecs: ['aac'], pixelFormats: ['yuv420p'] }],
    maxLongSide: 3840,
    maxShortSide: 2160,
    maxFps: 60,
    maxSeconds: 3600,
    maxAudioStreams: 1,
    bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1_000_000, max: 40_000_000 },
  },
};

export const modelAccount = (id: string): Account => ({
  user: {
    id: id as AccountId,
    username: id,
    name: id,
    palette: 'blue',
    bio: '',
    copyLink: true,
    privateByDefault: false,
    unlistedPreviews: true,
    previewAuthor: false,
    captureHotkey: 'Ctrl+Shift+5',
    avatarUrl: null,
    avatarRevision: 0,
    storageUsed: 0,
    quotaBytes: 1024 * MIB,
    createdAt: '2026-01-01T00:00:00.000Z',
    plan: null,
  },
  limits: MODEL_LIMITS,
  entitlements: {
    planUntil: null,
    imageBytes: 10 * MIB,
    videoBytes: 100 * MIB,
    planImageBytes: 10 * MIB,
    planVideoBytes: 100 * MIB,
    quotaBytes: 1024 * MIB,
    features: [],
    trial: null,
  },
  credential: {
    id: `key-of-${id}`,
    name: 'test',
    scopes: ['content:read', 'content:write', 'account:read'],
    expiresAt: null,
    client: null,
    deviceName: null,
  },
});

export const modelContent = (
  id: string,
  origin: string,
  fields: { readonly title: string; readonly name: string; readonly size: number; readonly tags?: string[] },
): Content => ({
  id: id as ContentId,
  title: fields.title,
  tags: fields.tags ?? [],
  originalName: fields.name,
  type: 'IMAGE',
  mime: 'image/png',
  revision: 1,
  accessVersion: 1,
  size: fields.size,
  visibility: 'unlisted',
  allowDownload: true,
  passwordProtected: false,
  oneTime: false,
  views: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  url: `${origin}/s/${id}`,
  mediaUrl: `/api/media/${id}`,
});
