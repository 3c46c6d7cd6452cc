/** Tampering with the files of the object store causes an error for the reader, and never wrong bytes. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { HEADER_BYTES, SEGMENT_BYTES, storedSize } from '../../../src/server/storage/sealed-format.ts';
import { WriteLease } from '../../../src/server/storage/write-lease.ts';
import { openLocalObjects, recordsInMemory } from '../../support/server/local-objects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('tampering');
const records = recordsInMemory();
const objects = await openLocalObjects(root, { records });
const never = new AbortController().signal;
const SIZE = 3 * SEGMENT_BYTES + 1_000;
const RECORD = SEGMENT_BYTES + 28;
const place = (id: ObjectId): string => join(root, 'permanent', id.slice(0, 2), id);

let serial = 0;
const store = async (bytes: Buffer): Promise<ObjectId> => {
  const id = `t${serial++}-object` as ObjectId;
  const sink = await objects.stageStream(id);
  await sink.append(bytes);
  await sink.finish();
  await sink.close();
  await objects.commit(id);
  return id;
};
const readAll = (id: ObjectId): Promise<Buffer> => buffer(objects.read(id, { start: 0, end: SIZE * 2 }, never));

const segment = (file: Buffer, index: number): Buffer =>
  file.subarray(HEADER_BYTES + index * RECORD, HEADER_BYTES + (index + 1) * RECORD);
const withSegments = (file: Buffer, ...indexes: readonly number[]): Buffer =>
  Buffer.concat([file.subarray(0, HEADER_BYTES), ...indexes.map((index) => segment(file, index))]);
const flipped = (file: Buffer, at: number): Buffer => {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

/** The manipulation of the file; `other` is another object of the same size. */
const TAMPER: Readonly<Record<string, (file: Buffer, other: Buffer) => Buffer>> = {
  'a flipped bit of the first segment': (file) => flipped(file, HEADER_BYTES + 500),
  'a flipped bit of the last segment': (file) => flipped(file, file.length - 100),
  'a flipped bit of a nonce': (file) => flipped(file, HEADER_BYTES + RECORD),
  'a flipped bit of a tag': (file) => flipped(file, HEADER_BYTES + RECORD - 1),
  'a flipped bit of the magic': (file) => flipped(file, 0),
  'a flipped bit of the salt': (file) => flipped(file, 10),
  'a flipped bit of the size': (file) => flipped(file, 47),
  'a flipped bit of the header check': (file) => flipped(file, HEADER_BYTES - 1),
  'two segments swapped': (file) => withSegments(file, 1, 0, 2, 3),
  'one segment twice': (file) => withSegments(file, 0, 0, 2, 3),
  'the last segment cut off': (file) => withSegments(file, 0, 1, 2),
  'a middle segment left out': (file) => withSegments(file, 0, 2, 3),
  'the last byte cut off': (file) => file.subarray(0, -1),
  'a byte appended': (file) => Buffer.concat([file, Buffer.from([0])]),
  'a segment appended': (file) => Buffer.concat([file, segment(file, 0)]),
  'a segment of another object': (file, other) =>
    Buffer.concat([file.subarray(0, HEADER_BYTES), segment(other, 0), file.subarray(HEADER_BYTES + RECORD)]),
  'the header of another object': (file, other) =>
    Buffer.concat([other.subarray(0, HEADER_BYTES), file.subarray(HEADER_BYTES)]),
  'all of another object': (_, other) => other,
  'nothing but zeros after the header': (file) =>
    Buffer.concat([file.subarray(0, HEADER_BYTES), Buffer.alloc(storedSize(SIZE) - HEADER_BYTES)]),
  'an empty file': () => Buffer.alloc(0),
};

describe('A stored object', () => {
  it.each(Object.keys(TAMPER))('with %s is an error', async (kind) => {
    const bytes = randomBytes(SIZE);
    const [id, other] = [await store(bytes), await store(randomBytes(SIZE))];
    expect((await readAll(id)).equals(bytes)).toBe(true);
    const tampered = TAMPER[kind]?.(readFileSync(place(id)), readFileSync(place(other))) ?? Buffer.alloc(0);
    writeFileSync(place(id), tampered);
    await expect(readAll(id)).rejects.toMatchObject({ name: 'DamagedObjectError' });
  });

  it('that is damaged in one place gives the right bytes of all others', async () => {
    const bytes = randomBytes(SIZE);
    const id = await store(bytes);
    writeFileSync(place(id), flipped(readFileSync(place(id)), HEADER_BYTES + RECORD + 7));
    const first = await buffer(objects.read(id, { start: 0, end: SEGMENT_BYTES - 1 }, never));
    expect(first.equals(bytes.subarray(0, SEGMENT_BYTES))).toBe(true);
    const second = buffer(objects.read(id, { start: SEGMENT_BYTES, end: SEGMENT_BYTES }, never));
    await expect(second).rejects.toMatchObject({ name: 'DamagedObjectError' });
  });

  it('read by range decrypts only the segments of the range', async () => {
    const bytes = randomBytes(SIZE);
    const id = await store(bytes);
    const file = Buffer.from(readFileSync(place(id)));
    for (const index of [0, 1, 3]) file.fill(0, HEADER_BYTES + index * RECORD, HEADER_BYTES + index * RECORD + 64);
    writeFileSync(place(id), file);
    const range = { start: 2 * SEGMENT_BYTES, end: 3 * SEGMENT_BYTES - 1 };
    expect((await buffer(objects.read(id, range, never))).equals(bytes.subarray(range.start, range.end + 1))).toBe(
      true,
    );
  });

  it('of which a part was never written, as after a crash, is an error and never zeros', async () => {
    const id = 'half-written' as ObjectId;
    await objects.stage(id, 2 * SEGMENT_BYTES);
    const staged = await objects.openStaged(id);
    const beginning = new WriteLease(id, { position: 0, length: SEGMENT_BYTES });
    await staged.write(beginning, randomBytes(SEGMENT_BYTES));
    await staged.close();
    await objects.commit(id);
    await expect(readAll(id)).rejects.toMatchObject({ name: 'DamagedObjectError' });
  });

  it('under another id is an error', async () => {
    const id = await store(randomBytes(SIZE));
    const other = await store(randomBytes(SIZE));
    await copyFile(place(id), place(other));
    await expect(readAll(other)).rejects.toMatchObject({ name: 'DamagedObjectError' });
    await expect(
      objects.withSealedFile(other, async (file) => file, new AbortController().signal),
    ).rejects.toMatchObject({ name: 'DamagedObjectError' });
  });

  it('read with another master key is an error', async () => {
    const id = await store(randomBytes(SIZE));
    for (const strangers of [await openLocalObjects(root, { records }), await openLocalObjects(root)]) {
      const read = buffer(strangers.read(id, { start: 0, end: 9 }, never));
      await expect(read).rejects.toMatchObject({ name: 'DamagedObjectError' });
    }
  });
});
