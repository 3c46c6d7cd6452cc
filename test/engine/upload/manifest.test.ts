/** The hashes of a file's parts, in order, however the reads of them end. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import { chunkHashes, hashPartOnThread, hashSource } from '../../../src/engine/upload/manifest.ts';
import { createBuffers } from '../../../src/engine/upload/part-buffers.ts';
import type { OpenSource } from '../../../src/engine/upload/upload-source.ts';
import { seededBytes } from '../../support/seeded-random.ts';

const PART = LIMITS.partBytes;
const bytes = seededBytes('manifest', 4 * PART + 1_000);

/** A file in memory; `before` runs before each read. */
const sourceOf = (before: (index: number) => Promise<void> = async () => {}): OpenSource & { reads: number[] } => {
  const reads: number[] = [];
  return {
    reads,
    size: bytes.length,
    identity: {} as OpenSource['identity'],
    isMtimeReliable: true,
    async read(into, position) {
      reads.push(position / PART);
      await before(position / PART);
      return ok(into.subarray(0, bytes.copy(into, 0, position, position + PART)));
    },
    close: async () => {},
  };
};
const hash = (source: OpenSource, onHashed = (_: number) => {}, signal = new AbortController().signal) =>
  hashSource(source, { buffers: createBuffers(), hashPart: hashPartOnThread }, onHashed, signal);

test('are those of the parts in order, whichever read ends first', async () => {
  const later = Promise.withResolvers<void>();
  // The first part comes last of all.
  const source = sourceOf(async (index) => {
    if (index === 0) await later.promise;
    if (index === 4) later.resolve();
  });
  let hashed = 0;
  const manifest = await hash(source, (count) => {
    hashed += count;
  });
  const expected = [0, 1, 2, 3, 4].map((index) =>
    createHash('sha256')
      .update(bytes.subarray(index * PART, (index + 1) * PART))
      .digest('hex'),
  );
  expect(manifest.ok && chunkHashes(manifest.value)).toEqual(expected);
  expect(hashed).toBe(bytes.length);
  expect(source.reads.toSorted()).toEqual([0, 1, 2, 3, 4]);
});

test('end with the first read that fails, and nothing more is read', async () => {
  const source = sourceOf();
  const failing: OpenSource = {
    ...source,
    read: async (into, position) =>
      position === PART ? err(failure('SOURCE_CHANGED', 'The file has changed.')) : source.read(into, position),
  };
  const manifest = await hash(failing);
  expect(manifest).toMatchObject({ ok: false, error: { code: 'SOURCE_CHANGED' } });
  expect(source.reads).not.toContain(4);
});

test('stop when they are cancelled', async () => {
  const cancelled = new AbortController();
  const source = sourceOf();
  const manifest = await hash(source, () => cancelled.abort(), cancelled.signal);
  expect(manifest).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(source.reads).not.toContain(4);
});
