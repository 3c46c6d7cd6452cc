/**
 * `server keys rotate`: wraps the keys of the stored objects with the newest master key. Requires that a server has
 * been started with this key; servers may run meanwhile if they all encrypt with it. No stored object is changed, and
 * the command may be interrupted and repeated.
 */
import { systemClock, systemRandom } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Sql } from '../database/database-interface.ts';
import { openStoredRecords } from '../database/open-database.ts';
import { createKeyRing, type WrappedKeys } from '../storage/key-ring.ts';
import { findMasterKeys, hasKeyCheck, openMasterKeys, writeKeyCheck } from '../storage/load-master-keys.ts';
import { createLocalObjects } from '../storage/local-objects.ts';
import { createObjectRows, type ObjectRow } from '../storage/object-rows.ts';
import { lockNodes, nodesThatMayWrite } from './node-registry.ts';

const AT_ONCE = 200;

interface Rotation {
  /** Nothing needs another key than the newest any more. */
  readonly done: boolean;
  /** The id of the newest key. */
  readonly newest: string;
  /** Objects whose keys this run has wrapped again. */
  readonly rotated: number;
  /** Objects that need another key still: they are damaged, or were stored meanwhile by a server without the new key. */
  readonly left: number;
}

interface RotationOptions {
  readonly data: string;
  readonly config: ServerConfig;
  /** As in `ServerOptions`. */
  readonly keyText: string | null;
}

/** Throws with a sentence for the operator while a server may write an object that needs another key. */
const refuseOtherKey = async (records: Sql, newest: string): Promise<void> => {
  const behind = (await nodesThatMayWrite(records)).find(({ keyIds }) => keyIds[0] !== newest);
  if (behind === undefined) return;
  throw new Error(
    behind.isSilent
      ? `The server "${behind.name}", which encrypts with another key, does not respond and may still be running; restart it with the new key, or rotate ten minutes after it has ended.`
      : `The server "${behind.name}" still encrypts with another key; restart it with the new key first, then rotate.`,
  );
};

/** Throws before a key is wrapped again unless a server has been started with the newest master key. */
export const rotateKeys = async ({ data, config, keyText }: RotationOptions): Promise<Rotation> => {
  const { folder, records } = await openStoredRecords(config, data);
  try {
    const isShared = config.database.url !== null;
    const { objects: root } = folder;
    const keyOptions = { data, objects: root, keyFile: config.keyFile, keyText, isShared, log: () => {} };
    if (findMasterKeys(keyOptions) === null && !hasKeyCheck(root)) {
      throw new Error(
        'There is no master key here, so there is nothing to rotate; give this command the keys and the --data of a server.',
      );
    }
    const masters = openMasterKeys(keyOptions);
    const ring = createKeyRing(masters, systemRandom);
    const rows = createObjectRows({ records, clock: systemClock, node: 'keys rotate', durable: true });
    if (!(await rows.masterKeys()).includes(ring.newestId)) {
      throw new Error(
        'No server has been started with the new key; put it first, start the server, then rotate. A server without it could not read what is rotated.',
      );
    }
    const refuseOlderNodes = async (from: Sql): Promise<void> => {
      if (isShared) await refuseOtherKey(from, ring.newestId);
    };
    await refuseOlderNodes(records);
    const objects = await createLocalObjects({ root: folder.objects, ring, rows });

    /** Null: its key cannot be read now. */
    const wrapAgain = async (row: ObjectRow): Promise<{ before: ObjectRow; keys: WrappedKeys } | null> => {
      try {
        const header = async (): Promise<Buffer> => row.header ?? (await objects.header(row.id));
        return { before: row, keys: await ring.rewrap(row.id, header, row) };
      } catch {
        return null;
      }
    };

    let rotated = 0;
    let page = await rows.page(null, AT_ONCE);
    while (page.length > 0) {
      const others = page.filter(({ keyId }) => keyId !== ring.newestId);
      const changes = (await Promise.all(others.map(wrapAgain))).filter((change) => change !== null);
      if (changes.length > 0) rotated += await rows.rewrap(changes);
      page = await rows.page(page.at(-1)?.id ?? null, AT_ONCE);
    }
    // A server may have been started meanwhile.
    const done = await rows.keepOnlyMasterKey(ring.newestId, async (tx) => {
      if (isShared) await lockNodes(tx);
      await refuseOlderNodes(tx);
    });
    if (done) writeKeyCheck(folder.objects, masters);
    const left = [...(await rows.countByKey())].reduce(
      (sum, [id, count]) => sum + (id === ring.newestId ? 0 : count),
      0,
    );
    return { done, newest: ring.newestId, rotated, left };
  } finally {
    await records.close();
  }
};
