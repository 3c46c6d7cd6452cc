/**
 * Prepares a recording: finds its area, ffmpeg, an encoder, the screen input and the audio devices. If the first screen
 * input does not start, the next one is tried. Also lists the audio sources that the user can choose.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Area, CaptureTarget } from '../../ipc/protocol/capture.ts';
import type { AudioSource, RecordingRequest } from '../../ipc/protocol/recording.ts';
import { areaOf } from '../capture/resolve-capture-target.ts';
import type { ScreenCapturer } from '../ports.ts';
import type { FitLimits } from '../video/encoder-params.ts';
import type { Ffmpeg, FindFfmpeg } from '../video/ffmpeg.ts';
import { type FfmpegCapabilities, readCapabilities } from '../video/ffmpeg-capabilities.ts';
import { devicesFor, findAudioSources, offeredAudioSources } from './audio-sources.ts';
import { isHeavy, planRecording, type RecordingPlan, USUAL_LIMITS } from './encoder-params.ts';
import { type Encoding, segmentArguments } from './ffmpeg-arguments.ts';
import { pictureInputs } from './input-arguments.ts';
import { type RunningSegment, startSegment } from './segment-encoder.ts';

export interface RecordingSetupDeps {
  /** As Node reports it. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ffmpeg: FindFfmpeg;
  readonly capturer: ScreenCapturer;
  /** Limits of the active account; null: unknown. */
  readonly limits: () => FitLimits | null;
  /** The last selected region. */
  readonly lastRegion: () => Area | null;
}

/** A recording that is ready to start. */
export interface PreparedRecording extends RecordingPlan {
  readonly encoding: Encoding;
  readonly sound: AudioSource;
  /** Errors: as `startSegment`. */
  start(
    segment: { readonly path: string; readonly milliseconds: number; readonly onBytes: () => void },
    signal: AbortSignal,
  ): Promise<Result<RunningSegment>>;
  /** Whether the screen still exists: x11grab repeats the last frame after the X server has ended. */
  isThere(signal: AbortSignal): Promise<boolean>;
}

export interface RecordingSetup {
  /**
   * `folder`: used for encoder tests. Errors: VIDEO_TOOL_MISSING, CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, CANCELLED.
   */
  setUp(request: RecordingRequest, folder: string, signal: AbortSignal): Promise<Result<PreparedRecording>>;
  /** Errors: VIDEO_TOOL_MISSING. */
  sounds(signal: AbortSignal): Promise<Result<readonly AudioSource[]>>;
  /** Errors: VIDEO_TOOL_MISSING. */
  tools(signal: AbortSignal): Promise<Result<{ readonly ffmpeg: Ffmpeg; readonly tools: FfmpegCapabilities }>>;
}

/** Variables that ffmpeg needs to find programs, screen and sound. Others, keys above all, are not passed on. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'PULSE_SERVER', 'PULSE_COOKIE'],
  ...['LD_LIBRARY_PATH', 'SYSTEMROOT', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'],
];

const X264 = { name: 'libx264', kind: 'x264' } as const;

/** Tells the terminal that the error does not concern an upload. */
const FOR = { params: { for: 'recording' } } as const;

const WAYLAND =
  'On Wayland, programs cannot record the screen on their own. Sign in with an X11 session ("on Xorg") to record.';

