/**
 * Reads standard input: into memory up to a limit, or completely into a file of the spool, the app's own folder for
 * files.
 */

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { diskFull, isDiskFull } from '../../common/disk-full.ts';
import { UNFINISHED } from '../../engine/spool-file-endings.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { Input } from '../command-context.ts';

/** SOURCE_UNREADABLE, in words. `remedy`: what to do instead. */
export const unreadableInput = ({ message }: Error, remedy: string): Failure =>
  failure('SOURCE_UNREADABLE', `The standard input cannot be read: ${message}. ${remedy}`, {
    params: { input: 'standard' },
  });

/** Ctrl+C closes the input, so that nothing waits for it. */
const unreadable = (error: NodeJS.ErrnoException): Result<never> =>
  error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.name === 'AbortError'
    ? err(failure('CANCELLED', 'Stopped before the end of the standard input.'))
    : err(unreadableInput(error, 'Give a FILE instead.'));

/** Stops reading beyond `maxBytes`. Errors: SOURCE_UNREADABLE, CANCELLED. */
export const readInput = async ({ stream }: Input, maxBytes: number): Promise<Result<Buffer>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= maxBytes) break;
    }
  } catch (error) {
    return unreadable(error as Error);
  }
  return ok(Buffer.concat(chunks));
};

/**
 * Writes the input into the app's own folder. The file belongs to the caller until the app takes it. Errors: DISK_FULL,
 * SOURCE_UNREADABLE, CANCELLED.
 */
export const receiveFile = async (
  { stream }: Input,
  client: EngineClient,
  signal: AbortSignal,
): Promise<Result<string>> => {
  const folder = await client.call('intake.folder', {});
  if (!folder.ok) return folder;
  const path = join(folder.value.path, randomUUID());
  const unfinished = path + UNFINISHED;
  try {
    await pipeline(stream, createWriteStream(unfinished, { mode: 0o600, flush: true }), { signal });
    await rename(unfinished, path);
    return ok(path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (isDiskFull(error)) return err(diskFull());
    return unreadable(error as Error);
  }
};
