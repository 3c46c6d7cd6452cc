/**
 * Finds what looks secret in a picture and saves a copy without it. The copy is read again, and what is found then is
 * hidden too, before anyone gets it.
 */
import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { FoundSecret, Redaction, SecretKind } from '../../ipc/protocol/vision.ts';
import { type Random, UNFINISHED } from '../ports.ts';
import { isDiskFull } from '../profile/database.ts';
import { findSecrets, joinFound } from './secrets/find-secrets.ts';
import type { VisionService } from './vision-service.ts';

export interface RedactDeps {
  readonly vision: Pick<VisionService, 'readThoroughly' | 'readFile' | 'hide'>;
  readonly spoolDir: string;
  readonly random: Random;
}

export type Redact = (request: CommandInput<'vision.redact'>, signal: AbortSignal) => Promise<Result<Redaction>>;

/** Each hides what the one before left. */
const ROUNDS_MAX = 4;
/** Of a file of the user, as other programs create it. */
const MODE = 0o644;

const saveFailure = (error: NodeJS.ErrnoException, path: string): Failure => {
  const [name, folder] = [basename(path), dirname(path)];
  if (isDiskFull(error)) return failure('DISK_FULL', 'The disk is full.');
  switch (error.code) {
    case 'EEXIST':
      return failure('SAVE_FAILED', `${name} already exists. Choose another name; nothing was replaced.`);
    case 'ENOENT':
    case 'ENOTDIR':
      return failure('SAVE_FAILED', `The folder ${folder} does not exist.`);
    default:
      return failure('SAVE_FAILED', `${name} cannot be saved in ${folder}. Check the permissions of the folder.`);
  }
};

/** Never replaces a file. Errors: SAVE_FAILED, DISK_FULL. */
const save = async (draft: string, path: string, isOwn: boolean): Promise<Result<null>> => {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL);
    if (!isOwn) await chmod(path, MODE & ~process.umask());
    return ok(null);
  } catch (error) {
    const failed = error as NodeJS.ErrnoException;
    // What is there belongs to someone else.
    if (failed.code !== 'EEXIST') await rm(path, { force: true }).catch(() => {});
    return err(saveFailure(failed, path));
  }
};

const clipped = (found: FoundSecret, width: number, height: number): FoundSecret => ({
  ...found,
  width: Math.min(found.width, width - found.x),
  height: Math.min(found.height, height - found.y),
});

/** What looks secret in a picture, without hiding it. */
export const findInPicture = async (
  path: string,
  vision: Pick<VisionService, 'readThoroughly'>,
  signal: AbortSignal,
): Promise<Result<Redaction>> => {
  const read = await vision.readThoroughly(path, signal);
  if (!read.ok) return read;
  const { words, more, codes, missing, width, height } = read.value;
  return ok({ found: findSecrets([words, ...more], codes).map((one) => clipped(one, width, height)), missing });
};

export const createRedact =
  ({ vision, spoolDir, random }: RedactDeps): Redact =>
  async ({ path, kinds, out }, signal) => {
    const isAsked = ({ kind }: { readonly kind: SecretKind }): boolean => kinds?.includes(kind) ?? true;
    const read = await vision.readThoroughly(path, signal);
    if (!read.ok) return read;
    const { words, more, codes, missing, width, height } = read.value;
    let found = findSecrets([words, ...more], codes).filter(isAsked);
    const draft = join(spoolDir, `${random.uuid()}${UNFINISHED}`);
    try {
      for (let round = 0; round < ROUNDS_MAX; round++) {
        await rm(draft, { force: true });
        const hidden = await vision.hide(path, draft, found, signal);
        if (!hidden.ok) return hidden;
        const again = await vision.readFile(draft, {}, signal);
        if (!again.ok) return again;
        const left = findSecrets([again.value.words], again.value.codes).filter(isAsked);
        if (left.length === 0) break;
        found = [...joinFound([...found, ...left])];
      }
      const shown = found.map((one) => clipped(one, width, height));
      if (out === null) return ok({ found: shown, missing });
      const saved = await save(draft, out, dirname(out) === spoolDir);
      return saved.ok ? ok({ found: shown, missing }) : saved;
    } finally {
      await rm(draft, { force: true });
    }
  };
