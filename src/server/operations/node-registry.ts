/**
 * The nodes on one PostgreSQL: each has a row that it renews while it runs, for the operator's eyes, and to refuse a second
 * node where files are in a data folder, which other nodes cannot read.
 */
import type { ServerConfig } from '../config/config.ts';
import type { Log } from '../log.ts';
import { POSTGRES_NOW, type Records, raw, type Sql, sql } from '../records/records.ts';

const SEEN_EVERY_MS = 10_000;
/** A node that was not seen for this long has ended. */
const GONE_MS = 30_000;
/** What such a node has staged belongs to no process then: no suspended computer is expected to return later. */
const LOST_MS = 10 * 60_000;

const isSeen = (): ReturnType<typeof sql> => sql`"seenAt" > ${POSTGRES_NOW} - ${raw(String(GONE_MS))}`;

interface Node {
  readonly id: string;
  readonly name: string;
  readonly role: ServerConfig['node']['role'];
  readonly version: string;
  /** The master keys that it has, newest first. */
  readonly keyIds: readonly string[];
}

interface RunningNode extends Node {
  readonly hasLocalFiles: boolean;
}

interface RegistryDeps {
  readonly records: Records;
  readonly self: Node;
  readonly hasLocalFiles: boolean;
  readonly log: Log;
}

/** The nodes that run, by name. */
export const runningNodes = async (records: Sql): Promise<readonly RunningNode[]> => {
  const rows = await records.all<Omit<Node, 'keyIds'> & { readonly keyIds: string; readonly hasLocalFiles: 0 | 1 }>(
    sql`SELECT "id", "name", "role", "version", "keyIds", "hasLocalFiles" FROM "nodes" WHERE ${isSeen()}
      ORDER BY "name", "id"`,
  );
  return rows.map((row) => ({ ...row, keyIds: row.keyIds.split(' '), hasLocalFiles: row.hasLocalFiles === 1 }));
};

/** Throws with a sentence for the operator when this node cannot run beside the others. */
const refuseLocalFiles = (others: readonly RunningNode[], hasLocalFiles: boolean): void => {
  const local = hasLocalFiles ? others[0] : others.find((other) => other.hasLocalFiles);
  if (local === undefined) return;
  const whose = hasLocalFiles ? 'this server has' : `the server "${local.name}" has`;
  throw new Error(
    `Another server, "${local.name}", runs on these records, and ${whose} its files in a data folder, where others cannot read them. Configure objects.s3 on all servers, or stop the other one first; one that was killed counts for ${GONE_MS / 1_000} seconds.`,
  );
};

/** Throws with a sentence for the operator when another node could not read what this one writes. */
const refuseUnknownKey = (others: readonly RunningNode[], newest: string | undefined): void => {
  const without = others.find(({ keyIds }) => newest === undefined || !keyIds.includes(newest));
  if (without === undefined) return;
  throw new Error(
    `The server "${without.name}", which runs on these records, does not have the newest master key of this one. All servers need the same keys; to replace the key, first add the new one after the old one on all of them.`,
  );
};

/** Registers this node until the result is called. Rejects with a sentence for the operator. */
export const registerNode = async ({
  records,
  self: { id, name, role, version, keyIds },
  hasLocalFiles,
  log,
}: RegistryDeps): Promise<() => Promise<void>> => {
  await records.transaction(async (tx) => {
    // Of two nodes that start at the same time the second one sees the first.
    await tx.run(raw('LOCK TABLE "nodes" IN SHARE ROW EXCLUSIVE MODE'));
    const others = (await runningNodes(tx)).filter((other) => other.id !== id);
    refuseLocalFiles(others, hasLocalFiles);
    refuseUnknownKey(others, keyIds[0]);
    await tx.run(
      sql`INSERT INTO "nodes" ("id", "name", "role", "version", "keyIds", "hasLocalFiles", "startedAt", "seenAt")
        VALUES (${id}, ${name}, ${role}, ${version}, ${keyIds.join(' ')}, ${hasLocalFiles ? 1 : 0}, ${POSTGRES_NOW}, ${POSTGRES_NOW})
        ON CONFLICT ("id") DO UPDATE SET "name" = EXCLUDED."name", "role" = EXCLUDED."role",
          "version" = EXCLUDED."version", "keyIds" = EXCLUDED."keyIds", "hasLocalFiles" = EXCLUDED."hasLocalFiles",
          "startedAt" = EXCLUDED."startedAt", "seenAt" = EXCLUDED."seenAt"`,
    );
  });
  let isLogged = false;
  const renew = async (): Promise<void> => {
    try {
      await records.run(sql`UPDATE "nodes" SET "seenAt" = ${POSTGRES_NOW} WHERE "id" = ${id}`);
      isLogged = false;
    } catch (error) {
      if (!isLogged) log(`This node cannot renew its registration: ${String(error)}`, { level: 'warn' });
      isLogged = true;
    }
  };
  let renewed = Promise.resolve();
  const timer = setInterval(() => {
    renewed = renewed.then(renew);
  }, SEEN_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await renewed;
    // It counts as ended soon, also when this fails.
    await records.run(sql`DELETE FROM "nodes" WHERE "id" = ${id}`).catch(() => {});
  };
};

/** What nodes have left that were killed and do not return belongs to no process. */
export const disownLostNodes = async (records: Sql): Promise<void> => {
  const isLost = sql`"seenAt" < ${POSTGRES_NOW} - ${raw(String(LOST_MS))}`;
  await records.run(sql`UPDATE "objects" SET "node" = '' WHERE "node" IN (SELECT "id" FROM "nodes" WHERE ${isLost})`);
};
