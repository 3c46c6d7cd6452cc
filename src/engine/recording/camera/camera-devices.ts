/**
 * Lists the cameras of this computer with the ffmpeg input arguments of each, on Linux (V4L2), Windows (DirectShow) and
 * macOS (AVFoundation). Listing starts no camera.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProgramError, runProgram } from '../../../base/node/run-program.ts';
import { CAMERA_NAME_MAX } from '../../../ipc/protocol/recording.ts';
import type { CameraDevice, Cameras } from '../../ports.ts';

/** A device under the name that its maker gave it. */
interface NamedInput {
  readonly name: string;
  readonly input: readonly string[];
}

const UNNAMED = 'Camera';
/** Leaves room for the number of a second camera with the same name. */
const LENGTH_MAX = CAMERA_NAME_MAX - 5;

/** Names come from the device: in one line, short, and without characters that are invisible or change the direction. */
const plainName = (name: string): string => {
  const words = name.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  // V4L2 repeats the name of the device, cut off: "HD Webcam: HD Web".
  const [, first = words, rest = ''] = /^(.+): (.+)$/.exec(words) ?? [];
  const once = rest !== '' && first.startsWith(rest) ? first : words;
  // Not the first half of a character.
  return (
    once
      .slice(0, LENGTH_MAX)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim() || UNNAMED
  );
};

/** Numbers the cameras of one name, so that each name means one camera. */
export const withUniqueNames = (found: readonly NamedInput[]): readonly CameraDevice[] => {
  const taken = new Set<string>();
  return found.map(({ name, input }) => {
    const plain = plainName(name);
    let unique = plain;
    for (let number = 2; taken.has(unique); number++) unique = `${plain} (${number})`;
    taken.add(unique);
    return { name: unique, input };
  });
};

/** Whether the stderr of `-f v4l2 -list_formats all` belongs to a device with pictures, not with metadata or output. */
export const hasFormats = (stderr: string): boolean =>
  /\] (Raw|Compressed) *: /.test(stderr) ||
  // It is still a camera: opening it tells the user that Linkshot may not.
  /Permission denied/.test(stderr);

/** Parses the stderr of `-f dshow -list_devices true`. */
export const parseDirectShowCameras = (text: string): readonly NamedInput[] => {
  const found: { name: string; device: string }[] = [];
  let last: { name: string; device: string } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, name, kinds = ''] = /^\[[^\]]* @ [^\]]*\] +"(.+)" \(([^()]*)\)$/.exec(line) ?? [];
    const [, alternative] = /^\[[^\]]* @ [^\]]*\] +Alternative name "(.+)"$/.exec(line) ?? [];
    if (name !== undefined) {
      last = kinds.split(', ').includes('video') ? { name, device: name } : null;
      if (last) found.push(last);
    } else if (alternative !== undefined && last) {
      // Unlike a name, it is unique and has no colon, which separates devices.
      last.device = alternative;
    }
  }
  return found.map(({ name, device }) => ({
    name,
    // By default the buffer is smaller than one frame of 1080p.
    input: ['-f', 'dshow', '-rtbufsize', '100M', '-i', `video=${device}`],
  }));
};

/** Parses the stderr of `-f avfoundation -list_devices true`, without the screens. */
export const parseAvFoundationCameras = (text: string): readonly NamedInput[] => {
  const [, , section = ''] = /(AVFoundation video devices:)(.*?)(AVFoundation audio devices:|$)/s.exec(text) ?? [];
  return [...section.matchAll(/\] \[(\d+)\] (.+)/g)]
    .filter(([, , name = '']) => !/^Capture screen \d+$/.test(name.trim()))
    .map(([, index = '', name = '']) => ({
      name,
      // Cameras refuse the default, 29.97 frames a second.
      input: ['-f', 'avfoundation', '-framerate', '30', '-i', `${index}:none`],
    }));
};

/** The drivers take the nearest size that the camera has; this one is fast with every camera. */
const v4l2Input = (node: string): readonly string[] => ['-f', 'v4l2', '-video_size', '640x480', '-i', `/dev/${node}`];

/** The nodes of a folder such as /sys/class/video4linux, by number; `isCamera` asks the device itself. */
export const listV4l2Cameras = async (
  folder: string,
  isCamera: (node: string) => Promise<boolean>,
): Promise<readonly NamedInput[]> => {
  const nodes = (await readdir(folder).catch(() => []))
    .filter((node) => /^video\d+$/.test(node))
    .sort((a, b) => Number(a.slice('video'.length)) - Number(b.slice('video'.length)));
  const found = await Promise.all(
    nodes.map(async (node) => {
      if (!(await isCamera(node))) return null;
      const name = await readFile(join(folder, node, 'name'), 'utf8').catch(() => '');
      return { name, input: v4l2Input(node) };
    }),
  );
  return found.filter((one) => one !== null);
};

const V4L2_FOLDER = '/sys/class/video4linux';
const TIMEOUT_MS = 10_000;

export interface CamerasDeps {
  /** As Node reports it. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const createCameras = ({ platform, environment }: CamerasDeps): Cameras => ({
  async list(program, signal) {
    /** Listing exits with an error code: only the output counts. */
    const outputOf = (...args: readonly string[]): Promise<string> =>
      runProgram(program, ['-hide_banner', ...args], { env: { ...environment }, timeout: TIMEOUT_MS, signal }).then(
        ({ stderr }) => String(stderr),
        ({ stderr }: ProgramError) => String(stderr),
      );
    const devicesOf = (format: string, input: string) => outputOf('-f', format, '-list_devices', 'true', '-i', input);
    switch (platform) {
      case 'win32':
        return withUniqueNames(parseDirectShowCameras(await devicesOf('dshow', 'dummy')));
      case 'darwin':
        return withUniqueNames(parseAvFoundationCameras(await devicesOf('avfoundation', '')));
      case 'linux':
        return withUniqueNames(
          await listV4l2Cameras(V4L2_FOLDER, async (node) =>
            hasFormats(await outputOf('-f', 'v4l2', '-list_formats', 'all', '-i', `/dev/${node}`)),
          ),
        );
      default:
        return [];
    }
  },
});

/**
 * The camera by its whole name, else by a part of it in any case; null as name: the first one. Null: there is no such
 * camera.
 */
export const findCamera = (cameras: readonly CameraDevice[], name: string | null): CameraDevice | null => {
  if (name === null) return cameras[0] ?? null;
  const part = name.toLowerCase();
  return (
    cameras.find((camera) => camera.name === name) ??
    cameras.find((camera) => camera.name.toLowerCase().includes(part)) ??
    null
  );
};
