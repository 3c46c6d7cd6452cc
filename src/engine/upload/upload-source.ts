/**
 * Opens a file for an upload and checks after every read that it is unchanged. Also identifies the file at a path, and
 * says whether a path is a folder, and whether a file is locked by another program.
 */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { open } from '../../base/node/retrying-fs.ts';
import { isDriveAway } from '../../common/is-drive-away.ts';
import type { Clock } from '../ports.ts';

/** Size, modification time in nanoseconds, device and inode: equal while the file is not modified. */
export type SourceIdentity = string;

export interface OpenSource {
  /** Bytes. */
  readonly size: number;
  readonly identity: SourceIdentity;
  /**
   * False where the file may change and keep its identity: a reader that reads it once must read it again to compare.
   */
  readonly isMtimeReliable: boolean;
  /**
   * Fills `into` from `position`, and returns the part of it inside the file as opened. Errors: SOURCE_CHANGED,
   * SOURCE_UNREADABLE.
   */
  read(into: Buffer, position: number): Promise<Result<Buffer>>;
  close(): Promise<void>;
}

/** Errors: SOURCE_MISSING, SOURCE_UNREADABLE, SOURCE_NOT_A_FILE, SOURCE_EMPTY. */
export type OpenSourceAt = (path: string) => Promise<Result<OpenSource>>;

/** The subset of a file handle that is needed. */
interface OpenedFile extends Pick<FileHandle, 'close'> {
  stat(options: { readonly bigint: true }): Promise<FileStats>;
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}
type FileStats = Pick<BigIntStats, 'size' | 'mtimeNs' | 'dev' | 'ino' | 'isFile'>;
export type OpenFile = (path: string, flags: number) => Promise<OpenedFile>;

/** How to interpret modification times. */
export interface FileTimes {
  readonly platform: NodeJS.Platform;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const systemFileTimes = (clock: Pick<Clock, 'now'>): FileTimes => ({
  platform: process.platform,
  now: () => clock.now(),
});

/** Two changes within one clock step of the file system have the same time; FAT has steps of two seconds. */
const STEP_MS = 3_000;

/**
 * NTFS may update the modification time only when the writer closes the file, which an editor or a database does not.
 */
export const isMtimeReliable = (mtimeMs: number, { platform, now }: FileTimes): boolean =>
  platform !== 'win32' && Math.abs(now() - mtimeMs) > STEP_MS;

/** Without `times` no modification time is trusted. */
export const createOpenSource =
  (openFile: OpenFile, times: FileTimes | null = null): OpenSourceAt =>
  async (path) => {
    try {
      // Without O_NONBLOCK opening a named pipe waits for a writer forever. Windows has neither.
      const file = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      let source: Result<OpenSource> | null = null;
      try {
        source = await sourceOf(file, times);
        return source;
      } finally {
        if (!source?.ok) await file.close();
      }
    } catch (error) {
      return err(failureOf(error));
    }
  };

/** Throws what `stat` throws. */
const sourceOf = async (file: OpenedFile, times: FileTimes | null): Promise<Result<OpenSource>> => {
  const readIdentity = async () => {
    const stats = await file.stat({ bigint: true });
    return { stats, identity: identityOf(stats) };
  };
  const { stats, identity } = await readIdentity();
  const size = Number(stats.size);
  const refusal = refusalOf(stats.isFile(), size);
  if (refusal) return err(refusal);
  return ok({
    size,
    identity,
    isMtimeReliable: times !== null && isMtimeReliable(Number(stats.mtimeNs / 1_000_000n), times),
    async read(into, position) {
      try {
        const wanted = Math.min(into.byteLength, size - position);
        let filled = 0;
        while (filled < wanted) {
          const { bytesRead } = await file.read(into, filled, wanted - filled, position + filled);
          if (bytesRead === 0) return err(changed());
          filled += bytesRead;
        }
        // One check afterwards covers all changes since the file was opened.
        return (await readIdentity()).identity === identity ? ok(into.subarray(0, wanted)) : err(changed());
      } catch (error) {
        return err(failureOf(error));
      }
    },
    close: () => file.close(),
  });
};

/**
 * The first `bytes` of a file, which were all there at the same time: read again to compare where the modification time
 * proves nothing. Errors: SOURCE_CHANGED, SOURCE_UNREADABLE.
 */
export const readUnchanged = async (source: OpenSource, bytes: number): Promise<Result<Buffer>> => {
  const read = await source.read(Buffer.alloc(bytes), 0);
  if (!read.ok || source.isMtimeReliable) return read;
  const reread = await source.read(Buffer.alloc(bytes), 0);
  if (!reread.ok) return reread;
  return reread.value.equals(read.value) ? read : err(changed());
};

const identityOf = ({ size, mtimeNs, dev, ino }: FileStats): SourceIdentity => `${size}:${mtimeNs}:${dev}:${ino}`;

/** What identifies the file at a path, without opening it. */
export interface FileState {
  readonly identity: SourceIdentity;
  readonly isMtimeReliable: boolean;
}

/** Null: there is no such file, or it cannot be reached. */
export const fileStateAt = (path: string, times: FileTimes): Promise<FileState | null> =>
  stat(path, { bigint: true }).then(
    (stats) => ({
      identity: identityOf(stats),
      isMtimeReliable: isMtimeReliable(Number(stats.mtimeNs / 1_000_000n), times),
    }),
    () => null,
  );

/** On the real file system. */
export const openSource: OpenSourceAt = createOpenSource(open);

/** False also for a missing path. */
export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

const refusalOf = (isFile: boolean, size: number): Failure | null => {
  if (!isFile) return failure('SOURCE_NOT_A_FILE', 'Only files can be uploaded, not folders or devices.');
  if (size === 0) return failure('SOURCE_EMPTY', 'The file is empty.');
  return null;
};

export const changed = (): Failure =>
  failure('SOURCE_CHANGED', 'The file was changed while it was being uploaded; nothing was published. Try again.');

/** Whether another program locks the file temporarily; Windows reports a virus scanner with these two codes. */
export const isLocked = ({ code, params }: Failure): boolean =>
  code === 'SOURCE_UNREADABLE' && (params?.['system'] === 'EBUSY' || params?.['system'] === 'EPERM');

const failureOf = (error: unknown): Failure => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENXIO':
    case 'ENODEV':
    case 'ESTALE':
      return failure('SOURCE_MISSING', 'The file no longer exists. Put it back, or connect its drive, and try again.');
    case 'EISDIR':
      return failure('SOURCE_NOT_A_FILE', 'Only files can be uploaded, not folders or devices.');
    default: {
      const detail = `The file cannot be read (${code || error}).`;
      const unreadable = failure('SOURCE_UNREADABLE', detail, { params: { system: code } });
      const advice = isDriveAway(unreadable)
        ? 'Check that its drive is connected.'
        : 'Check its permissions and try again.';
      return { ...unreadable, detail: `${detail} ${advice}` };
    }
  }
};
