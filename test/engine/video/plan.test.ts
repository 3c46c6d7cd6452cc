import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitrateCeiling, type VideoLimits } from '../../../src/api/account.ts';
import type { FitLimits, VideoEncoderParams } from '../../../src/engine/video/encoder-params.ts';
import { type Plan, planVideo } from '../../../src/engine/video/encoding-plan.ts';
import { rateOf, rateValue } from '../../../src/engine/video/frame-rate.ts';
import type { VideoMetadata } from '../../../src/engine/video/video-metadata.ts';
import type { FitChoice } from '../../../src/ipc/protocol/queue-item.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { lengthOf } from '../../support/campaign.ts';

const MIB = 1024 ** 2;
const LIMITS: FitLimits = { video: DEFAULT_CONFIG.video, maxBytes: 100 * MIB };

/** Its sound ends with its pictures. */
const lasting = (seconds: number) => ({ seconds, wholeSeconds: seconds });

/** A phone's video: HEVC in QuickTime, which no service accepts. */
const phone: VideoMetadata = {
  ...{ size: 45 * MIB, service: null, container: 'other', codec: 'hevc', pixelFormat: 'yuv420p' },
  ...{ width: 1_920, height: 1_080, pixelAspect: 1, rotation: 0, fps: 60, pace: 60, ...lasting(30) },
  ...{ pictureBitrate: 12e6, sounds: [{ codec: 'aac', index: 0 }], dynamicRange: 'standard', scan: 'progressive' },
  unknownColours: [],
  ...{ extras: 0, hasLocation: false, isCut: false },
};
const fitting: VideoMetadata = {
  ...phone,
  ...{ size: 10 * MIB, container: 'mp4', codec: 'h264', pictureBitrate: 2.5e6, fps: 30, pace: 30 },
  service: {
    container: 'mp4',
    streams: [
      { codec: 'h264', pixelFormat: 'yuv420p', width: 1_920, height: 1_080, rotation: 0, fps: 30, fpsAtLeast: 30 },
    ],
    audioCodecs: ['aac'],
    seconds: 30,
    bitrate: 2.8e6,
  },
};

const plan = (
  facts: VideoMetadata,
  {
    choice = 'balanced',
    limits = LIMITS,
    need = null,
  }: { choice?: FitChoice; limits?: FitLimits; need?: number | null } = {},
): Plan => planVideo({ metadata: facts, limits, choice, need, ways: 'any' });
const numbersOf = (found: Plan): VideoEncoderParams => {
  if (found.way !== 'encode') throw new Error(`The way is ${found.way}.`);
  return found.params;
};

