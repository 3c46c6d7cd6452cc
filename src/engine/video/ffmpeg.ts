/**
 * Finds ffmpeg and runs it with a minimal environment and low priority; a run ends when it is cancelled or makes no
 * progress, and, except on Windows, when this process dies. Also has the arguments with which ffmpeg opens an untrusted
 * file and nothing else.
 */
import { access, constants as access_ } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import { lowerPriority } from '../../base/node/lower-priority.ts';
import { isNotStarted, spawn, spawnOnLeash, variableIn } from '../../base/node/run-program.ts';

/** Progress of a run. */
interface Progress {
  /** Seconds of the output. */
  readonly seconds: number;
  readonly frames: number;
}

interface RunOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Lines of the output, where it is text. */
  readonly onLine?: (line: string) => void;
  /** The run is killed after this long. */
  readonly limitMs?: number;
}

export interface Ffmpeg {
  readonly path: string;
  /** Its version line, such as `ffmpeg version 5.1.9`; empty where not queried. */
  readonly version: string;
  /**
   * Runs to the end and resolves to the kept parts of stderr. Errors: CANCELLED, DISK_FULL, VIDEO_FIT_FAILED with its
   * last message, VIDEO_UNREADABLE where the input is invalid, VIDEO_TOOL_MISSING where it cannot be started.
   */
  run(args: readonly string[], options: RunOptions, signal: AbortSignal): Promise<Result<string>>;
}

/** Where to search for the program. */
export interface FfmpegSearch {
  /** The path that the user configured; no other is tried then. */
  readonly configured: string | null;
  /** The host's environment; only PATH and what a program needs to start are used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Variables that ffmpeg needs to start on some systems. Others, keys above all, are not passed on. */
const PASSED_ON = ['PATH', 'SYSTEMROOT', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];
/** A program started from a desktop does not get the PATH of a shell. */
const USUAL_FOLDERS =
  process.platform === 'win32' ? [] : ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/snap/bin'];

/** Allowed containers: those with embedded media, so no playlists and no scripts. */
const DEMUXERS =
  'mov,matroska,avi,asf,flv,live_flv,mpegts,mpeg,mpegvideo,ogg,gif,apng,mxf,rm,wtv,dv,nut,ivf,h264,hevc,m4v';

/**
 * Arguments that open only this file as input: no other protocol, no playlist or external reference, and no
 * interpretation of the name.
 */
export const inputOf = (path: string): readonly string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS],
  ...['-i', `file:${path}`],
];

/** Kept parts of stderr: the start describes the input, the end contains the error. */
const KEPT_AT_START = 128_000;
const KEPT_AT_END = 8_000;
const GRACE_MS = 1_500;
/** Time without progress; finalizing gigabytes on a slow disk shows none for minutes. */
const STALLED_MS = 5 * 60_000;

const FULL = /No space left on device|There is not enough space/i;

/** What systems say where a drive or its network is gone. */
const READ_ERROR =
  /Input\/output error|No such device|Device not configured|Stale (NFS )?file handle|Transport endpoint is not connected|Socket is not connected|Host is down|No route to host|Network is (down|unreachable)|(Connection|Operation) timed out|Connection reset by peer|Software caused connection abort/;

/** ffmpeg ends there as at the end of the file, with success. Before version 6 it names only the file. */
const isEndedByReadError = (stderr: string): boolean =>
  stderr
    .split('\n')
    .some((line) => (line.startsWith('file:') || line.includes('Error during demuxing: ')) && READ_ERROR.test(line));

/** Whether a run failed for such an error, of the input or of another file. */
export const isReadError = ({ detail }: Failure): boolean => READ_ERROR.test(detail);

/** Calls `onReadError` after a run that succeeded without the end of its input, also because of a damaged sector. */
export const withReadErrors = (ffmpeg: Ffmpeg, onReadError: () => void): Ffmpeg => ({
  ...ffmpeg,
  async run(...call) {
    const ran = await ffmpeg.run(...call);
    if (ran.ok && isEndedByReadError(ran.value)) onReadError();
    return ran;
  },
});

const notStarted = (message: string) => failure('VIDEO_TOOL_MISSING', `ffmpeg cannot be started: ${message}`);

const cancelled = () => failure('CANCELLED', 'Preparing the video was cancelled.');

/** The stderr without the parts of ffmpeg that say each line, and their addresses in memory. */
export const withoutAddresses = (stderr: string): string => stderr.replace(/\[[^\]\n]* @ (0x)?[0-9a-f]+\] /g, '');

const reasonOf = (stderr: string) => {
  // Without the path, which the user knows.
  const plain = withoutAddresses(stderr)
    .replace(/^Error opening input file file:.*\n/gm, '')
    .replace(/^file:.*: (?=[A-Z])/gm, '');
  const last = plain.trim().split('\n').slice(-2).join(' ').slice(-300);
  if (FULL.test(stderr))
    return failure(
      'DISK_FULL',
      'The disk became full while the video was being converted. Free some space, then try again.',
    );
  if (
    /Invalid data found when processing input|moov atom not found|does not contain any stream|matches no streams|not on (the )?whitelist/i.test(
      stderr,
    )
  )
    return failure('VIDEO_UNREADABLE', `The video cannot be read: ${last}`);
  return failure('VIDEO_FIT_FAILED', `ffmpeg failed: ${last}`);
};

const isExecutable = (path: string): Promise<boolean> =>
  access(path, access_.X_OK).then(
    () => true,
    () => false,
  );

