/**
 * The operator's configuration of the server (API decisions 8): its schema and its defaults. Also returns the name of
 * this server (node) in its log and metrics.
 */
import { hostname } from 'node:os';
import Type, { type Static } from 'typebox';
import { FEATURES, Feature, VideoFormat } from '../../api/account.ts';
import { LIMITS } from '../../api/limits.ts';
import { Nullable } from '../../api/nullable-and-literals.ts';

const Count = Type.Integer({ minimum: 1 });
const Bytes = Type.Integer({ minimum: 0 });
/** Of one upload: accounts are told this limit, and the API has no larger one. */
const UploadBytes = Type.Integer({ minimum: 0, maximum: LIMITS.maxResumableBytes });
/** Of what is compared with a clock. */
const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: 2_000_000_000 });
/** Of what a timer waits for: beyond 31 bits of milliseconds it would end at once. */
const TimerSeconds = Type.Number({ exclusiveMinimum: 0, maximum: 2_000_000 });
/** Of processor time, or of one task by the clock. */
const Limit = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 });
const Rate = Type.Number({ exclusiveMinimum: 0 });
/** Access that has ended must end soon. */
const AccessSeconds = Type.Number({ exclusiveMinimum: 0, maximum: 60 });
/** Fewer than the networks of a busy minute would forget counts that are still needed. */
const Remembered = Type.Integer({ minimum: 1_000, maximum: 10_000_000 });
/** Node itself takes 660 MB. */
const InspectorBytes = Type.Integer({ minimum: 1024 ** 3, maximum: 64 * 1024 ** 3 });
/** Of an account's share: with none, its use would never be forgotten. */
const Cores = Type.Number({ minimum: 0.01, maximum: 64 });
const closed = { additionalProperties: false } as const;

const PlanConfig = Type.Object(
  {
    quotaBytes: Bytes,
    /** Null: the plan sets no limit of its own. */
    imageBytes: Nullable(Bytes),
    videoBytes: Nullable(Bytes),
    features: Type.Array(Feature, { uniqueItems: true }),
  },
  closed,
);
export type PlanConfig = Static<typeof PlanConfig>;

/** `readConfig` refuses values that cannot be used, with a sentence for each. */
const S3Config = Type.Object(
  {
    endpoint: Type.String(),
    region: Type.String(),
    bucket: Type.String(),
    prefix: Type.String(),
    pathStyle: Type.Boolean(),
    accessKeyId: Type.String(),
    secretAccessKey: Type.String(),
  },
  closed,
);
export type S3Config = Static<typeof S3Config>;

