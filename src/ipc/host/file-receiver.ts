/**
 * Receives files that pages stream in slices, and writes them to files in the profile that only the user can read. A
 * slice counts as received once it is completely written. A token, by which later commands name the file, is issued
 * only if the received bytes have the SHA-256 that the page computed.
 */

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { IntakeId, Sha256, SourceToken } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { isDiskFull } from '../../common/disk-full.ts';
import { BUNDLE_MAX } from '../../common/folder/bundle-format.ts';
import type { Clock, Random } from '../../engine/ports.ts';
import { FOLDER_ENDING, UNFINISHED } from '../../engine/spool-file-endings.ts';
import type { CommandInput } from '../protocol/command-table.ts';
import { SLICE_BYTES } from '../protocol/preload-api.ts';
import type { FileTokens } from './file-tokens.ts';

/** An upload without a slice for so long, as from a page that was closed, is removed when another one begins. */
const IDLE_MS = 15 * 60_000;

interface Received {
  readonly receivedBytes: number;
}

export interface FileReceiver {
  open(file: CommandInput<'intake.open'>): Promise<Result<{ readonly id: IntakeId }>>;
  state(id: IntakeId): Result<Received>;
  /** Appends a slice. A slice out of order changes nothing: the result says how much has arrived. */
  write(id: IntakeId, offset: number, bytes: Uint8Array): Promise<Result<Received>>;
  /** Answers everybody who asks again, also meanwhile, with the same token: an answer may be lost. */
  finish(id: IntakeId, sha256: Sha256): Promise<Result<Finished>>;
  /** Removes what has arrived, also of a finished file: the page that abandons it never got its token. */
  abandon(id: IntakeId): Promise<void>;
  close(): Promise<void>;
}

interface Finished {
  readonly token: SourceToken;
}

interface Arriving {
  readonly kind: 'file' | 'folder';
  readonly name: string;
  readonly size: number;
  readonly path: string;
  readonly file: FileHandle;
  readonly hash: Hash;
  received: number;
  touchedAt: number;
  /** Serialises the slices of one file, even when a page repeats one too early. */
  turn: Promise<unknown>;
}

export interface FileReceiverDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly spoolDir: string;
  readonly sources: FileTokens;
}

const TOO_LARGE = { file: 'UPLOAD_TOO_LARGE', folder: 'FOLDER_TOO_LARGE' } as const;
const UNKNOWN = failure('COMMAND_INVALID', 'This file is no longer being received. Add it again.');
const TORN = failure('SOURCE_CHANGED', 'The bytes that arrived are not the bytes that were read. Add the file again.');
const FULL = failure('DISK_FULL', 'There is not enough space on the disk for a copy of this file. Free some space.');

const writeFailure = (error: unknown): Failure =>
  isDiskFull(error) ? FULL : failure('APP_FAILED', `The file could not be stored: ${(error as Error).message}`);

export const createFileReceiver = async ({
  clock,
  random,
  spoolDir,
  sources,
}: FileReceiverDeps): Promise<FileReceiver> => {
  const arriving = new Map<IntakeId, Arriving>();
  /** Files whose end was asked for: being stored, or done. */
  const finished = new Map<IntakeId, Promise<Result<Finished>>>();

  const discard = async ({ turn, file, path }: Arriving): Promise<void> => {
    await turn.catch(() => {});
    await file.close();
    await rm(path, { force: true });
  };
  const forget = async (id: IntakeId): Promise<void> => {
    const file = arriving.get(id);
    arriving.delete(id);
    if (file) await discard(file);
  };
  const forgetIdle = async (): Promise<void> => {
    const idle = [...arriving].filter(([, { touchedAt }]) => clock.monotonic() - touchedAt > IDLE_MS);
    await Promise.all(idle.map(([id]) => forget(id)));
  };

  // Partial files of a killed host are useless: the page that streamed them is closed.
  const leftovers = (await readdir(spoolDir)).filter((name) => name.endsWith(UNFINISHED));
  await Promise.all(leftovers.map((name) => rm(join(spoolDir, name), { force: true })));

  const append = async (file: Arriving, offset: number, bytes: Uint8Array): Promise<Result<Received>> => {
    if (offset === file.received) {
      if (bytes.length === 0 || bytes.length > SLICE_BYTES || offset + bytes.length > file.size) return err(UNKNOWN);
      try {
        for (let at = 0; at < bytes.length; )
          at += (await file.file.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
      } catch (error) {
        return err(writeFailure(error));
      }
      file.hash.update(bytes);
      file.received += bytes.length;
      file.touchedAt = clock.monotonic();
    }
    return ok({ receivedBytes: file.received });
  };

  const store = async (arrived: Arriving, sha256: Sha256): Promise<Result<Finished>> => {
    const { kind, name, size, file, hash } = arrived;
    const path = arrived.path.slice(0, -UNFINISHED.length) + (kind === 'folder' ? FOLDER_ENDING : '');
    try {
      await arrived.turn;
      if (arrived.received !== size || hash.digest('hex') !== sha256) {
        await discard(arrived);
        return err(TORN);
      }
      await file.sync().finally(() => file.close());
      await rename(arrived.path, path);
    } catch (error) {
      // The next start removes what is left.
      await rm(arrived.path, { force: true }).catch(() => {});
      return err(writeFailure(error));
    }
    const source = { owner: 'spool', path } as const;
    const job = kind === 'folder' ? { job: { kind: 'folder' } as const } : {};
    return ok({ token: sources.offer({ source, name, ...job }) });
  };

  return {
    open: async ({ name, size, kind = 'file' }) => {
      await forgetIdle();
      if (size === 0) return err(failure('SOURCE_EMPTY', 'The file is empty.'));
      const limitBytes = kind === 'folder' ? BUNDLE_MAX : LIMITS.maxResumableBytes;
      if (size > limitBytes) return err(failure(TOO_LARGE[kind], 'It is too large.', { params: { limitBytes } }));
      const id = random.uuid() as string as IntakeId;
      const path = join(spoolDir, `${id}${UNFINISHED}`);
      try {
        const { bavail, bsize } = await statfs(spoolDir);
        if (bavail * bsize < size) return err(FULL);
        const file = await open(path, 'wx', 0o600);
        const touchedAt = clock.monotonic();
        const base = name.split(/[\\/]/).at(-1) || 'untitled';
        const hash = createHash('sha256');
        const turn = Promise.resolve();
        arriving.set(id, { kind, name: base, size, path, file, hash, received: 0, touchedAt, turn });
        return ok({ id });
      } catch (error) {
        return err(writeFailure(error));
      }
    },
    state: (id) => {
      const file = arriving.get(id);
      return file ? ok({ receivedBytes: file.received }) : err(UNKNOWN);
    },
    write: async (id, offset, bytes) => {
      const file = arriving.get(id);
      if (!file) return err(UNKNOWN);
      const written = file.turn.then(() => append(file, offset, bytes));
      file.turn = written;
      return written;
    },
    finish: async (id, sha256) => {
      const asked = finished.get(id);
      if (asked) return asked;
      const file = arriving.get(id);
      if (!file) return err(UNKNOWN);
      arriving.delete(id);
      const stored = store(file, sha256);
      finished.set(id, stored);
      return stored;
    },
    abandon: async (id) => {
      await forget(id);
      const stored = await finished.get(id);
      finished.delete(id);
      if (stored?.ok) await sources.release(stored.value.token);
    },
    close: async () => {
      await Promise.all([...[...arriving.keys()].map(forget), ...finished.values()]);
    },
  };
};
