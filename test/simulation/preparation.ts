/**
 * Preparations in virtual time: trivial for most items; slow, failing or interrupted for some. Prepared bodies are in
 * the spool.
 */
import { createHash } from 'node:crypto';
import { err, failure, ok } from '../../src/api/errors.ts';
import { UNFINISHED } from '../../src/engine/spool-file-endings.ts';
import type { Prepare } from '../../src/engine/upload/preparation-types.ts';
import type { PreparedFile, PreparedSummary } from '../../src/ipc/protocol/prepared-file.ts';
import { type SimulatedDisk, SPOOL } from './disk.ts';
import type { Entry } from './entry.ts';
import type { Dice } from './rng.ts';
import type { Life, Timeline } from './timeline.ts';

export interface PreparationDeps {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly disk: SimulatedDisk;
  readonly see: (what: string) => void;
  readonly trace: (line: () => string) => void;
  readonly entryAt: (path: string) => Entry | undefined;
}

/** By its name: whether something is made of the source before it is sent. */
const isFitted = (name: string): boolean => name.endsWith('.mov') || name.endsWith('.src');

export const createPreparation =
  ({ timeline, dice, disk, see, trace, entryAt }: PreparationDeps) =>
  (life: Life): Prepare =>
  async (item, { onProgress }, signal) => {
    if (!isFitted(item.name)) {
      await timeline.pass(dice.between(0, 5), life);
      return ok(null);
    }
    const source = disk.read(item.source.path);
    if (!source) return err(failure('SOURCE_MISSING', 'The file no longer exists.'));
    const path = `${SPOOL}/${item.id}.${dice.between(0, 9)}`;
    const steps = dice.between(1, 8);
    const stepMs = dice.pick([5, 500, 20_000]);
    for (let step = 1; step <= steps; step++) {
      await timeline.pass(stepMs, life);
      if (signal.aborted) {
        see('preparation cancelled');
        return err(failure('CANCELLED', 'The preparation was cancelled.'));
      }
      disk.write(path + UNFINISHED, source.subarray(0, step));
      onProgress(step / steps);
      if (dice.chance(0.03)) {
        see('preparation failed');
        disk.remove(path + UNFINISHED);
        return err(failure('APP_FAILED', 'The encoder ended by itself.'));
      }
    }
    const made = Buffer.concat([Buffer.from('made of '), source]);
    disk.remove(path + UNFINISHED);
    disk.write(path, made);
    entryAt(item.source.path)?.allowed.add(createHash('sha256').update(made).digest('hex'));
    see('preparation');
    trace(() => `made ${path}`);
    const body: PreparedFile = {
      path,
      name: item.name.replace(/\.\w+$/, item.job.kind === 'folder' ? '.zip' : '.mp4'),
      size: made.byteLength,
      made: item.job.kind === 'folder' ? madeFolder(made) : madeImage(made),
    };
    return ok(body);
  };

const madeImage = ({ byteLength: bytes }: Buffer): PreparedSummary => {
  const facts = { format: 'png', bytes, width: 1, height: 1 };
  return { kind: 'image', before: facts, after: facts, done: ['converted'] };
};

const madeFolder = ({ byteLength: textBytes }: Buffer): PreparedSummary => ({
  kind: 'folder',
  selection: { files: 1, textBytes, skipped: [], skippedFiles: 0, uncountedFolders: 0, gitignore: 'none' },
});