export const ServerConfig = Type.Object(
  {
    limits: Type.Object(
      {
        requestsPerMinute: Count,
        uploadRequestsPerMinute: Count,
        partsPerMinute: Count,
        guestRequestsPerMinute: Count,
        uploadsAtOnce: Count,
        partsAtOnce: Count,
        pendingUploads: Count,
        pendingUploadSeconds: Seconds,
        partStallSeconds: TimerSeconds,
        uploadStallSeconds: TimerSeconds,
        formStallSeconds: TimerSeconds,
        headerSeconds: TimerSeconds,
        requestSeconds: Seconds,
        bodyGraceSeconds: Seconds,
        bodyBytesPerSecond: Rate,
        readStallSeconds: Seconds,
        readYieldSeconds: Seconds,
        readWaitSeconds: Seconds,
        accessCheckSeconds: AccessSeconds,
        openReadsPerAddress: Count,
        openReads: Count,
        connectionsPerAddress: Count,
        connections: Count,
        drainSeconds: TimerSeconds,
        drainReadSeconds: Seconds,
        drainBodySeconds: Seconds,
        drainDownloadSeconds: Seconds,
        oneTimeSeconds: Seconds,
        viewerGrantSeconds: Seconds,
        idempotencySeconds: Seconds,
        wrongPasswordsPer15Minutes: Count,
        wrongPasswordsPerItemPer15Minutes: Count,
        wrongSignInsPerNamePer15Minutes: Count,
        signInDelaySeconds: Type.Number({ minimum: 0, maximum: 60 }),
        passwordChecksAtOnce: Type.Integer({ minimum: 1, maximum: 64 }),
        rememberedNetworks: Remembered,
        widerNetworkFactor: Type.Number({ minimum: 1, maximum: 256 }),
      },
      closed,
    ),
    plans: Type.Object({ free: PlanConfig, pro: PlanConfig }, closed),
    server: Type.Object({ imageBytes: UploadBytes, videoBytes: UploadBytes, imageMegapixels: Rate }, closed),
    video: Type.Object(
      {
        formats: Type.Array(Type.Object(VideoFormat.properties, closed), { minItems: 1 }),
        maxLongSide: Count,
        maxShortSide: Count,
        maxFps: Rate,
        maxSeconds: Count,
        maxAudioStreams: Type.Integer({ minimum: 0 }),
        bitrate: Type.Object({ bitsPerPixel: Rate, fpsCap: Rate, min: Count, max: Count }, closed),
      },
      closed,
    ),
    media: Type.Object(
      {
        processes: Type.Integer({ minimum: 2, maximum: 64 }),
        waitingPerAccount: Count,
        waitingInAll: Count,
        imageCpuSeconds: Limit,
        cpuSecondsPerMegapixel: Limit,
        videoCpuSeconds: Limit,
        cpuSecondsPerGigabyte: Limit,
        previewCpuSeconds: Limit,
        wallSeconds: Limit,
        memoryBytes: InspectorBytes,
        jpegScans: Count,
        jpegScanMegapixels: Rate,
      },
      closed,
    ),
    rendering: Type.Object(
      { secondsAtFirst: Limit, seconds: Limit, waitingPerAccount: Count, waitingInAll: Count },
      closed,
    ),
    folders: Type.Object({ waitingPerAccount: Count, waitingInAll: Count, wallSeconds: Limit }, closed),
    fairness: Type.Object({ heavySeconds: Limit, cores: Cores }, closed),
    antivirus: Type.Object({ clamdSocket: Nullable(Type.String({ minLength: 1 })) }, closed),
    database: Type.Object(
      {
        url: Nullable(Type.String({ minLength: 1 })),
        poolSize: Type.Integer({ minimum: 2, maximum: 1_000 }),
        prepared: Type.Boolean(),
      },
      closed,
    ),
    web: Type.Object(
      {
        origin: Nullable(Type.String({ minLength: 1 })),
        trustProxy: Type.Boolean(),
        reportUrl: Nullable(Type.String({ minLength: 1, maxLength: 1_000 })),
      },
      closed,
    ),
    keyFile: Nullable(Type.String({ minLength: 1 })),
    objects: Type.Object({ s3: Nullable(S3Config) }, closed),
    node: Type.Object(
      {
        name: Nullable(Type.String({ minLength: 1, maxLength: 63, pattern: '^[0-9A-Za-z._-]+$' })),
        role: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')]),
        stopDelaySeconds: Type.Number({ minimum: 0, maximum: 600 }),
      },
      closed,
    ),
    metrics: Type.Object(
      {
        host: Type.String({ minLength: 1 }),
        port: Nullable(Type.Integer({ minimum: 0, maximum: 65_535 })),
        token: Nullable(Type.String({ minLength: 1, maxLength: 1_000 })),
      },
      closed,
    ),
  },
  closed,
);
export type ServerConfig = Static<typeof ServerConfig>;

const SECOND = 1_000;

export type NodeRole = ServerConfig['node']['role'];
export const NODE_ROLES: readonly NodeRole[] = ['all', 'api', 'worker'];

/** The name of this node in its log and metrics. */
export const nodeName = ({ node }: ServerConfig): string => node.name ?? hostname();