describe('A plan', () => {
  it('sends a suitable video unchanged, unless the user requests otherwise', () => {
    expect(plan(fitting)).toEqual({ way: 'pass' });
    expect(plan(fitting, { choice: 'sharper' })).toEqual({ way: 'pass' });
    expect(plan(fitting, { choice: 'smaller' })).toMatchObject({ way: 'encode', reasons: ['CHOICE'] });
  });

  it('remuxes what only has the wrong container or a location', () => {
    const matroska = { ...fitting, container: 'other', service: null } as const;
    expect(plan(matroska)).toMatchObject({ way: 'remux', container: 'mp4', reasons: ['CONTAINER'] });
    expect(plan({ ...fitting, hasLocation: true })).toMatchObject({ way: 'remux', reasons: ['PLACE'] });
  });

  it('encodes the sound alone where only the sound does not fit', () => {
    const surround = { ...fitting, container: 'other', service: null, sounds: [{ codec: 'ac3', index: 1 }] } as const;
    expect(plan(surround)).toMatchObject({ way: 'audio', sound: { way: 'encode', index: 1, codec: 'aac' } });
  });

  it('never copies damaged pictures', () => {
    expect(plan({ ...fitting, service: null, isCut: true })).toMatchObject({ way: 'encode', losses: ['end'] });
  });

  it('keeps size and rate where the limits allow them, and lowers them for a smaller file', () => {
    expect(numbersOf(plan(phone))).toMatchObject({
      width: 1_920,
      height: 1_080,
      rate: { frames: 60, per: 1 },
      passes: 1,
    });
    expect(numbersOf(plan(phone, { choice: 'smaller' }))).toMatchObject({ rate: { frames: 30, per: 1 } });
  });

  it('makes of a long video a short silent clip when asked', () => {
    const clip = plan({ ...phone, ...lasting(9_000) }, { choice: 'clip' });
    expect(numbersOf(clip)).toMatchObject({
      width: 640,
      height: 360,
      seconds: 15,
      audioBits: 0,
      rate: { frames: 15_000, per: 1_000 },
    });
    expect(clip).toMatchObject({ losses: ['sound', 'rest'], after: { hasAudio: false } });
  });

  it('shows what a viewer sees: turned, and with square pixels', () => {
    expect(numbersOf(plan({ ...phone, rotation: 90 }))).toMatchObject({ width: 1_080, height: 1_920 });
    expect(numbersOf(plan({ ...phone, width: 720, height: 576, pixelAspect: 64 / 45 }))).toMatchObject({
      width: 1_024,
      height: 576,
    });
    expect(numbersOf(plan({ ...phone, width: 333, height: 187 }))).toMatchObject({ width: 332, height: 186 });
  });

  it('lowers the size and not the rate where few bytes are left, by what the pictures need', () => {
    const long = { ...phone, fps: 30, pace: 30, ...lasting(1_800) };
    // A camera at ten times what is left; a screen recording that needs little more than there is.
    const camera = numbersOf(plan(long, { need: 5e6 }));
    expect(Math.min(camera.width, camera.height)).toBeLessThanOrEqual(540);
    expect(camera).toMatchObject({ rate: { frames: 30, per: 1 }, passes: 1 });
    const screen = numbersOf(plan(long, { need: 600_000 }));
    expect(screen).toMatchObject({ width: 1_920, height: 1_080, passes: 1 });
    expect(screen.crf).toBeGreaterThan(25);
    expect(numbersOf(plan(long, { need: 100_000 }))).toMatchObject({ width: 1_920, height: 1_080, crf: 23, passes: 1 });
    expect(numbersOf(plan(long))).toMatchObject({ passes: 2 });
  });

  it('refuses what is too long or cannot be small enough, with an explanation', () => {
    expect(plan({ ...phone, ...lasting(3_700) })).toMatchObject({
      way: 'refuse',
      failure: {
        code: 'VIDEO_NOT_SUITABLE',
        params: { problems: [{ code: 'DURATION', actual: 3_700, allowed: 3_600 }] },
      },
    });
    expect(plan({ ...phone, ...lasting(3_000) }, { limits: { ...LIMITS, maxBytes: MIB } })).toMatchObject({
      way: 'refuse',
      failure: { code: 'VIDEO_TOO_LARGE', params: { limitBytes: MIB } },
    });
  });

  it('leaves room for a sound that outlasts the pictures, which cannot be longer than the limit either', () => {
    const radio = { ...phone, wholeSeconds: 3_000, service: null };
    const alone = numbersOf(plan(phone, { limits: { ...LIMITS, maxBytes: 20 * MIB } }));
    const made = plan(radio, { limits: { ...LIMITS, maxBytes: 20 * MIB } });
    const { audioBits, averageBits, wholeSeconds } = numbersOf(made);
    expect([wholeSeconds, made.way === 'encode' && made.after.seconds]).toEqual([3_000, 3_000]);
    expect(averageBits).toBeLessThan(alone.averageBits);
    expect((averageBits * 30 + audioBits * 3_000) / 8).toBeLessThan(20 * MIB);
    expect((audioBits * 3_000) / 8).toBeLessThan(made.way === 'encode' ? made.after.size : 0);
    expect(plan({ ...phone, wholeSeconds: 3_700 })).toMatchObject({
      failure: { code: 'VIDEO_NOT_SUITABLE', params: { problems: [{ code: 'DURATION', actual: 3_700 }] } },
    });
  });

  it('does not count a sound that no result can have, which outlasts the pictures', () => {
    const { video } = LIMITS;
    const silent = { ...LIMITS, video: { ...video, maxAudioStreams: 0 } };
    const formats = video.formats.map((format) => ({ ...format, audioCodecs: [] }));
    for (const limits of [silent, { ...LIMITS, video: { ...video, formats } }]) {
      expect(plan({ ...phone, wholeSeconds: 4_000 }, { limits })).toMatchObject({
        way: 'encode',
        sound: { way: 'none' },
        losses: ['sound'],
        after: { seconds: 30 },
      });
      const service = fitting.service && { ...fitting.service, seconds: 4_000 };
      expect(plan({ ...fitting, wholeSeconds: 4_000, service }, { limits })).toMatchObject({
        way: 'remux',
        sound: { way: 'none' },
        losses: ['sound'],
        after: { seconds: 30 },
      });
    }
    expect(plan({ ...phone, ...lasting(4_000) }, { limits: silent })).toMatchObject({ way: 'refuse' });
  });

  it('refuses what the service does not accept in any form, with an explanation', () => {
    const { video } = LIMITS;
    const limits = {
      ...LIMITS,
      video: { ...video, formats: video.formats.filter(({ container }) => container === 'webm') },
    };
    const refused = plan(phone, { limits });
    expect(refused).toMatchObject({ way: 'refuse', failure: { code: 'VIDEO_NOT_SUITABLE' } });
    expect(refused.way === 'refuse' && refused.failure.detail).toContain('VP9/AV1 with Opus (WebM)');
  });
});

