/** Objects in a local folder: staged, committed once, read by range, removed, and always encrypted on disk. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsObjects, type LocalObjects, objectPaths } from '../../../src/server/storage/local-objects.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { SEGMENT_BYTES } from '../../../src/server/storage/sealed-format.ts';
import { readSealedFile } from '../../../src/server/storage/sealed-reader.ts';
import { WriteLease } from '../../../src/server/storage/write-lease.ts';
import { shownMode } from '../../support/only-on.ts';
import { openLocalObjects, recordsInMemory } from '../../support/server/local-objects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('objects');
const masters = [createSecretKey(randomBytes(32))];
const records = recordsInMemory();
let serial = 0;
const nextId = (): ObjectId => `object-${serial++}` as ObjectId;
const never = new AbortController().signal;
const store = () => openLocalObjects(root, { masters, records });

/** Commits `bytes` as a new object. */
const stored = async (bytes: Buffer): Promise<ObjectId> => {
  const objects = await store();
  const id = nextId();
  const sink = await objects.stageStream(id);
  await sink.append(bytes);
  await sink.finish();
  await sink.close();
  await objects.commit(id);
  return id;
};

const filesOf = async (objects: LocalObjects) => {
  const found = [];
  for await (const file of objects.files()) found.push(file);
  return found;
};