export const DEFAULT_CONFIG: ServerConfig = {
  limits: {
    requestsPerMinute: LIMITS.requestsPerMinute,
    uploadRequestsPerMinute: LIMITS.uploadRequestsPerMinute,
    partsPerMinute: LIMITS.partsPerMinute,
    guestRequestsPerMinute: LIMITS.guestRequestsPerMinute,
    uploadsAtOnce: LIMITS.uploadsAtOnce,
    partsAtOnce: LIMITS.partsAtOnce,
    pendingUploads: LIMITS.pendingUploads,
    pendingUploadSeconds: LIMITS.pendingUploadMs / SECOND,
    partStallSeconds: LIMITS.partStallMs / SECOND,
    uploadStallSeconds: LIMITS.uploadStallMs / SECOND,
    formStallSeconds: 10,
    headerSeconds: 30,
    requestSeconds: 300,
    bodyGraceSeconds: 30,
    bodyBytesPerSecond: 1_024,
    readStallSeconds: 30,
    readYieldSeconds: 3,
    readWaitSeconds: 5,
    accessCheckSeconds: 3,
    openReadsPerAddress: 32,
    openReads: 512,
    connectionsPerAddress: 256,
    connections: 4_096,
    drainSeconds: 25,
    drainReadSeconds: 1,
    drainBodySeconds: 5,
    drainDownloadSeconds: 10,
    oneTimeSeconds: LIMITS.oneTimeMs / SECOND,
    viewerGrantSeconds: LIMITS.viewerGrantMs / SECOND,
    idempotencySeconds: LIMITS.idempotencyMs / SECOND,
    wrongPasswordsPer15Minutes: LIMITS.wrongPasswords,
    wrongPasswordsPerItemPer15Minutes: LIMITS.wrongPasswordsPerItem,
    wrongSignInsPerNamePer15Minutes: LIMITS.wrongSignInsPerName,
    signInDelaySeconds: LIMITS.signInDelayMs / SECOND,
    passwordChecksAtOnce: LIMITS.passwordChecksAtOnce,
    rememberedNetworks: 100_000,
    widerNetworkFactor: LIMITS.widerNetworkFactor,
  },
  plans: {
    free: {
      quotaBytes: LIMITS.freeQuotaBytes,
      imageBytes: LIMITS.freeImageBytes,
      videoBytes: LIMITS.freeVideoBytes,
      features: [],
    },
    pro: { quotaBytes: LIMITS.proQuotaBytes, imageBytes: null, videoBytes: null, features: [...FEATURES] },
  },
  server: {
    imageBytes: LIMITS.serverImageBytes,
    videoBytes: LIMITS.serverVideoBytes,
    imageMegapixels: LIMITS.imageMegapixels,
  },
  video: {
    formats: [
      { container: 'mp4', videoCodecs: ['h264'], audioCodecs: ['aac'], pixelFormats: ['yuv420p'] },
      { container: 'webm', videoCodecs: ['vp9', 'av1'], audioCodecs: ['opus'], pixelFormats: ['yuv420p'] },
    ],
    maxLongSide: 3_840,
    maxShortSide: 2_160,
    maxFps: 60,
    maxSeconds: 3_600,
    maxAudioStreams: 1,
    bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1_000_000, max: 40_000_000 },
  },
  media: {
    processes: 2,
    waitingPerAccount: 12,
    waitingInAll: 64,
    imageCpuSeconds: 1,
    cpuSecondsPerMegapixel: 0.25,
    videoCpuSeconds: 10,
    cpuSecondsPerGigabyte: 20,
    previewCpuSeconds: 5,
    wallSeconds: 60,
    memoryBytes: 2 * 1024 ** 3,
    jpegScans: 25,
    jpegScanMegapixels: 1_000,
  },
  rendering: { secondsAtFirst: 1, seconds: 4, waitingPerAccount: 8, waitingInAll: 32 },
  folders: { waitingPerAccount: 4, waitingInAll: 32, wallSeconds: 600 },
  fairness: { heavySeconds: 1, cores: 0.25 },
  antivirus: { clamdSocket: null },
  database: { url: null, poolSize: 10, prepared: true },
  web: { origin: null, trustProxy: false, reportUrl: null },
  keyFile: null,
  objects: { s3: null },
  node: { name: null, role: 'all', stopDelaySeconds: 0 },
  metrics: { host: '127.0.0.1', port: null, token: null },
};

/** Of `objects.s3`, once any of its keys is set. */
export const DEFAULT_S3: S3Config = {
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  pathStyle: true,
  accessKeyId: '',
  secretAccessKey: '',
};
