/** Tells a file that another program could not read because its drive is away from one that is damaged. */
import type { Failure, Result } from '../../api/errors.ts';
import type { OpenSourceAt } from './upload-source.ts';

/** Of one byte each, all over the file: the parts that are still in memory can be read without the drive. */
const SAMPLES = 16;

/**
 * Null: the file is there. One that fails in a single place behind its beginning is damaged, and would fail for ever.
 * Errors: as `openSource` and its `read`.
 */
export const findSourceLoss = async (path: string, openSource: OpenSourceAt): Promise<Failure | null> => {
  const opened = await openSource(path);
  if (!opened.ok) return opened.error;
  const source = opened.value;
  try {
    let last: Result<unknown> | null = null;
    for (let index = 0; index <= SAMPLES; index += 1) {
      const sample = await source.read(Buffer.alloc(1), Math.floor(((source.size - 1) * index) / SAMPLES));
      if (!sample.ok && last?.ok !== true) return sample.error;
      last = sample;
    }
    return null;
  } finally {
    await source.close();
  }
};