describe('The frame rate', () => {
  it.each([
    ['stays where it is common', 29.97, 29.97, 60, 29.97],
    ['is read through timestamps in milliseconds', 30, 1 / 0.033, 60, 30],
    ['of a recording that pauses is that of its moving parts', 9.75, 30, 60, 30],
    ['is halved rather than made uneven', 120, 120, 60, 60],
    ['is halved to fit a slower style', 50, 50, 30, 25],
    ['is what is allowed where halving loses too much', 61, 61, 60, 60],
    ['is never under one', 0.2, 0.2, 60, 1],
  ] as const)('%s', (_, fps, pace, most, expected) => {
    expect(rateValue(rateOf({ fps, pace }, most))).toBeCloseTo(expected, 2);
  });
});

/** Anything a file may claim to be, and any limits an operator may set. */
const anyRecord = fc.record({
  size: fc.integer({ min: 1, max: 5e9 }),
  container: fc.constantFrom('mp4', 'webm', 'other'),
  codec: fc.constantFrom('h264', 'h264', 'vp9', 'av1', 'hevc'),
  pixelFormat: fc.constantFrom('yuv420p', 'yuv420p', 'yuv420p10le', 'gbrp'),
  width: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 9_000 })),
  height: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 9_000 })),
  pixelAspect: fc.double({ min: 0.2, max: 5, noNaN: true }),
  rotation: fc.constantFrom(0, 90, 180, 270),
  fps: fc.oneof(fc.double({ min: 0.01, max: 60, noNaN: true }), fc.double({ min: 0.01, max: 400, noNaN: true })),
  pace: fc.double({ min: 0.01, max: 1_000, noNaN: true }),
  seconds: fc.oneof(
    fc.double({ min: 0.001, max: 60, noNaN: true }),
    fc.double({ min: 0.001, max: 20_000, noNaN: true }),
  ),
  pictureBitrate: fc.oneof(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e9, noNaN: true })),
  sounds: fc.array(fc.record({ codec: fc.constantFrom('aac', 'opus', 'ac3'), index: fc.nat(4) }), { maxLength: 3 }),
  dynamicRange: fc.constantFrom('standard', 'high'),
  unknownColours: fc.constant([]),
  scan: fc.constantFrom('progressive', 'interlaced'),
  extras: fc.nat(3),
  hasLocation: fc.boolean(),
  isCut: fc.boolean(),
  outlasting: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5_000, noNaN: true })),
});
const anyFacts: fc.Arbitrary<VideoMetadata> = anyRecord.map(({ outlasting, ...facts }) => ({
  ...facts,
  ...{ service: null, wholeSeconds: facts.seconds + (facts.sounds.length > 0 ? outlasting : 0) },
}));
const anyVideoLimits: fc.Arbitrary<VideoLimits> = fc.record({
  formats: fc.subarray([...DEFAULT_CONFIG.video.formats], { minLength: 1 }),
  maxLongSide: fc.integer({ min: 16, max: 8_000 }),
  maxShortSide: fc.integer({ min: 16, max: 8_000 }),
  maxFps: fc.double({ min: 0.5, max: 240, noNaN: true }),
  maxSeconds: fc.integer({ min: 1, max: 36_000 }),
  maxAudioStreams: fc.nat(3),
  bitrate: fc.record({
    bitsPerPixel: fc.double({ min: 0.001, max: 1, noNaN: true }),
    fpsCap: fc.double({ min: 1, max: 240, noNaN: true }),
    min: fc.integer({ min: 1_000, max: 5_000_000 }),
    max: fc.integer({ min: 1_000, max: 100_000_000 }),
  }),
});
const anyRequest = fc.record({
  metadata: anyFacts,
  limits: fc.record({ video: anyVideoLimits, maxBytes: fc.integer({ min: 1_000, max: 4e9 }) }),
  choice: fc.constantFrom<FitChoice>('smaller', 'balanced', 'sharper', 'clip'),
  need: fc.option(fc.double({ min: 1, max: 1e9, noNaN: true })),
  ways: fc.constantFrom('any' as const, 'encode' as const),
});

