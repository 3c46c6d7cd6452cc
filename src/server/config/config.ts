/**
 * The operator's configuration (API decisions 8), from a file and the environment: every key is optional, and an
 * unknown key or a wrong type stops the start with a message that names it.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { FEATURES, Feature, VideoFormat } from '../../api/account.ts';
import { Nullable } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { configKeys, readOverrides, withValue } from './environment.ts';

const Count = Type.Integer({ minimum: 1 });
const Bytes = Type.Integer({ minimum: 0 });
const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: 2_000_000_000 });
/** Timers accept at most 32 bits of milliseconds. */
const Limit = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 });
const Rate = Type.Number({ exclusiveMinimum: 0 });
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

/** What is empty is refused by `checkS3`, with a sentence of its own. */
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
type S3Config = Static<typeof S3Config>;

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
        partStallSeconds: Seconds,
        uploadStallSeconds: Seconds,
        formStallSeconds: Seconds,
        headerSeconds: Seconds,
        requestSeconds: Seconds,
        bodyGraceSeconds: Seconds,
        bodyBytesPerSecond: Rate,
        readStallSeconds: Seconds,
        openReadsPerAddress: Count,
        openReads: Count,
        connectionsPerAddress: Count,
        connections: Count,
        drainSeconds: Seconds,
        oneTimeSeconds: Seconds,
        viewerGrantSeconds: Seconds,
        idempotencySeconds: Seconds,
        wrongPasswordsPer15Minutes: Count,
        wrongPasswordsPerItemPer15Minutes: Count,
        wrongSignInsPerNamePer15Minutes: Count,
        signInDelaySeconds: Type.Number({ minimum: 0, maximum: 60 }),
        passwordChecksAtOnce: Type.Integer({ minimum: 1, maximum: 64 }),
      },
      closed,
    ),
    plans: Type.Object({ free: PlanConfig, pro: PlanConfig }, closed),
    server: Type.Object({ imageBytes: Bytes, videoBytes: Bytes, imageMegapixels: Rate }, closed),
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
        jpegScanMegapixels: Rate,
      },
      closed,
    ),
    rendering: Type.Object(
      { secondsAtFirst: Limit, seconds: Limit, waitingPerAccount: Count, waitingInAll: Count },
      closed,
    ),
    folders: Type.Object({ waitingPerAccount: Count, waitingInAll: Count }, closed),
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

/** Throws `ConfigError` where a server alone would leave work undone. */
export const checkRole = ({ node, database, objects }: ServerConfig): void => {
  if (node.role === 'all' || (database.url !== null && objects.s3 !== null)) return;
  throw new ConfigError(
    `Configuration key "node.role" is "${node.role}", which needs other servers beside this one: configure database.url and objects.s3, or leave it at "all".`,
  );
};

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
    openReadsPerAddress: 32,
    openReads: 512,
    connectionsPerAddress: 256,
    connections: 4_096,
    drainSeconds: 25,
    oneTimeSeconds: LIMITS.oneTimeMs / SECOND,
    viewerGrantSeconds: LIMITS.viewerGrantMs / SECOND,
    idempotencySeconds: LIMITS.idempotencyMs / SECOND,
    wrongPasswordsPer15Minutes: LIMITS.wrongPasswords,
    wrongPasswordsPerItemPer15Minutes: LIMITS.wrongPasswordsPerItem,
    wrongSignInsPerNamePer15Minutes: LIMITS.wrongSignInsPerName,
    signInDelaySeconds: LIMITS.signInDelayMs / SECOND,
    passwordChecksAtOnce: LIMITS.passwordChecksAtOnce,
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
    jpegScanMegapixels: 1_000,
  },
  rendering: { secondsAtFirst: 1, seconds: 4, waitingPerAccount: 8, waitingInAll: 32 },
  folders: { waitingPerAccount: 4, waitingInAll: 32 },
  antivirus: { clamdSocket: null },
  database: { url: null, poolSize: 10, prepared: true },
  web: { origin: null, trustProxy: false, reportUrl: null },
  keyFile: null,
  objects: { s3: null },
  node: { name: null, role: 'all', stopDelaySeconds: 0 },
  metrics: { host: '127.0.0.1', port: null, token: null },
};

/** Of `objects.s3`, once any of its keys is set. */
const DEFAULT_S3: S3Config = {
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  pathStyle: true,
  accessKeyId: '',
  secretAccessKey: '',
};

/** Keys with a variable of their own; those of `objects.s3` exist although it is null. */
const OWN_VARIABLE: readonly string[] = [
  ...configKeys(DEFAULT_CONFIG),
  ...configKeys(DEFAULT_S3).map((key) => `objects.s3.${key}`),
];

/** The configuration is invalid; the message is one sentence that names the key. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and validates the file at `path`, if there is one, with the overrides of `environment`. Throws `ConfigError`.
 */
export const readConfig = (
  path: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): ServerConfig => {
  let input: unknown = path === null ? {} : readJson(path);
  let config = parseParts(input);
  for (const { variable, key, value } of readOverrides(environment, OWN_VARIABLE)) {
    if (key === undefined) throw new ConfigError(`Unknown environment variable ${variable}.`);
    input = withValue(input, key, value);
    try {
      config = parseParts(input);
    } catch (error) {
      throw new ConfigError(`Environment variable ${variable}: ${reason(error)}`);
    }
  }
  checkS3(config.objects.s3);
  return config;
};

