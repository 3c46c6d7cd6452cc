/** Objects in a local folder: staged, committed once, read by range, removed for good. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createLocalObjects } from '../../../src/server/storage/local-objects.ts';
import type { ObjectId } from '../../../src/server/storage/object-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('objects');
let serial = 0;
const nextId = (): ObjectId => `object-${serial++}` as ObjectId;
const never = new AbortController().signal;

describe('an object', () => {
  it('is written in any order, survives reopening, and is read by range once committed', async () => {
    const objects = await createLocalObjects(root);
    const id = nextId();
    const staged = await objects.stage(id, 10);
    await staged.write(5, Buffer.from('world'));
    await staged.sync();
    await staged.close();
    const again = await (await createLocalObjects(root)).openStaged(id);
    await again.write(0, Buffer.from('hello'));
    await again.sync();
    await again.close();
    expect(await objects.size(id)).toBe(10);
    await objects.commit(id);
    await objects.commit(id);
    expect((await buffer(objects.read(id, { start: 0, end: 9 }, never))).toString()).toBe('helloworld');
    expect((await buffer(objects.read(id, { start: 3, end: 6 }, never))).toString()).toBe('lowo');
    expect(await objects.withFile(id, async (path) => existsSync(path))).toBe(true);
  });

  it('is removed staged or permanent, and removing it again is fine', async () => {
    const objects = await createLocalObjects(root);
    const [staged, permanent] = [nextId(), nextId()];
    await (await objects.stage(staged, 1)).close();
    await (await objects.stage(permanent, 1)).close();
    await objects.commit(permanent);
    for (const id of [staged, permanent, staged, permanent]) await objects.remove(id);
    for await (const { id } of objects.list()) expect([staged, permanent]).not.toContain(id);
  });

  it('is never staged twice, and an id cannot leave the folder', async () => {
    const objects = await createLocalObjects(root);
    const id = nextId();
    await (await objects.stage(id, 1)).close();
    await expect(objects.stage(id, 1)).rejects.toThrow('EEXIST');
    await expect(objects.stage('../escaped' as ObjectId, 1)).rejects.toThrow('Not an object id');
    expect(existsSync(join(root, 'escaped'))).toBe(false);
  });
});