/** The most bits per second that an encoder can spend on average under these parameters. */
const worstBits = ({ buffer, averageBits, seconds }: VideoEncoderParams): number =>
  buffer === null ? averageBits : buffer.maxBits + buffer.bufferBits / seconds;

const holdsLimits = (request: Parameters<typeof planVideo>[0]): Plan['way'] => {
  const { limits, metadata: facts } = request;
  const { video, maxBytes } = limits;
  const found = planVideo(request);
  // A file that the service cannot read is never sent unchanged.
  expect(found.way).not.toBe('pass');
  if (found.way === 'pass' || found.way === 'refuse') return found.way;
  const { after, sound } = found;
  const [long, short] = found.way === 'encode' ? [after.width, after.height] : [facts.width, facts.height];
  expect(Math.max(long, short)).toBeLessThanOrEqual(video.maxLongSide);
  expect(Math.min(long, short)).toBeLessThanOrEqual(video.maxShortSide);
  expect(after.seconds).toBeLessThanOrEqual(video.maxSeconds);
  expect(after.size).toBeLessThanOrEqual(maxBytes);
  if (video.maxAudioStreams === 0) expect(sound).toEqual({ way: 'none' });
  const format = video.formats.find(({ container }) => container === found.container);
  if (sound.way === 'encode') expect(format?.audioCodecs).toContain(sound.codec);

  if (found.way !== 'encode') {
    expect(facts.fps).toBeLessThanOrEqual(video.maxFps);
    expect(facts.isCut).toBe(false);
    expect(format?.videoCodecs).toContain(facts.codec);
    expect(format?.pixelFormats).toContain(facts.pixelFormat);
    expect((after.size * 8) / after.seconds).toBeLessThanOrEqual(bitrateCeiling(video, facts));
    return found.way;
  }
  const { params } = found;
  const fps = rateValue(params.rate);
  expect(format?.videoCodecs).toContain('h264');
  expect(fps).toBeLessThanOrEqual(video.maxFps);
  expect([params.width % 2, params.height % 2]).toEqual([0, 0]);
  const container = 8 * (20 * fps * params.seconds + 4_000);
  const heard = sound.way === 'none' ? 0 : params.wholeSeconds;
  const bits = worstBits(params) * params.seconds + (params.audioBits * 1.05 + 8 * 20 * 47) * heard + container;
  expect(bits / after.seconds).toBeLessThanOrEqual(bitrateCeiling(video, { ...params, fps }));
  expect(bits / 8).toBeLessThanOrEqual(maxBytes);
  return found.way;
};

describe('the parameters of a plan are within the limits', () => {
  it('for any video and any limits', () => {
    const ways = new Set<Plan['way']>();
    fc.assert(
      fc.property(anyRequest, (request) => void ways.add(holdsLimits(request))),
      { numRuns: lengthOf('RUNS', { short: 500, long: 5_000 }) },
    );
    expect([...ways]).toEqual(expect.arrayContaining(['encode', 'refuse']));
  });

  it('for what can be copied', () => {
    const ways = new Set<Plan['way']>();
    const copyable = anyFacts.map((facts) => ({
      ...{ ...facts, isCut: false, dynamicRange: 'standard' as const, codec: 'h264', pixelFormat: 'yuv420p' },
      ...{ ...lasting(Math.min(facts.seconds, 3_000)), pictureBitrate: Math.min(facts.pictureBitrate, 2e6) },
    }));
    const request = fc.record({
      ...{ metadata: copyable, limits: fc.constant(LIMITS), choice: fc.constantFrom<FitChoice>('balanced', 'sharper') },
      ...{ need: fc.constant(null), ways: fc.constant('any' as const) },
    });
    fc.assert(
      fc.property(request, (one) => void ways.add(holdsLimits(one))),
      { numRuns: lengthOf('RUNS', { short: 200, long: 2_000 }) },
    );
    expect([...ways]).toEqual(expect.arrayContaining(['audio', 'encode', 'remux']));
  });
});