export const createFfmpeg = (path: string, environment: FfmpegSearch['environment'], version = ''): Ffmpeg => {
  const env = Object.fromEntries(PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));

  return {
    path,
    version,
    run: (args, { onProgress, onLine, limitMs }, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve(err(cancelled()));
          return;
        }
        const progress = onLine ? [] : ['-progress', 'pipe:1'];
        const all = ['-hide_banner', '-nostats', '-y', ...progress, ...args];
        const child =
          process.platform === 'win32'
            ? spawn(path, all, { env, stdio: ['pipe', 'pipe', 'pipe'] })
            : spawnOnLeash(path, all, env).child;
        let start = '';
        let tail = '';
        let end: 'cancelled' | 'stalled' | null = null;
        let grace: NodeJS.Timeout | undefined;

        const kill = () => child.kill('SIGKILL');
        const stop = () => {
          end ??= 'cancelled';
          // `q` ends ffmpeg cleanly on every system, including Windows; one that does not respond is killed.
          child.stdin.write('q\n', () => {});
          grace = setTimeout(kill, GRACE_MS);
        };
        const stall = () => {
          end ??= 'stalled';
          kill();
        };
        const limit = limitMs === undefined ? undefined : setTimeout(stall, limitMs);
        let watch = setTimeout(stall, STALLED_MS);
        const onProgressMade = () => {
          clearTimeout(watch);
          watch = setTimeout(stall, STALLED_MS);
        };

        const unfollow = onAbort(signal, stop);
        child.stdin.on('error', () => {});
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          if (start.length < KEPT_AT_START) start += text;
          else tail = (tail + text).slice(-KEPT_AT_END);
        });
        const follow = onLine ?? readProgress((now) => onProgress?.(now), onProgressMade);
        createInterface(child.stdout).on('line', (line) => {
          if (onLine) onProgressMade();
          follow(line);
        });
        const finish = (result: Result<string>) => {
          clearTimeout(limit);
          clearTimeout(watch);
          clearTimeout(grace);
          unfollow();
          resolve(result);
        };
        child.on('spawn', () => {
          // The user's other programs have priority.
          if (child.pid !== undefined) lowerPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
        });
        child.on('error', ({ message }) => finish(err(notStarted(message))));
        child.on('close', (code) => {
          if (end === 'cancelled' || signal.aborted) finish(err(cancelled()));
          else if (end === 'stalled') finish(err(failure('VIDEO_FIT_FAILED', 'ffmpeg took too long and was stopped.')));
          // On a full disk some containers still exit with success.
          else if (code === 0 && (onLine || !FULL.test(start + tail))) finish(ok(start + tail));
          else if (isNotStarted(code)) finish(err(notStarted(start.trim())));
          else finish(err(reasonOf(start + tail)));
        });
      }),
  };
};

/** Parses the blocks of `-progress`, each of which ends in a line `progress=`. */
const readProgress = (report: (progress: Progress) => void, onProgressMade: () => void) => {
  let seconds = 0;
  let frames = 0;
  let last = '';
  return (line: string): void => {
    const at = line.indexOf('=');
    const [name, value] = [line.slice(0, at), line.slice(at + 1)];
    if (name === 'frame') frames = Number(value) || frames;
    if (name === 'out_time_us' || name === 'out_time_ms') seconds = Math.max(seconds, Number(value) / 1e6 || 0);
    if (name !== 'progress') return;
    const now = `${seconds} ${frames}`;
    if (now !== last) onProgressMade();
    last = now;
    report({ seconds, frames });
  };
};

/**
 * Optional: its install script downloads from outside the package registry, so it is not a dependency; used where the
 * user has installed it.
 */
const STATIC_PACKAGE = 'ffmpeg-static';

const ffmpegStatic = (): string | null => {
  try {
    const path: unknown = createRequire(import.meta.url)(STATIC_PACKAGE);
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
};

/**
 * Finds ffmpeg: only the configured one if set, else that of the package `ffmpeg-static` (if installed), else the
 * system's. Null where none of them runs.
 */
export const locateFfmpeg = async (
  { configured, environment }: FfmpegSearch,
  signal: AbortSignal,
): Promise<Ffmpeg | null> => {
  const program = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const folders = [...(variableIn(environment, 'PATH') ?? '').split(delimiter), ...USUAL_FOLDERS];
  const bundled = ffmpegStatic();
  const candidates =
    configured === null
      ? [...(bundled === null ? [] : [bundled]), ...folders.filter(isAbsolute).map((folder) => join(folder, program))]
      : [configured];
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    let version = '';
    const onLine = (line: string) => {
      version ||= line;
    };
    const answer = await createFfmpeg(path, environment).run(['-version'], { limitMs: 20_000, onLine }, signal);
    if (answer.ok) return createFfmpeg(path, environment, version);
  }
  return null;
};

// Finds the ffmpeg program on first use and searches again while it is missing, also after it was removed or moved.

export type FindFfmpeg = (signal: AbortSignal) => Promise<Ffmpeg | null>;

export const createFindFfmpeg = (search: FfmpegSearch): FindFfmpeg => {
  let found: Promise<Ffmpeg | null> | undefined;
  const forgetRemoved = async (): Promise<void> => {
    const known = found;
    const ffmpeg = await known;
    if (ffmpeg && !(await isExecutable(ffmpeg.path)) && found === known) found = undefined;
  };
  return async (signal) => {
    await forgetRemoved();
    // Not cancellable by the first caller, because others may wait for the same search; the search itself is short.
    found ??= locateFfmpeg(search, new AbortController().signal);
    const ffmpeg = await found;
    if (!ffmpeg) found = undefined;
    return signal.aborted ? null : ffmpeg;
  };
};
