/** The configuration file (API decisions 8): every key is optional, and errors name the key. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWebAddress } from '../../../src/api/service-address.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { parseConfig, readConfig } from '../../../src/server/config/read-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The example of API decisions 8 and the connection limits that docs/server.md adds: the documented defaults. */
const DOCUMENTED = {
  limits: {
    requestsPerMinute: 60,
    uploadRequestsPerMinute: 240,
    partsPerMinute: 1200,
    guestRequestsPerMinute: 600,
    uploadsAtOnce: 2,
    partsAtOnce: 3,
    pendingUploads: 10,
    pendingUploadSeconds: 86400,
    partStallSeconds: 20,
    uploadStallSeconds: 30,
    formStallSeconds: 10,
    headerSeconds: 30,
    requestSeconds: 300,
    bodyGraceSeconds: 30,
    bodyBytesPerSecond: 1024,
    readStallSeconds: 30,
    readYieldSeconds: 3,
    readWaitSeconds: 5,
    accessCheckSeconds: 3,
    openReadsPerAddress: 32,
    openReads: 512,
    connectionsPerAddress: 256,
    connections: 4096,
    drainSeconds: 25,
    drainReadSeconds: 1,
    drainBodySeconds: 5,
    drainDownloadSeconds: 10,
    oneTimeSeconds: 600,
    viewerGrantSeconds: 86400,
    idempotencySeconds: 604800,
    wrongPasswordsPer15Minutes: 10,
    wrongPasswordsPerItemPer15Minutes: 200,
    wrongSignInsPerNamePer15Minutes: 200,
    signInDelaySeconds: 8,
    passwordChecksAtOnce: 2,
    rememberedNetworks: 100_000,
    widerNetworkFactor: 10,
  },
  plans: {
    free: { quotaBytes: 1073741824, imageBytes: 10485760, videoBytes: 104857600, features: [] },
    pro: {
      quotaBytes: 107374182400,
      imageBytes: null,
      videoBytes: null,
      features: ['link_expiry', 'view_limit', 'view_stats', 'no_branding'],
    },
  },
  server: { imageBytes: 67108864, videoBytes: 4294967296, imageMegapixels: 40 },
  video: {
    formats: [
      { container: 'mp4', videoCodecs: ['h264'], audioCodecs: ['aac'], pixelFormats: ['yuv420p'] },
      { container: 'webm', videoCodecs: ['vp9', 'av1'], audioCodecs: ['opus'], pixelFormats: ['yuv420p'] },
    ],
    maxLongSide: 3840,
    maxShortSide: 2160,
    maxFps: 60,
    maxSeconds: 3600,
    maxAudioStreams: 1,
    bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1000000, max: 40000000 },
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
    memoryBytes: 2_147_483_648,
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

const S3 = {
  endpoint: 'https://s3.example.org',
  bucket: 'linkshot',
  accessKeyId: 'an-id',
  secretAccessKey: 'a-secret',
};

describe('the configuration', () => {
  it('has the documented defaults', () => {
    expect(DEFAULT_CONFIG).toEqual(DOCUMENTED);
    expect(parseConfig({})).toEqual(DOCUMENTED);
    expect(parseConfig(DOCUMENTED)).toEqual(DOCUMENTED);
  });

  it('changes only the configured keys', () => {
    const config = parseConfig({ limits: { partStallSeconds: 0.5 }, plans: { pro: { features: [] } } });
    expect(config.limits).toEqual({ ...DOCUMENTED.limits, partStallSeconds: 0.5 });
    expect(config.plans).toEqual({ ...DOCUMENTED.plans, pro: { ...DOCUMENTED.plans.pro, features: [] } });
  });

  it.each<[unknown, string]>([
    [{ limit: {} }, 'Unknown configuration key "limit".'],
    [{ limits: { requestsPerHour: 1 } }, 'Unknown configuration key "limits.requestsPerHour".'],
    [{ server: { videoBytes: 4_294_967_297 } }, 'Configuration key "server.videoBytes" must be <= 4294967296.'],
    [{ server: { imageBytes: 4_294_967_297 } }, 'Configuration key "server.imageBytes" must be <= 4294967296.'],
    [{ plans: { gold: {} } }, 'Unknown configuration key "plans.gold".'],
    [{ plans: { free: { price: 1 } } }, 'Unknown configuration key "plans.free.price".'],
    [{ video: { bitrate: { mean: 1 } } }, 'Unknown configuration key "video.bitrate.mean".'],
    [{ limits: { requestsPerMinute: '60' } }, 'Configuration key "limits.requestsPerMinute" must be integer.'],
    [{ limits: 5 }, 'Configuration key "limits" must be object.'],
    [{ limits: { partsAtOnce: 0 } }, 'Configuration key "limits.partsAtOnce" must be >= 1.'],
    [{ limits: { connections: 0 } }, 'Configuration key "limits.connections" must be >= 1.'],
    [{ limits: { readStallSeconds: 0 } }, 'Configuration key "limits.readStallSeconds" must be > 0.'],
    [{ limits: { readYieldSeconds: 0 } }, 'Configuration key "limits.readYieldSeconds" must be > 0.'],
    [{ limits: { readWaitSeconds: '5' } }, 'Configuration key "limits.readWaitSeconds" must be number.'],
    [{ limits: { accessCheckSeconds: 0 } }, 'Configuration key "limits.accessCheckSeconds" must be > 0.'],
    [{ limits: { accessCheckSeconds: 61 } }, 'Configuration key "limits.accessCheckSeconds" must be <= 60.'],
    ...(['partStall', 'uploadStall', 'formStall', 'header', 'drain'] as const).map((name): [unknown, string] => [
      { limits: { [`${name}Seconds`]: 2_000_001 } },
      `Configuration key "limits.${name}Seconds" must be <= 2000000.`,
    ]),
    [{ limits: { drainReadSeconds: 0 } }, 'Configuration key "limits.drainReadSeconds" must be > 0.'],
    [{ limits: { drainBodySeconds: -1 } }, 'Configuration key "limits.drainBodySeconds" must be > 0.'],
    [{ limits: { drainDownloadSeconds: null } }, 'Configuration key "limits.drainDownloadSeconds" must be number.'],
    [{ limits: { rememberedNetworks: 999 } }, 'Configuration key "limits.rememberedNetworks" must be >= 1000.'],
    [{ limits: { rememberedNetworks: 1e4 + 0.5 } }, 'Configuration key "limits.rememberedNetworks" must be integer.'],
    [{ limits: { widerNetworkFactor: 0.5 } }, 'Configuration key "limits.widerNetworkFactor" must be >= 1.'],
    [{ limits: { widerNetworkFactor: 257 } }, 'Configuration key "limits.widerNetworkFactor" must be <= 256.'],
    [{ media: { wallSeconds: 0 } }, 'Configuration key "media.wallSeconds" must be > 0.'],
    [{ media: { wallSeconds: 10_001 } }, 'Configuration key "media.wallSeconds" must be <= 10000.'],
    [{ media: { memoryBytes: 900_000_000 } }, 'Configuration key "media.memoryBytes" must be >= 1073741824.'],
    [{ media: { memoryBytes: '2 GiB' } }, 'Configuration key "media.memoryBytes" must be integer.'],
    [{ media: { jpegScans: 0 } }, 'Configuration key "media.jpegScans" must be >= 1.'],
    [{ folders: { wallSeconds: 0 } }, 'Configuration key "folders.wallSeconds" must be > 0.'],
    [{ fairness: { heavySeconds: 0 } }, 'Configuration key "fairness.heavySeconds" must be > 0.'],
    [{ fairness: { cores: 0 } }, 'Configuration key "fairness.cores" must be >= 0.01.'],
    [{ fairness: { share: 1 } }, 'Unknown configuration key "fairness.share".'],
    [{ plans: { free: { quotaBytes: null } } }, 'Configuration key "plans.free.quotaBytes" must be integer.'],
    [{ web: { trustProxy: 'yes' } }, 'Configuration key "web.trustProxy" must be boolean.'],
    [{ web: { reportUrl: 'javascript:alert(1)' } }, 'Configuration key "web.reportUrl" must be an address'],
    [{ web: { reportUrl: 'abuse@example.org' } }, 'Configuration key "web.reportUrl" must be an address'],
    [{ web: { origin: 'share.example.org' } }, 'Configuration key "web.origin" must be an origin'],
    [{ web: { origin: 'https://share.example.org/path' } }, 'Configuration key "web.origin" must be an origin'],
    [{ web: { origin: "https://share'example.org" } }, 'Configuration key "web.origin" must be an origin'],
    [{ objects: { s4: null } }, 'Unknown configuration key "objects.s4".'],
    [{ objects: { s3: { ...S3, acessKeyId: 'a' } } }, 'Unknown configuration key "objects.s3.acessKeyId".'],
    [{ objects: { s3: { ...S3, pathStyle: 'yes' } } }, 'Configuration key "objects.s3.pathStyle" must be boolean.'],
    [{ objects: { s3: {} } }, 'Configuration key "objects.s3.endpoint" must be the address of an S3 store'],
    [{ objects: { s3: { ...S3, endpoint: 's3.example.org' } } }, 'Configuration key "objects.s3.endpoint" must be'],
    [{ objects: { s3: { ...S3, endpoint: 'https://a:b@s3' } } }, 'Configuration key "objects.s3.endpoint" must be'],
    [{ objects: { s3: { ...S3, region: '' } } }, 'Configuration key "objects.s3.region" must be the name'],
    [{ objects: { s3: { ...S3, bucket: 'a/b' } } }, 'Configuration key "objects.s3.bucket" must be the name'],
    [{ objects: { s3: { ...S3, prefix: 'a//b' } } }, 'Configuration key "objects.s3.prefix" must be empty or names'],
    [{ objects: { s3: { ...S3, prefix: '../a' } } }, 'Configuration key "objects.s3.prefix" must be empty or names'],
    [{ objects: { s3: { ...S3, accessKeyId: '' } } }, 'or LINKSHOT_SERVER_OBJECTS_S3_ACCESS_KEY_ID.'],
    [{ objects: { s3: { ...S3, secretAccessKey: '' } } }, 'or LINKSHOT_SERVER_OBJECTS_S3_SECRET_ACCESS_KEY.'],
    [{ keyFile: 5 }, 'Configuration key "keyFile"'],
    [{ database: { url: 'mysql://localhost/a' } }, 'Configuration key "database.url" must be an address'],
    [{ database: { url: 'postgres://localhost' } }, 'Configuration key "database.url" must be an address'],
    [{ database: { poolSize: 1 } }, 'Configuration key "database.poolSize" must be >= 2.'],
    [[], 'The configuration must be a JSON object.'],
    [null, 'The configuration must be a JSON object.'],
  ])('%j is refused with a sentence that names the key', (input, message) => {
    expect(() => parseConfig(input)).toThrow(message);
  });

  it.each([
    'http://linkshot_web:8080',
    'https://xn--e1afmkfd.xn--p1ai',
    'http://[::1]:8080',
    'https://a.example.:8443',
  ])('has the web origin %s, whose links clients accept', (origin) => {
    expect(parseConfig({ web: { origin } }).web.origin).toBe(origin);
    expect(isWebAddress(`${origin}/s/a?v=2`)).toBe(true);
  });

  it('may begin with the byte order mark that editors of Windows write', () => {
    const path = join(temporaryFolder('config'), 'marked.json');
    writeFileSync(path, '\ufeff{ "limits": { "requestsPerMinute": 7 } }');
    expect(readConfig(path, {}).limits.requestsPerMinute).toBe(7);
  });

  it('that cannot be read or is not JSON is refused with its path', () => {
    const folder = temporaryFolder('config');
    const path = join(folder, 'broken.json');
    writeFileSync(path, '{');
    expect(() => readConfig(path, {})).toThrow(`The configuration file ${path} is not JSON`);
    expect(() => readConfig(join(folder, 'missing.json'), {})).toThrow('cannot be read');
  });

  it.each([
    ['{\n  "metrics": { "token": TOPSECRET }\n}', 'line 2, column 25'],
    ['{ "metrics": { "token": "TOPSECRET", } }', 'line 1, column 38'],
    ['{ "metrics": { "token": "TOPSECRET }\n', 'line 1, column 37'],
    ['{ "metrics": { "token": "TOPSECRET" }', 'line 1, column 38'],
    ['TOPSECRET', 'line 1, column 1'],
    ['{ "limits": {},\n\n  "metrics": [ "TOPSECRET" , ] }', 'line 3, column 30'],
  ])('that is not JSON, %j, is refused with the place and without a word of it', (text, place) => {
    const path = join(temporaryFolder('config'), 'broken.json');
    writeFileSync(path, text);
    expect(() => readConfig(path, {})).toThrow(
      expect.objectContaining({ message: `The configuration file ${path} is not JSON (${place}).` }),
    );
  });
});

describe('the environment', () => {
  const folder = temporaryFolder('config-environment');
  const path = join(folder, 'file.json');
  writeFileSync(path, JSON.stringify({ limits: { partsAtOnce: 2, uploadsAtOnce: 5 } }));

  it('adds the credentials of an S3 store, or all of its settings', () => {
    const { accessKeyId, secretAccessKey, ...file } = S3;
    const withoutSecrets = join(folder, 's3.json');
    writeFileSync(withoutSecrets, JSON.stringify({ objects: { s3: file } }));
    const secrets = {
      LINKSHOT_SERVER_OBJECTS_S3_ACCESS_KEY_ID: '0123456789',
      LINKSHOT_SERVER_OBJECTS_S3_SECRET_ACCESS_KEY: 'true',
    };
    const expected = {
      ...{ ...S3, region: 'us-east-1', prefix: '', pathStyle: true },
      ...{ accessKeyId: '0123456789', secretAccessKey: 'true' },
    };
    expect(readConfig(withoutSecrets, secrets).objects.s3).toEqual(expected);
    const { objects } = readConfig(null, {
      ...secrets,
      LINKSHOT_SERVER_OBJECTS_S3_ENDPOINT: S3.endpoint,
      LINKSHOT_SERVER_OBJECTS_S3_BUCKET: S3.bucket,
      LINKSHOT_SERVER_OBJECTS_S3_PATH_STYLE: 'false',
    });
    expect(objects.s3).toEqual({ ...expected, pathStyle: false });
    expect(() => readConfig(withoutSecrets, {})).toThrow('objects.s3.accessKeyId" is missing');
    expect(() => readConfig(null, { LINKSHOT_SERVER_OBJECTS_S3_BUKET: 'b' })).toThrow(
      'Unknown environment variable LINKSHOT_SERVER_OBJECTS_S3_BUKET.',
    );
  });

  it('wins over the file, key by key', () => {
    const config = readConfig(path, {
      LINKSHOT_SERVER_LIMITS_PARTS_AT_ONCE: '9',
      LINKSHOT_SERVER_WEB_ORIGIN: 'https://share.example.org',
      LINKSHOT_SERVER_WEB_TRUST_PROXY: 'true',
      LINKSHOT_SERVER_PLANS_PRO_FEATURES: '["view_stats"]',
      LINKSHOT_SERVER_KEY_FILE: '/run/secrets/linkshot',
      LINKSHOT_SERVER_ANTIVIRUS_CLAMD_SOCKET: '',
      LINKSHOT_SERVER_KEY: 'is read elsewhere',
      PATH: '/usr/bin',
    });
    expect(config).toEqual({
      ...DOCUMENTED,
      limits: { ...DOCUMENTED.limits, partsAtOnce: 9, uploadsAtOnce: 5 },
      web: { ...DOCUMENTED.web, origin: 'https://share.example.org', trustProxy: true },
      plans: { ...DOCUMENTED.plans, pro: { ...DOCUMENTED.plans.pro, features: ['view_stats'] } },
      keyFile: '/run/secrets/linkshot',
    });
  });

  it('takes a text that looks like a number as text where the key is one', () => {
    const config = readConfig(null, {
      LINKSHOT_SERVER_NODE_NAME: '1',
      LINKSHOT_SERVER_METRICS_TOKEN: '12345678901234567890123456789012',
      LINKSHOT_SERVER_KEY_FILE: 'true',
      LINKSHOT_SERVER_METRICS_PORT: '9464',
    });
    expect(config.node.name).toBe('1');
    expect(config.metrics).toEqual({ host: '127.0.0.1', port: 9464, token: '12345678901234567890123456789012' });
    expect(config.keyFile).toBe('true');
  });

  it.each([
    ['LINKSHOT_SERVER_LIMITS_PARTS', '1', 'Unknown environment variable LINKSHOT_SERVER_LIMITS_PARTS.'],
    [
      'LINKSHOT_SERVER_LIMITS_PARTS_AT_ONCE',
      'many',
      'Environment variable LINKSHOT_SERVER_LIMITS_PARTS_AT_ONCE: Configuration key "limits.partsAtOnce" must be integer.',
    ],
    [
      'LINKSHOT_SERVER_WEB_ORIGIN',
      'share.example.org',
      'Environment variable LINKSHOT_SERVER_WEB_ORIGIN: Configuration key "web.origin" must be an origin',
    ],
  ])('%s=%s is refused with a sentence that names it', (variable, value, message) => {
    expect(() => readConfig(null, { [variable]: value })).toThrow(message);
  });
});