const readJson = (path: string): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The configuration file ${path} cannot be read: ${reason(error)}.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`The configuration file ${path} is not JSON: ${reason(error)}.`);
  }
};

/** Merges the operator's values over the defaults and validates the result. Throws `ConfigError`. */
export const parseConfig = (input: unknown): ServerConfig => {
  const config = parseParts(input);
  checkS3(config.objects.s3);
  return config;
};

/** Like `parseConfig`; keys of `objects.s3` may still be missing. */
const parseParts = (input: unknown): ServerConfig => {
  if (!isRecord(input)) throw new ConfigError('The configuration must be a JSON object.');
  const hasS3 = isRecord(input['objects']) && isRecord(input['objects']['s3']);
  const config = over(hasS3 ? { ...DEFAULT_CONFIG, objects: { s3: DEFAULT_S3 } } : DEFAULT_CONFIG, input);
  if (!Value.Check(ServerConfig, config)) throw new ConfigError(firstFault(config));
  checkOrigin(config.web.origin);
  checkReportUrl(config.web.reportUrl);
  checkDatabaseUrl(config.database.url);
  return config;
};

/** Objects are merged key by key, everything else is replaced; an unknown key is kept for validation to name it. */
const over = (base: unknown, input: unknown): unknown => {
  if (!isRecord(base) || !isRecord(input)) return input;
  const keys = new Set([...Object.keys(base), ...Object.keys(input)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, Object.hasOwn(input, key) ? over(base[key], input[key]) : base[key]]),
  );
};

const firstFault = (config: unknown): string => {
  const [fault] = deepest(Value.Errors(ServerConfig, config));
  if (fault === undefined) return 'The configuration is not valid.';
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  if (fault.keyword === 'additionalProperties') {
    const unknown = String(fault.params.additionalProperties[0]);
    return `Unknown configuration key "${path === '' ? unknown : `${path}.${unknown}`}".`;
  }
  return `Configuration key "${path}" ${fault.message}.`;
};

type Fault = ReturnType<typeof Value.Errors>[number];

/** Unknown keys first: a misspelt key is reported as such and not as an invalid value. */
const deepest = (faults: readonly Fault[]): readonly Fault[] => {
  const unknown = faults.filter((fault) => fault.keyword === 'additionalProperties');
  return unknown.length > 0 ? unknown : faults;
};

const checkOrigin = (origin: string | null): void => {
  if (origin === null) return;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.origin !== origin) {
    throw new ConfigError('Configuration key "web.origin" must be an origin like https://share.example.org.');
  }
};

const checkReportUrl = (template: string | null): void => {
  if (template === null) return;
  const text = template.replaceAll('{link}', 'link');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    throw new ConfigError(
      'Configuration key "web.reportUrl" must be an address like https://example.org/report?link={link} or mailto:abuse@example.org.',
    );
  }
};

const variableOfSecret = (name: 'ACCESS_KEY_ID' | 'SECRET_ACCESS_KEY'): string => `LINKSHOT_SERVER_OBJECTS_S3_${name}`;

/** Says of each key what it must be; never shows a value, which may be a secret in the wrong place. */
const checkS3 = (s3: S3Config | null): void => {
  if (s3 === null) return;
  const url = URL.canParse(s3.endpoint) ? new URL(s3.endpoint) : null;
  const isAddress =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  const rules: readonly (readonly [key: keyof S3Config, isFine: boolean, what: string])[] = [
    ['endpoint', isAddress, 'must be the address of an S3 store, like https://s3.example.org'],
    ['region', /^[\w-]+$/.test(s3.region), 'must be the name of a region, like us-east-1'],
    ['bucket', /^\w[\w.-]{1,253}\w$/.test(s3.bucket), 'must be the name of a bucket that exists'],
    [
      'prefix',
      s3.prefix === '' || /^\w[\w.-]*(\/\w[\w.-]*)*$/.test(s3.prefix),
      'must be empty or names of letters, digits and hyphens with slashes between them, like linkshot/files',
    ],
    ['accessKeyId', s3.accessKeyId !== '', `is missing; set it, or ${variableOfSecret('ACCESS_KEY_ID')}`],
    ['secretAccessKey', s3.secretAccessKey !== '', `is missing; set it, or ${variableOfSecret('SECRET_ACCESS_KEY')}`],
  ];
  const broken = rules.find(([, isFine]) => !isFine);
  if (broken !== undefined) throw new ConfigError(`Configuration key "objects.s3.${broken[0]}" ${broken[2]}.`);
};

/** The message never repeats the address, which contains a password. */
const checkDatabaseUrl = (url: string | null): void => {
  if (url === null) return;
  const { protocol, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', pathname: '' };
  if (!['postgres:', 'postgresql:'].includes(protocol) || pathname.length < 2) {
    throw new ConfigError(
      'Configuration key "database.url" must be an address like postgres://user:password@db.example.org:5432/linkshot.',
    );
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
