/** A folder of files is tied to the records that know them, also where it was changed or has lost something. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import { objectPaths } from '../../../src/server/storage/local-objects.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { compareStore, confirmStore, folderPlace } from '../../../src/server/storage/store-id.ts';
import { recordsInMemory } from '../../support/server/local-objects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ELSEWHERE = 'The objects of these records are not in the folder';
const newFolder = (): string => temporaryFolder('store-id');
const idIn = (root: string): string => readFileSync(join(root, 'store-id'), 'utf8').trim();

const start = (records: ServerDatabase, root: string, place = folderPlace(root)): Promise<void> =>
  confirmStore({
    ...{ records, place, node: 'test', clock: systemClock, random: systemRandom, log: () => {} },
    // A server that was killed minutes ago.
    isAlone: async () => false,
  });
const addRow = async (records: ServerDatabase): Promise<ObjectId> => {
  const id = randomUUID() as ObjectId;
  await records.run(sql`INSERT INTO "objects" ("id", "state", "stagedAt") VALUES (${id}, 'permanent', 0)`);
  return id;
};
const addFile = (root: string, id: string, state: 'permanent' | 'staged' = 'permanent'): void => {
  const path = objectPaths(root, id as ObjectId)[state];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'sealed');
};

it('records with nothing stored may return to their folder with an unfinished upload, and keep it afterwards', async () => {
  const [records, right, wrong] = [recordsInMemory(), newFolder(), newFolder()];
  await start(records, right);
  addFile(right, randomUUID(), 'staged');
  await start(records, wrong);
  await start(records, right);
  addFile(right, await addRow(records));
  await expect(start(records, wrong)).rejects.toThrow(ELSEWHERE);
  await start(records, right);
  expect(await compareStore({ records, place: folderPlace(right) })).toBe('same');
});

it('the folder of other records is refused also while nothing is stored', async () => {
  const [records, own, others] = [recordsInMemory(), newFolder(), newFolder()];
  await start(recordsInMemory(), others);
  addFile(others, randomUUID(), 'staged');
  await expect(start(records, others)).rejects.toThrow('belong to other records');
  await start(records, own);
  await expect(start(records, others)).rejects.toThrow('belong to other records');
});

it('a folder that has lost most files is that of its records, and one without any of them is refused at the start and before', async () => {
  const [records, right, wrong] = [recordsInMemory(), newFolder(), newFolder()];
  const ids: ObjectId[] = [];
  for (let at = 0; at < 100; at += 1) ids.push(await addRow(records));
  addFile(right, ids.toSorted().at(-1) ?? '');
  await expect(compareStore({ records, place: folderPlace(wrong) })).rejects.toThrow(ELSEWHERE);
  await expect(start(records, wrong)).rejects.toThrow(ELSEWHERE);
  await expect(compareStore({ records, place: folderPlace(wrong) })).rejects.toThrow(ELSEWHERE);
  expect(await compareStore({ records, place: folderPlace(right) })).toBe('unknown');
  await start(records, right);
  expect(await compareStore({ records, place: folderPlace(right) })).toBe('same');
});

it.each(['ENOSPC', 'EDQUOT'])(
  'a server starts on a full disk (%s), and the id is written once there is space',
  async (code) => {
    const [records, root] = [recordsInMemory(), newFolder()];
    const full = {
      ...folderPlace(root),
      put: async () => {
        throw Object.assign(new Error(code), { code });
      },
    };
    addFile(root, await addRow(records));
    await start(records, root, full);
    await start(records, root);
    const id = idIn(root);
    rmSync(join(root, 'store-id'));
    await start(records, root, full);
    await start(records, root);
    expect(idIn(root)).toBe(id);
  },
);