describe('an object', () => {
  it('is written in any order, survives reopening, and is read by range once committed', async () => {
    const objects = await store();
    const id = nextId();
    const bytes = randomBytes(2 * SEGMENT_BYTES + 10);
    await objects.stage(id, bytes.length);
    const staged = await objects.openStaged(id);
    const end = { position: SEGMENT_BYTES, length: bytes.length - SEGMENT_BYTES };
    await staged.write(new WriteLease(id, end), bytes.subarray(SEGMENT_BYTES));
    await staged.sync();
    await staged.close();
    const again = await (await store()).openStaged(id);
    const beginning = new WriteLease(id, { position: 0, length: SEGMENT_BYTES });
    await again.write(beginning, randomBytes(SEGMENT_BYTES));
    await again.write(beginning, bytes.subarray(0, SEGMENT_BYTES));
    await again.sync();
    await again.close();
    expect(await objects.size(id)).toBe(bytes.length);
    expect((await objects.withSealedFile(id, readSealedFile, never)).equals(bytes)).toBe(true);
    await objects.commit(id);
    await objects.commit(id);
    expect((await buffer(objects.read(id, { start: 0, end: bytes.length - 1 }, never))).equals(bytes)).toBe(true);
    expect((await objects.withSealedFile(id, readSealedFile, never)).equals(bytes)).toBe(true);
  });

  it('is staged again with its bytes, unless it has a staged file, which then stays as it is', async () => {
    const objects = await store();
    const bytes = randomBytes(1_000);
    const id = await stored(bytes);
    const { permanent, staged } = objectPaths(root, id);
    const sealed = readFileSync(permanent);
    await objects.restage(id);
    await objects.restage(id);
    expect([existsSync(permanent), readFileSync(staged).equals(sealed)]).toEqual([false, true]);
    await objects.commit(id);
    writeFileSync(staged, 'of an earlier copy');
    await objects.restage(id);
    expect([readFileSync(permanent).equals(sealed), readFileSync(staged, 'utf8')]).toEqual([
      true,
      'of an earlier copy',
    ]);
    await objects.commit(id);
    expect([readFileSync(permanent).equals(sealed), existsSync(staged)]).toEqual([true, false]);
    await objects.restage(nextId());
    await objects.remove(id);
  });

  it('of unknown size grows with what arrives, and cannot be used before its end', async () => {
    const objects = await store();
    for (const size of [1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES]) {
      const id = nextId();
      const bytes = randomBytes(size);
      const sink = await objects.stageStream(id);
      for (let at = 0; at < size; at += 70_001) await sink.append(bytes.subarray(at, at + 70_001));
      await expect(objects.withSealedFile(id, readSealedFile, never)).rejects.toThrow('never finished');
      await expect(objects.commit(id)).rejects.toThrow('never finished');
      await sink.finish();
      await sink.close();
      await objects.commit(id);
      expect((await buffer(objects.read(id, { start: 0, end: size - 1 }, never))).equals(bytes)).toBe(true);
    }
  });

  it('gives for every range the bytes that were written', async () => {
    const objects = await store();
    const bytes = randomBytes(3 * SEGMENT_BYTES + 12_345);
    const id = await stored(bytes);
    const place = fc.oneof(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 0, max: 3 }).chain((n) => fc.integer({ min: -2, max: 2 }).map((d) => n * SEGMENT_BYTES + d)),
    );
    const range = fc
      .tuple(place, place)
      .map(([a, b]) => ({ start: Math.max(0, Math.min(a, b)), end: Math.max(0, a, b) }));
    await fc.assert(
      fc.asyncProperty(range, async ({ start, end }) => {
        const read = await buffer(objects.read(id, { start, end }, never));
        expect(read.equals(bytes.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a write that would leave a segment in pieces', async () => {
    const objects = await store();
    const id = nextId();
    await objects.stage(id, 2 * SEGMENT_BYTES);
    const staged = await objects.openStaged(id);
    const write = (position: number, length: number) =>
      staged.write(new WriteLease(id, { position, length }), Buffer.alloc(length));
    await expect(write(5, 10)).rejects.toThrow('whole segments');
    await expect(write(0, 10)).rejects.toThrow('whole segments');
    await expect(write(SEGMENT_BYTES, 2 * SEGMENT_BYTES)).rejects.toThrow('whole segments');
    await staged.close();
  });

  it('takes bytes only under a lease of its own that has not ended, and only as many as that is for', async () => {
    const objects = await store();
    const [id, other] = [nextId(), nextId()];
    await objects.stage(id, 2 * SEGMENT_BYTES);
    const staged = await objects.openStaged(id);
    const place = { position: 0, length: SEGMENT_BYTES };
    const [whole, half] = [Buffer.alloc(2 * SEGMENT_BYTES), Buffer.alloc(SEGMENT_BYTES)];
    await expect(staged.write(new WriteLease(other, place), half)).rejects.toThrow('is not for these');
    await expect(staged.write(new WriteLease(id, place), whole)).rejects.toThrow('is not for these');
    const lease = new WriteLease(id, place);
    await staged.write(lease, half);
    lease.end();
    await expect(staged.write(lease, half)).rejects.toThrow('has ended');
    await staged.close();
  });

  it('does not become permanent while it is open for writing', async () => {
    const objects = await store();
    const id = nextId();
    await objects.stage(id, 1);
    const staged = await objects.openStaged(id);
    await expect(objects.commit(id)).rejects.toThrow('still open for writing');
    await staged.close();
    await objects.commit(id);
    await expect(objects.openStaged(id)).rejects.toThrow('ENOENT');
  });

  it('shows nothing of its bytes on the disk, and equal objects look different', async () => {
    const text = Buffer.from('a secret text '.repeat(20_000));
    const files = [await stored(text), await stored(text)].map((id) =>
      readFileSync(join(root, 'permanent', id.slice(0, 2), id)),
    );
    for (const file of files) expect(file.includes('secret text')).toBe(false);
    expect(files[0]?.subarray(8, 1_000).equals(files[1]?.subarray(8, 1_000) ?? Buffer.alloc(0))).toBe(false);
  });

  it('is readable by the owner of the server alone', async () => {
    const id = await stored(Buffer.from('mine'));
    const folder = join(root, 'permanent', id.slice(0, 2));
    expect([statSync(folder).mode & 0o777, statSync(join(folder, id)).mode & 0o777]).toEqual([
      shownMode(0o700),
      shownMode(0o600),
    ]);
  });

  it('that is not read to its end leaves no file open', async () => {
    const objects = await store();
    const id = await stored(randomBytes(4 * SEGMENT_BYTES));
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let round = 0; round < 20; round += 1) {
      const gone = new AbortController();
      const stream = objects.read(id, { start: 0, end: 4 * SEGMENT_BYTES - 1 }, gone.signal);
      stream.on('error', () => {});
      await new Promise((resolve) => stream.once('data', resolve));
      gone.abort();
    }
    await expect.poll(open).toBeLessThanOrEqual(before + 1);
  });

  it('is removed staged or permanent, and removing it again is fine', async () => {
    const objects = await store();
    const [staged, permanent] = [nextId(), nextId()];
    await objects.stage(staged, 1);
    await objects.stage(permanent, 1);
    await objects.commit(permanent);
    for (const id of [staged, permanent, staged, permanent]) await objects.remove(id);
    for await (const { id } of objects.files()) expect([staged, permanent]).not.toContain(id);
  });

  it('is found among files of file managers and folders of disks, which are none', async () => {
    const folder = temporaryFolder('foreign-files');
    const objects = await openLocalObjects(folder);
    for (const name of ['.DS_Store', 'desktop.ini', 'ab'])
      for (const place of ['staged', 'permanent']) writeFileSync(join(folder, place, name), 'foreign');
    mkdirSync(join(folder, 'permanent/lost+found'));
    writeFileSync(join(folder, 'permanent/lost+found/12345'), 'foreign');
    expect(holdsObjects(folder)).toBe(false);
    expect(await filesOf(objects)).toEqual([]);
    const id = nextId();
    await objects.stage(id, 1);
    expect(holdsObjects(folder)).toBe(true);
    await objects.commit(id);
    expect(holdsObjects(folder)).toBe(true);
    expect(await filesOf(objects)).toEqual([{ id, state: 'permanent' }]);
    await objects.remove(id);
    expect(holdsObjects(folder)).toBe(false);
  });

  it('is never staged twice, and an id cannot leave the folder', async () => {
    const objects = await store();
    const id = nextId();
    await objects.stage(id, 1);
    await expect(objects.stage(id, 1)).rejects.toThrow('UNIQUE constraint failed: objects.id');
    await expect(objects.stage('../escaped' as ObjectId, 1)).rejects.toThrow('Not an object id');
    expect(existsSync(join(root, 'escaped'))).toBe(false);
  });
});
