/** A file while it is read for an upload: whether it is still the same file is asked after every read. */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { Clock } from '../ports.ts';

/** Size, modification time in nanoseconds, device and inode: equal while nobody has touched the file. */
export type SourceIdentity = string;

export interface OpenSource {
  /** Bytes. */
  readonly size: number;
  readonly identity: SourceIdentity;
  /** False where the file may change and keep its identity: whoever reads it once only has to look at its bytes again. */
  readonly isTimeTelling: boolean;
  /**
   * Fills `into` from `position`, and answers the part of it that belongs to the file as it was opened.
   * Errors: SOURCE_CHANGED, SOURCE_UNREADABLE.
   */
  read(into: Buffer, position: number): Promise<Result<Buffer>>;
  close(): Promise<void>;
}

/** Errors: SOURCE_MISSING, SOURCE_UNREADABLE, SOURCE_NOT_A_FILE, SOURCE_EMPTY. */
export type OpenSourceAt = (path: string) => Promise<Result<OpenSource>>;

/** What a file system gives of a file that is open for reading. */
interface OpenedFile extends Pick<FileHandle, 'close'> {
  stat(options: { readonly bigint: true }): Promise<FileFacts>;
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}
type FileFacts = Pick<BigIntStats, 'size' | 'mtimeNs' | 'dev' | 'ino' | 'isFile'>;
export type OpenFile = (path: string, flags: number) => Promise<OpenedFile>;

/** What is known of the times of files. */
export interface FileTimes {
  readonly platform: NodeJS.Platform;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const timesHere = (clock: Pick<Clock, 'now'>): FileTimes => ({
  platform: process.platform,
  now: () => clock.now(),
});

/** Two changes within one step of a file system's clock have the same time; FAT counts in steps of two seconds. */
const STEP_MS = 3_000;

/** NTFS may note the time of a change only when the writer closes the file, which an editor or a database does not. */
export const isTelling = (mtimeMs: number, { platform, now }: FileTimes): boolean =>
  platform !== 'win32' && Math.abs(now() - mtimeMs) > STEP_MS;

/** Without `times` no time is trusted. */
export const createOpenSource =
  (openFile: OpenFile, times: FileTimes | null = null): OpenSourceAt =>
  async (path) => {
    try {
      // Without O_NONBLOCK opening a named pipe waits for a writer for ever. Windows has neither.
      const handle = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const look = async () => {
        const facts = await handle.stat({ bigint: true });
        return { facts, identity: `${facts.size}:${facts.mtimeNs}:${facts.dev}:${facts.ino}` };
      };
      const { facts, identity } = await look();
      const refusal = refusalOf(facts.isFile(), Number(facts.size));
      if (refusal) {
        await handle.close();
        return err(refusal);
      }
      const size = Number(facts.size);
      return ok({
        size,
        identity,
        isTimeTelling: times !== null && isTelling(Number(facts.mtimeNs / 1_000_000n), times),
        async read(into, position) {
          try {
            const wanted = Math.min(into.byteLength, size - position);
            let filled = 0;
            while (filled < wanted) {
              const { bytesRead } = await handle.read(into, filled, wanted - filled, position + filled);
              if (bytesRead === 0) return err(changed());
              filled += bytesRead;
            }
            // One look afterwards covers everything since the file was opened.
            return (await look()).identity === identity ? ok(into.subarray(0, wanted)) : err(changed());
          } catch (error) {
            return err(failureOf(error));
          }
        },
        close: () => handle.close(),
      });
    } catch (error) {
      return err(failureOf(error));
    }
  };

/** On the real file system. */
export const openSource: OpenSourceAt = createOpenSource(open);

/** False also for what is not there. */
export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

const refusalOf = (isFile: boolean, size: number): Failure | null => {
  if (!isFile) return failure('SOURCE_NOT_A_FILE', 'Only files can be uploaded, not folders or devices.');
  if (size === 0) return failure('SOURCE_EMPTY', 'The file is empty.');
  return null;
};

export const changed = (): Failure =>
  failure('SOURCE_CHANGED', 'The file was changed while it was being uploaded; nothing was published. Try again.');

/** Whether another program holds the file for a moment; Windows says so with these two of a virus scanner's look. */
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
      return failure(
        'SOURCE_MISSING',
        'The file is not there any more. Put it back, or connect its drive, and try again.',
      );
    case 'EISDIR':
      return failure('SOURCE_NOT_A_FILE', 'Only files can be uploaded, not folders or devices.');
    default:
      return failure(
        'SOURCE_UNREADABLE',
        `The file cannot be read (${code || error}). Check its permissions and try again.`,
        {
          params: { system: code },
        },
      );
  }
};
