/**
 * Registers the server nodes that share one PostgreSQL database: each node renews its own row while it runs, and other
 * modules list the running nodes or prevent new ones from starting during a transaction. Refuses a node that cannot
 * work beside the others, at its start and when it resumes after a long silence (`refuseLocalFiles`, `refuseUnknownKey`
 * and `enterAgain` have the reasons). Also releases the unfinished objects of nodes that have ended and do not return.
 */
import { systemClock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { ServerDatabase, Sql } from '../database/database-interface.ts';
import type { SharedClock } from '../database/shared-clock.ts';
import { POSTGRES_NOW, type Query, raw, sql } from '../database/sql-template.ts';
import type { Log } from '../log.ts';
import { KeyError } from '../storage/load-master-keys.ts';

const SEEN_EVERY_MS = 10_000;
/** A node that was not seen for this long has ended. */
const GONE_MS = 30_000;
/** What such a node has staged belongs to no process then: no suspended computer is expected to return later. */
const LOST_MS = 10 * 60_000;
/** The row of such a node is removed. */
const FORGOTTEN_MS = 24 * 3_600_000;

const isSeenWithin = (ms: number): Query => sql`"seenAt" > ${POSTGRES_NOW} - ${raw(String(ms))}`;

interface Node {
  readonly name: string;
  readonly role: ServerConfig['node']['role'];
  readonly version: string;
  /** The master keys that it has, newest first. */
  readonly keyIds: readonly string[];
}

interface RunningNode extends Node {
  readonly id: string;
  readonly hasLocalFiles: boolean;
  /** As `folder.place` below; null: of an earlier version. */
  readonly folder: string | null;
  /** It has not renewed its row in time, and has ended or may go on. */
  readonly isSilent: boolean;
}

interface RegistryDeps {
  readonly records: ServerDatabase;
  readonly self: Node;
  readonly folder: {
    /** The name of the data folder, by which the node is known. */
    readonly id: string;
    /** Differs between copies of a folder that carry the same name. */
    readonly place: string;
    /** Gives the folder another name. */
    readonly renew: () => string;
  };
  readonly hasLocalFiles: boolean;
  /** Follows the clock of the records from now on. */
  readonly clock: SharedClock;
  /** Rejects with a `KeyError` when the records need a master key by now that this node does not have. */
  readonly checkKeys: () => Promise<void>;
  /**
   * The node was silent, and may not run beside what was started meanwhile: it must stop. Called once, with a sentence for
   * the operator.
   */
  readonly refused: (sentence: string) => void;
  readonly log: Log;
}

/** The node may not run beside others; the message is a sentence for the operator. */
class RefusedNodeError extends Error {
  override readonly name = 'RefusedNodeError';
}

interface Registration {
  /** The name of this node. */
  readonly id: string;
  /** Says that the node is alive; happens by itself. Does not reject. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

const nodesSeenWithin = async (records: Sql, ms: number): Promise<readonly RunningNode[]> => {
  type Row = Omit<RunningNode, 'keyIds' | 'hasLocalFiles' | 'isSilent'> & {
    readonly keyIds: string;
    readonly hasLocalFiles: 0 | 1;
    readonly isSeen: 0 | 1;
  };
  const rows = await records.all<Row>(
    sql`SELECT "id", "name", "role", "version", "keyIds", "hasLocalFiles", "folder", ${isSeenWithin(GONE_MS)} AS "isSeen"
      FROM "nodes" WHERE ${isSeenWithin(ms)} ORDER BY "name", "id"`,
  );
  return rows.map(({ isSeen, ...row }) => ({
    ...row,
    keyIds: row.keyIds.split(' '),
    hasLocalFiles: row.hasLocalFiles === 1,
    isSilent: isSeen === 0,
  }));
};

/** The nodes that run, by name. */
export const runningNodes = (records: Sql): Promise<readonly RunningNode[]> => nodesSeenWithin(records, GONE_MS);

/** The same with those that have been silent for a while and may go on. */
export const nodesThatMayWrite = (records: Sql): Promise<readonly RunningNode[]> => nodesSeenWithin(records, LOST_MS);

/** The lock of a folder excludes another process of it, so a node of its name that runs elsewhere has a copy. */
const isOfCopy = (node: RunningNode, place: string): boolean => node.folder !== null && node.folder !== place;

/** Those beside the node on this folder. */
export const otherNodes = (
  nodes: readonly RunningNode[],
  { id, place }: Pick<RegistryDeps['folder'], 'id' | 'place'>,
): readonly RunningNode[] => nodes.filter((node) => node.id !== id || isOfCopy(node, place));

/** Until the end of the transaction no node starts. */
export const lockNodes = async (tx: Sql): Promise<void> => {
  await tx.run(raw('LOCK TABLE "nodes" IN SHARE ROW EXCLUSIVE MODE'));
};

/** Throws with a sentence for the operator when this node cannot run beside the others. */
const refuseLocalFiles = (others: readonly RunningNode[], hasLocalFiles: boolean): void => {
  const local = hasLocalFiles ? others[0] : others.find((other) => other.hasLocalFiles);
  if (local === undefined) return;
  const whose = hasLocalFiles ? 'this server has' : `the server "${local.name}" has`;
  throw new RefusedNodeError(
    `Another server, "${local.name}", runs on these records, and ${whose} its files in a data folder, where others cannot read them. Configure objects.s3 on all servers, or stop the other one first; one that was killed counts for ${GONE_MS / 1_000} seconds.`,
  );
};

/** Throws with a sentence for the operator when another node could not read what this one writes. */
const refuseUnknownKey = (others: readonly RunningNode[], newest: string | undefined): void => {
  const without = others.find(({ keyIds }) => newest === undefined || !keyIds.includes(newest));
  if (without === undefined) return;
  throw new RefusedNodeError(
    `The server "${without.name}", which runs on these records, does not have the newest master key of this one. All servers need the same keys; to replace the key, first add the new one after the old one on all of them.`,
  );
};

/** Throws with a sentence for the operator when a node with this newest key, if any, cannot run beside the others. */
export const refuseBeside = (
  others: readonly RunningNode[],
  { hasLocalFiles, newestKey }: { readonly hasLocalFiles: boolean; readonly newestKey: string | undefined },
): void => {
  refuseLocalFiles(others, hasLocalFiles);
  refuseUnknownKey(others, newestKey);
};

/** Registers this node. Rejects with a sentence for the operator. */
export const registerNode = async ({
  records,
  self,
  folder,
  hasLocalFiles,
  clock,
  checkKeys,
  refused,
  log,
}: RegistryDeps): Promise<Registration> => {
  const { name, role, version, keyIds } = self;

  /** Writes the row of this process. Resolves with its `startedAt`, which tells it from others of the same id. */
  const enter = (before: string, idOfCopy: () => string) =>
    records.transaction(async (tx) => {
      // Of two nodes that start at the same time the second one sees the first.
      await lockNodes(tx);
      const others = otherNodes(await runningNodes(tx), { id: before, place: folder.place });
      const id = others.some((other) => other.id === before) ? idOfCopy() : before;
      refuseBeside(others, { hasLocalFiles, newestKey: keyIds[0] });
      const row = await tx.get<{ startedAt: number }>(
        sql`INSERT INTO "nodes"
            ("id", "name", "role", "version", "keyIds", "hasLocalFiles", "folder", "startedAt", "seenAt")
          VALUES (${id}, ${name}, ${role}, ${version}, ${keyIds.join(' ')}, ${hasLocalFiles ? 1 : 0}, ${folder.place},
            ${POSTGRES_NOW}, ${POSTGRES_NOW})
          ON CONFLICT ("id") DO UPDATE SET "name" = EXCLUDED."name", "role" = EXCLUDED."role",
            "version" = EXCLUDED."version", "keyIds" = EXCLUDED."keyIds", "hasLocalFiles" = EXCLUDED."hasLocalFiles",
            "folder" = EXCLUDED."folder", "startedAt" = EXCLUDED."startedAt", "seenAt" = EXCLUDED."seenAt"
          RETURNING "startedAt"`,
      );
      if (row === undefined) throw new Error('The registration of this node has no row.');
      return { id, startedAt: row.startedAt };
    });

  const follow = async (query: Query): Promise<boolean> => {
    const asked = systemClock.now();
    const row = await records.get<{ now: number }>(query);
    if (row !== undefined) clock.follow(row.now, asked);
    return row !== undefined;
  };

  const entered = await enter(folder.id, () => {
    log('The data folder is a copy of one that a running server uses, so this server got a name of its own.');
    return folder.renew();
  });
  const { id } = entered;
  let { startedAt } = entered;
  await follow(sql`SELECT ${POSTGRES_NOW} AS "now"`);

  let [isLogged, isRefused] = [false, false];

  /** The others have counted this node as ended: it is checked as at a start. */
  const enterAgain = async (): Promise<void> => {
    ({ startedAt } = await enter(id, () => {
      throw new RefusedNodeError(
        'Another server runs with a copy of the data folder and has its name; delete node-id in the copy.',
      );
    }));
    await checkKeys();
  };

  const renew = async (): Promise<void> => {
    if (isRefused) return;
    try {
      const isKnown = await follow(
        sql`UPDATE "nodes" SET "seenAt" = ${POSTGRES_NOW}
          WHERE "id" = ${id} AND "startedAt" = ${startedAt} AND ${isSeenWithin(GONE_MS)} RETURNING "seenAt" AS "now"`,
      );
      if (!isKnown) await enterAgain();
      isLogged = false;
    } catch (error) {
      if (error instanceof RefusedNodeError || error instanceof KeyError) {
        isRefused = true;
        refused(`This server did not respond for a while and cannot go on. ${error.message}`);
        return;
      }
      if (!isLogged) log(`This node cannot renew its registration: ${String(error)}`, { level: 'warn' });
      isLogged = true;
    }
  };
  let renewed = Promise.resolve();
  const timer = setInterval(() => {
    renewed = renewed.then(renew);
  }, SEEN_EVERY_MS).unref();
  return {
    id,
    renew,
    end: async () => {
      clearInterval(timer);
      await renewed;
      // It counts as ended soon, also when this fails.
      await records.run(sql`DELETE FROM "nodes" WHERE "id" = ${id} AND "startedAt" = ${startedAt}`).catch(() => {});
    },
  };
};

/** What nodes have left that were killed and do not return belongs to no process; later they are forgotten. */
export const disownLostNodes = async (records: Sql): Promise<void> => {
  const silentFor = (ms: number): Query => sql`"seenAt" < ${POSTGRES_NOW} - ${raw(String(ms))}`;
  await records.run(
    sql`UPDATE "objects" SET "node" = '' WHERE "node" IN (SELECT "id" FROM "nodes" WHERE ${silentFor(LOST_MS)})`,
  );
  await records.run(sql`DELETE FROM "nodes" WHERE ${silentFor(FORGOTTEN_MS)}`);
};
