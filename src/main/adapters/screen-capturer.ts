/**
 * Captures the screen through Electron: one screenshot of each display at full physical resolution. It uses the
 * engine's own capturer to list the open windows, to include the mouse pointer on Windows, and as a substitute when
 * Electron returns the same screenshot for several displays.
 */
import { desktopCapturer, nativeImage } from 'electron';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { crop } from '../../engine/capture/crop.ts';
import type { Pixels, ScreenCapturer } from '../../engine/ports.ts';
import type { Display } from '../../ipc/protocol/capture.ts';
import type { KnownDisplay } from '../windows/display-coordinates.ts';

export interface ElectronCapturerDeps {
  readonly displays: () => readonly KnownDisplay[];
  readonly platform: NodeJS.Platform;
  readonly system: ScreenCapturer;
}

interface Frame {
  readonly display: Display;
  readonly pixels: Pixels;
}
type Source = Awaited<ReturnType<typeof desktopCapturer.getSources>>[number];

const unavailable = (detail: string): Result<never> => err(failure('CAPTURE_UNAVAILABLE', detail));
const cancelled = (): Result<never> => err(failure('CANCELLED', 'The capture was cancelled.'));

const MAC_REFUSES =
  'macOS does not let Linkshot see the screen. Allow it in System Settings, Privacy & Security, Screen Recording, then start Linkshot again.';
const NOTHING_SHOWN = {
  linux: 'The desktop showed Linkshot no screen. When it asks which one to share, choose an entire screen.',
  other: 'The system showed Linkshot no screen. Unlock it, or end the remote session, then try again.',
} as const;

/** One opaque red pixel as PNG: the first bytes of its bitmap reveal the colour order of this platform. */
const RED =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const keepsRedFirst = (): boolean => nativeImage.createFromDataURL(RED).toBitmap()[0] === 255;

/** An Electron bitmap as opaque RGBA. Computers that run Electron are little-endian. */
const rgbaOf = (bitmap: Buffer): Uint8Array => {
  const data = new Uint8Array(bitmap);
  const pixels = new Uint32Array(data.buffer);
  const isSwapped = !keepsRedFirst();
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at] as number;
    const rgba = isSwapped ? (pixel & 0xff00) | ((pixel & 0xff) << 16) | ((pixel >>> 16) & 0xff) : pixel;
    pixels[at] = rgba | 0xff000000;
  }
  return data;
};

/** The sources in the size of these displays; other sizes would be scaled, so each size is requested separately. */
const sourcesFor = async (known: readonly KnownDisplay[]): Promise<readonly (Source | undefined)[]> => {
  const requested = new Map<string, Promise<Source[]>>();
  for (const { display } of known) {
    const { width, height } = display;
    const size = `${width}x${height}`;
    if (!requested.has(size))
      requested.set(size, desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width, height } }));
  }
  return Promise.all(
    known.map(async ({ display, electron }, index) => {
      const sources = (await requested.get(`${display.width}x${display.height}`)) ?? [];
      const own = sources.find(({ display_id }) => display_id === String(electron.id));
      // A desktop with one screen, or one that lets the user choose one, may not identify it.
      const isOnly = sources.length === 1 && sources[0]?.display_id === '' && index === 0;
      return own ?? (isOnly ? sources[0] : undefined);
    }),
  );
};

/** Some systems return one display's picture for all (electron#45769). */
const areAlike = ([first, ...others]: readonly Frame[]): boolean =>
  first !== undefined &&
  others.some(
    ({ pixels }) =>
      pixels.data.length === first.pixels.data.length && Buffer.compare(pixels.data, first.pixels.data) === 0,
  );

export const createElectronCapturer = ({ displays, platform, system }: ElectronCapturerDeps): ScreenCapturer => {
  const throughElectron = async (): Promise<Result<readonly Frame[]>> => {
    const known = displays();
    // macOS asks for the permission at the first request; until then it calls it denied, as it does after a refusal.
    const found = await sourcesFor(known).catch(() => []);
    const frames = known.flatMap(({ display }, index): Frame[] => {
      const thumbnail = found[index]?.thumbnail;
      if (!thumbnail || thumbnail.isEmpty()) return [];
      // The actual size, in case rounding is off by a pixel.
      const size = thumbnail.getSize();
      return [{ display: { ...display, ...size }, pixels: { ...size, data: rgbaOf(thumbnail.toBitmap()) } }];
    });
    if (frames.length > 0) return ok(frames);
    if (platform === 'darwin') return unavailable(MAC_REFUSES);
    return unavailable(platform === 'linux' ? NOTHING_SHOWN.linux : NOTHING_SHOWN.other);
  };

  /** The engine's capturer may return the desktop as one picture. */
  const throughSystem: ScreenCapturer['freeze'] = async (pointer, signal) => {
    const seen = await system.freeze(pointer, signal);
    if (!seen.ok) return seen;
    return ok(displays().map(({ display }) => ({ display, pixels: crop(seen.value, display) })));
  };

  const freeze: ScreenCapturer['freeze'] = async (pointer, signal) => {
    if (pointer === 'show' && platform === 'win32') {
      const frames = await throughSystem(pointer, signal);
      if (frames.ok || signal.aborted) return frames;
    }
    const frames = await throughElectron();
    if (signal.aborted) return cancelled();
    if (!frames.ok || !areAlike(frames.value)) return frames;
    const others = await throughSystem(pointer, signal);
    return others.ok ? others : frames;
  };

  return {
    freeze,
    displays: async () => ok(displays().map(({ display }) => display)),
    windows: (signal) => system.windows(signal),
    async grab(area, pointer, signal) {
      const frames = await freeze(pointer, signal);
      return frames.ok ? ok(crop(frames.value, area)) : frames;
    },
  };
};
