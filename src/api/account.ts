/**
 * Schemas of an account (API document, "Account response") with its user, plan, limits, entitlements and API key. Also
 * schemas of its subscription and request log, and the maximum average bitrate of a video. Sizes in bytes, bitrates in
 * bits per second.
 */
import Type, { type Static } from 'typebox';
import { AccountId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { literals, Nullable } from './nullable-and-literals.ts';

const DateTime = Type.String({ format: 'date-time' });

export const SCOPES = ['content:read', 'content:write', 'content:delete', 'account:read'] as const;
export const Scope = literals(...SCOPES);
export type Scope = Static<typeof Scope>;

export const FEATURES = ['link_expiry', 'view_limit', 'view_stats', 'no_branding'] as const;
export const Feature = literals(...FEATURES);
export type Feature = Static<typeof Feature>;

/** A name in each language of the service. */
export const LocalName = Type.Object({ ru: Type.String(), en: Type.String() });

export const Plan = Type.Object({ code: Type.String(), name: LocalName, trial: Type.Boolean(), until: DateTime });
export type Plan = Static<typeof Plan>;

export const User = Type.Object({
  id: AccountId,
  username: Type.String(),
  name: Type.String(),
  palette: Type.String(),
  bio: Type.String(),
  copyLink: Type.Boolean(),
  privateByDefault: Type.Boolean(),
  unlistedPreviews: Type.Boolean(),
  previewAuthor: Type.Boolean(),
  captureHotkey: Type.String(),
  avatarUrl: Nullable(Type.String()),
  avatarRevision: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  storageUsed: Type.Integer({ minimum: 0 }),
  quotaBytes: Type.Integer({ minimum: 0 }),
  createdAt: DateTime,
  plan: Nullable(Plan),
});
export type User = Static<typeof User>;

export const VideoFormat = Type.Object({
  container: literals('mp4', 'webm'),
  videoCodecs: Type.Array(Type.String()),
  audioCodecs: Type.Array(Type.String()),
  pixelFormats: Type.Array(Type.String()),
});
export type VideoFormat = Static<typeof VideoFormat>;

/** What a video must satisfy to be stored (`limits.video`). `maxFps` in frames per second, `maxSeconds` in seconds. */
export const VideoLimits = Type.Object({
  formats: Type.Array(VideoFormat),
  maxLongSide: Type.Integer(),
  maxShortSide: Type.Integer(),
  maxFps: Type.Number(),
  maxSeconds: Type.Integer(),
  maxAudioStreams: Type.Integer(),
  bitrate: Type.Object({
    bitsPerPixel: Type.Number(),
    fpsCap: Type.Number(),
    min: Type.Integer(),
    max: Type.Integer(),
  }),
});
export type VideoLimits = Static<typeof VideoLimits>;

/** Ceiling of a video's average bitrate in bits per second (API document, "limits.video"). */
export const bitrateCeiling = (
  { bitrate }: VideoLimits,
  video: { readonly width: number; readonly height: number; readonly fps: number },
): number =>
  Math.min(
    bitrate.max,
    Math.max(bitrate.min, bitrate.bitsPerPixel * video.width * video.height * Math.min(video.fps, bitrate.fpsCap)),
  );

export const AccountLimits = Type.Object({
  requestsPerMinute: Type.Integer(),
  maxUploadBytes: Type.Integer(),
  maxImageBytes: Type.Integer(),
  maxVideoBytes: Type.Integer(),
  planImageBytes: Nullable(Type.Integer()),
  planVideoBytes: Nullable(Type.Integer()),
  serverImageBytes: Type.Integer(),
  serverVideoBytes: Type.Integer(),
  uploadsAtOnce: Type.Integer(),
  video: VideoLimits,
});
export type AccountLimits = Static<typeof AccountLimits>;

export const BillingTrial = Type.Object({
  state: literals('available', 'active', 'ended', 'used', 'unavailable'),
  planCode: Type.String(),
  planName: LocalName,
  days: Type.Integer({ minimum: 1, maximum: 30 }),
  planQuota: Type.Boolean(),
  startsAt: Nullable(DateTime),
  endsAt: Nullable(DateTime),
  daysLeft: Nullable(Type.Integer({ minimum: 1 })),
  reason: Nullable(literals('subscribed', 'limit')),
  notice: Nullable(literals('ending', 'ended')),
});
export type BillingTrial = Static<typeof BillingTrial>;

export const Entitlements = Type.Object({
  planUntil: Nullable(DateTime),
  imageBytes: Type.Integer(),
  videoBytes: Type.Integer(),
  planImageBytes: Nullable(Type.Integer()),
  planVideoBytes: Nullable(Type.Integer()),
  quotaBytes: Nullable(Type.Integer()),
  features: Type.Array(Feature, { uniqueItems: true }),
  trial: Nullable(BillingTrial),
});
export type Entitlements = Static<typeof Entitlements>;

export const ApiCredential = Type.Object({
  id: Type.String(),
  name: Type.String({ minLength: 1, maxLength: LIMITS.keyNameMaxCharacters }),
  scopes: Type.Array(Scope, { minItems: 1, maxItems: LIMITS.scopesMax, uniqueItems: true }),
  expiresAt: Nullable(DateTime),
  client: Nullable(Type.Literal('windows')),
  deviceName: Nullable(Type.String({ minLength: 1, maxLength: LIMITS.deviceNameMaxCharacters })),
});
export type ApiCredential = Static<typeof ApiCredential>;

export const Account = Type.Object({
  user: User,
  limits: AccountLimits,
  entitlements: Entitlements,
  credential: Type.Optional(ApiCredential),
});
export type Account = Static<typeof Account>;

/** `GET /api/billing/subscription` (API decisions 3). */
export const Subscription = Type.Object({
  plan: Nullable(Plan),
  entitlements: Entitlements,
  trial: BillingTrial,
});
export type Subscription = Static<typeof Subscription>;

/** `GET /api/v1/requests` (API document, "Limits": request log), newest first. `path` has no query. */
export const RequestLog = Type.Object({
  items: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      status: Type.Integer(),
      keyName: Type.String(),
      time: DateTime,
    }),
  ),
});
export type RequestLog = Static<typeof RequestLog>;