export const createRecordingSetup = (deps: RecordingSetupDeps): RecordingSetup => {
  const { platform, capturer } = deps;
  const environment = Object.fromEntries(
    PASSED_ON.flatMap((name) => (deps.environment[name] ? [[name, deps.environment[name]] as const] : [])),
  );
  let known: { readonly ffmpeg: Ffmpeg; readonly tools: FfmpegCapabilities } | null = null;

  const tools: RecordingSetup['tools'] = async (signal) => {
    const ffmpeg = await deps.ffmpeg(signal);
    if (signal.aborted) return err(failure('CANCELLED', 'The recording was cancelled.'));
    if (!ffmpeg)
      return err(failure('VIDEO_TOOL_MISSING', 'Recording needs ffmpeg, which was not found. Install it.', FOR));
    if (known?.ffmpeg.path !== ffmpeg.path) known = { ffmpeg, tools: await readCapabilities(ffmpeg, signal) };
    return ok(known);
  };

  /** Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID. */
  const resolveTarget = async (target: CaptureTarget, signal: AbortSignal) => {
    const displays = await capturer.displays(signal);
    if (!displays.ok) return displays;
    const windows = target.mode === 'window' ? await capturer.windows(signal) : ok([]);
    if (!windows.ok) return windows;
    const area = areaOf(target, { displays: displays.value, windows: windows.value, last: deps.lastRegion() });
    return area.ok ? ok({ area: area.value, displays: displays.value }) : area;
  };

  const isWayland = Boolean(deps.environment['WAYLAND_DISPLAY']) && deps.environment['XDG_SESSION_TYPE'] === 'wayland';

  return {
    tools,
    async sounds(signal) {
      const found = await tools(signal);
      if (!found.ok) return found;
      return ok(
        offeredAudioSources(await findAudioSources(found.value.ffmpeg.path, { platform, environment }, signal)),
      );
    },
    async setUp({ target, sound, pointer }, folder, signal) {
      if (isWayland) return err(failure('CAPTURE_UNAVAILABLE', WAYLAND));
      const found = await tools(signal);
      if (!found.ok) return found;
      const { ffmpeg, tools: capabilities } = found.value;
      const resolved = await resolveTarget(target, signal);
      if (!resolved.ok) return resolved;
      const plan = planRecording(resolved.value.area, deps.limits() ?? USUAL_LIMITS, sound);
      if (!plan.ok) return plan;
      const { area, params } = plan.value;
      const devices =
        sound === 'none'
          ? ok([])
          : devicesFor(sound, await findAudioSources(ffmpeg.path, { platform, environment }, signal));
      if (!devices.ok) return devices;
      // Hardware encoding costs quality, so it is used only where software would take too much processor time.
      const hardware = isHeavy(params) || !capabilities.software ? await capabilities.hardware(folder, signal) : null;
      const encoder = hardware ?? capabilities.software;
      if (!encoder)
        return err(failure('VIDEO_TOOL_MISSING', 'This ffmpeg cannot encode H.264. Install one with libx264.', FOR));
      const encoding: Encoding = { params, encoder: { name: encoder.name, kind: encoder.kind } };
      const display = environment['DISPLAY'] ?? '';
      const inputs = pictureInputs({
        platform,
        display,
        area,
        displays: resolved.value.displays,
        pointer,
        fps: params.fps,
      });
      return ok({
        ...plan.value,
        ...{ encoding, sound },
        isThere: async (looking) => inputs[0]?.name !== 'x11grab' || (await capturer.displays(looking)).ok,
        async start({ path, milliseconds, onBytes }, starting) {
          let last: Result<RunningSegment> = err(
            failure('CAPTURE_UNAVAILABLE', 'There is no way to record this part of the screen here.'),
          );
          for (const picture of inputs) {
            const job = {
              ...encoding,
              picture,
              sounds: devices.value,
              milliseconds,
              everyFrame: capabilities.everyFrame,
            };
            const args = segmentArguments(job);
            last = await startSegment({ program: ffmpeg.path, args, environment, path, onBytes }, starting);
            if (last.ok || last.error.code !== 'CAPTURE_UNAVAILABLE') return last;
          }
          return last;
        },
      });
    },
  };
};

/** For a recording whose encoder is unknown. */
export const defaultEncoding = (size: { readonly width: number; readonly height: number }): Encoding => {
  const plan = planRecording({ x: 0, y: 0, ...size }, USUAL_LIMITS, 'none');
  if (!plan.ok) throw new Error('A recording that was made has a size that can be recorded.');
  return { params: plan.value.params, encoder: X264 };
};
