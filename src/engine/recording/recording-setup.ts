/**
 * Prepares a recording: finds its area, ffmpeg, an encoder, the screen input and the audio devices, and sets up the
 * camera. If the first screen input does not start, the next one is tried. Also lists the audio sources and cameras
 * that the user can choose.
 */

import { type ErrorCode, err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { Area, CaptureTarget } from '../../ipc/protocol/capture.ts';
import type { AudioSource, RecordingRequest } from '../../ipc/protocol/recording.ts';
import { isInside } from '../capture/areas.ts';
import { resolveCaptureTarget } from '../capture/resolve-capture-target.ts';
import type { Cameras, InputDisplay, ScreenCapturer } from '../ports.ts';
import type { FitLimits } from '../video/encoder-params.ts';
import type { Ffmpeg, FindFfmpeg } from '../video/ffmpeg.ts';
import { type FfmpegCapabilities, readCapabilities } from '../video/ffmpeg-capabilities.ts';
import { isWaylandSession } from '../wayland/session-environment.ts';
import { devicesFor, findAudioDevices, offeredAudioSources } from './audio-sources.ts';
import { placeBubble } from './camera/bubble.ts';
import type { CameraFeed } from './camera/camera-feed.ts';
import { createCameraWhileRecording } from './camera/camera-while-recording.ts';
import { type Encoding, segmentArguments } from './ffmpeg-arguments.ts';
import { type PictureInput, pictureInputs } from './input-arguments.ts';
import { showInputWhileRecording } from './input-display/show-input-while-recording.ts';
import { cancelled } from './recording-errors.ts';
import { isHeavy, planRecording, type RecordingPlan, USUAL_LIMITS } from './recording-plan.ts';
import type { ScreenCastTokens } from './screen-cast.ts';
import { closeAfter, type RunningSegment, startSegment } from './segment-encoder.ts';
import { findWaylandScreen } from './wayland-screen.ts';

export interface RecordingSetupDeps {
  /** As Node reports it. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ffmpeg: FindFfmpeg;
  readonly capturer: ScreenCapturer;
  /** Null: clicks and keys cannot be shown here. */
  readonly inputDisplay: InputDisplay | null;
  readonly cameras: Cameras;
  readonly notify: (notice: Failure) => void;
  readonly withdraw: (code: ErrorCode) => void;
  /** Limits of the active account; null: unknown. */
  readonly limits: () => FitLimits | null;
  /** Of the desktop that shares its screen. */
  readonly tokens: ScreenCastTokens;
  /** The last selected region. */
  readonly lastRegion: () => Area | null;
}

/** A recording that is ready to start. */
export interface PreparedRecording extends RecordingPlan {
  readonly encoding: Encoding;
  readonly sound: AudioSource;
  /** Turns the camera on, if one was chosen, so that it is there when the countdown ends; the signal turns it off. */
  warmUp(signal: AbortSignal): void;
  /** Errors: as `startSegment`. */
  start(
    segment: { readonly path: string; readonly milliseconds: number; readonly onBytes: () => void },
    signal: AbortSignal,
  ): Promise<Result<RunningSegment>>;
  /**
   * Whether the screen still exists: x11grab repeats the last frame after the X server has ended, and so do senders.
   */
  isThere(signal: AbortSignal): Promise<boolean>;
}

export interface RecordingSetup {
  /**
   * `folder`: used for encoder tests. Errors: those of `tools`, CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID.
   */
  setUp(request: RecordingRequest, folder: string, signal: AbortSignal): Promise<Result<PreparedRecording>>;
  /** Errors: those of `tools`. */
  sounds(signal: AbortSignal): Promise<Result<readonly AudioSource[]>>;
  /** Names of the cameras. Errors: those of `tools`. */
  cameras(signal: AbortSignal): Promise<Result<readonly string[]>>;
  /** Errors: VIDEO_TOOL_MISSING, VIDEO_FIT_FAILED where ffmpeg does not answer, CANCELLED. */
  tools(signal: AbortSignal): Promise<Result<{ readonly ffmpeg: Ffmpeg; readonly tools: FfmpegCapabilities }>>;
}

/** Variables that ffmpeg needs to find programs, screen and sound. Others, keys above all, are not passed on. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'PULSE_SERVER', 'PULSE_COOKIE'],
  ...['WAYLAND_DISPLAY', 'PIPEWIRE_REMOTE', 'PIPEWIRE_RUNTIME_DIR'],
  ...['LD_LIBRARY_PATH', 'SYSTEMROOT', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'],
];

const X264 = { name: 'libx264', kind: 'x264' } as const;

/** Tells the terminal that the error does not concern an upload. */
const FOR = { params: { for: 'recording' } } as const;

export const createRecordingSetup = (deps: RecordingSetupDeps): RecordingSetup => {
  const { platform, capturer } = deps;
  const environment = Object.fromEntries(
    PASSED_ON.flatMap((name) => (deps.environment[name] ? [[name, deps.environment[name]] as const] : [])),
  );
  let known: { readonly ffmpeg: Ffmpeg; readonly tools: FfmpegCapabilities } | null = null;

  const tools: RecordingSetup['tools'] = async (signal) => {
    const ffmpeg = await deps.ffmpeg(signal);
    if (signal.aborted) return err(cancelled());
    if (!ffmpeg)
      return err(failure('VIDEO_TOOL_MISSING', 'Recording needs ffmpeg, which was not found. Install it.', FOR));
    if (known?.ffmpeg.path === ffmpeg.path) return ok(known);
    const capabilities = await readCapabilities(ffmpeg, signal);
    // What an ended ffmpeg did not tell is not missing.
    if (signal.aborted) return err(cancelled());
    if (!capabilities.ok) return capabilities;
    known = { ffmpeg, tools: capabilities.value };
    return ok(known);
  };

  /** Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID. */
  const resolveTarget = async (target: CaptureTarget, signal: AbortSignal) => {
    const displays = await capturer.displays(signal);
    if (!displays.ok) return displays;
    const windows = target.mode === 'window' ? await capturer.windows(signal) : ok([]);
    if (!windows.ok) return windows;
    const area = resolveCaptureTarget(target, {
      displays: displays.value,
      windows: windows.value,
      last: deps.lastRegion(),
    });
    return area.ok ? ok({ area: area.value, displays: displays.value }) : area;
  };

  const isWayland = platform === 'linux' && isWaylandSession(deps.environment);

  return {
    tools,
    async sounds(signal) {
      const found = await tools(signal);
      if (!found.ok) return found;
      return ok(
        offeredAudioSources(await findAudioDevices(found.value.ffmpeg.path, { platform, environment }, signal)),
      );
    },
    async cameras(signal) {
      const found = await tools(signal);
      if (!found.ok) return found;
      return ok((await deps.cameras.list(found.value.ffmpeg.path, signal)).map(({ name }) => name));
    },
    async setUp({ target, sound, pointer, camera: choice, ...input }, folder, signal) {
      const found = await tools(signal);
      if (!found.ok) return found;
      const { ffmpeg, tools: capabilities } = found.value;
      const resolved = await resolveTarget(target, signal);
      if (!resolved.ok) return resolved;
      const plan = planRecording(resolved.value.area, deps.limits() ?? USUAL_LIMITS, sound);
      if (!plan.ok) return plan;
      const { area, params } = plan.value;
      const devices =
        params.audioBits === 0
          ? ok([])
          : devicesFor(sound, await findAudioDevices(ffmpeg.path, { platform, environment }, signal));
      if (signal.aborted) return err(cancelled());
      if (!devices.ok) return devices;
      // Hardware encoding costs quality, so it is used only where software would take too much processor time.
      const hardware = isHeavy(params) || !capabilities.software ? await capabilities.hardware(folder, signal) : null;
      if (signal.aborted) return err(cancelled());
      const encoder = hardware ?? capabilities.software;
      if (!encoder)
        return err(failure('VIDEO_TOOL_MISSING', 'This ffmpeg cannot encode H.264. Install one with libx264.', FOR));
      const encoding: Encoding = { params, encoder: { name: encoder.name, kind: encoder.kind } };
      const { displays } = resolved.value;
      const wanted = { area, displays, pointer, fps: params.fps };
      const screen = isWayland
        ? await findWaylandScreen({ ...wanted, environment: deps.environment, tokens: deps.tokens }, signal)
        : null;
      if (signal.aborted) return err(cancelled());
      if (screen && !screen.ok) return screen;
      const asked = await screen?.value.ask(signal);
      if (asked && !asked.ok) return asked;
      const inputs = screen ? [] : pictureInputs({ ...wanted, platform, display: environment['DISPLAY'] ?? '' });
      const scale = displays.find((display) => isInside(area, display))?.scale ?? 1;
      const shown = (['clicks', 'keys'] as const).filter((kind) => input[kind] === 'show');
      const withInput = showInputWhileRecording(deps, { area, scale, shown });
      // What an earlier recording lacked.
      deps.withdraw('CAMERA_NOT_SHOWN');
      const bubble = placeBubble(params, choice?.corner ?? 'bottom-left');
      const { everyFrame } = capabilities;
      const { path: program } = ffmpeg;
      const { diameter } = bubble;
      const camera = createCameraWhileRecording({ ...deps, program, environment, everyFrame, diameter }, choice);
      return ok({
        ...plan.value,
        ...{ encoding, sound: params.audioBits === 0 ? 'none' : sound },
        warmUp: camera.warmUp,
        isThere: async (looking) =>
          (screen === null && inputs[0]?.name !== 'x11grab') || (await capturer.displays(looking)).ok,
        async start({ path, milliseconds, onBytes }, starting) {
          const startWith = async (feed: CameraFeed | null): Promise<Result<RunningSegment>> => {
            const argumentsFor = (picture: PictureInput) =>
              segmentArguments({
                ...{ ...encoding, picture, milliseconds, everyFrame },
                ...{ sounds: devices.value, bubble: feed && bubble },
              });
            const segment = { program, environment, path, onBytes, camera: feed };
            if (screen) {
              const frames = await screen.value.open(starting);
              if (!frames.ok) return frames;
              const { picture, sender, close } = frames.value;
              const args = argumentsFor(picture);
              return closeAfter(() => startSegment({ ...segment, args, sender }, starting), close);
            }
            let last: Result<RunningSegment> = err(
              failure('CAPTURE_UNAVAILABLE', 'There is no way to record this part of the screen here.'),
            );
            for (const picture of inputs) {
              last = await startSegment({ ...segment, args: argumentsFor(picture) }, starting);
              if (last.ok || last.error.code !== 'CAPTURE_UNAVAILABLE') return last;
            }
            return last;
          };
          return withInput(() => camera.record(startWith, starting), starting);
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
