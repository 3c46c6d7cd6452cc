/**
 * Counts the slots of `concurrency-slots.ts` over all nodes on one PostgreSQL. The slots of an account and kind are in
 * one row, which each change updates by a single statement. A node renews the slots that it holds, by the clock of the
 * database; the slots of a killed node expire.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../clock-and-random.ts';
import type { Sql } from '../database/database-interface.ts';
import { POSTGRES_NOW, type Query, raw, sql } from '../database/sql-template.ts';
import type { Log } from '../log.ts';
import type { Slot, SlotRequest, Slots } from './concurrency-slots.ts';

const SLOT_MS = 20_000;
/** A slot is renewed three times before it ends. */
const RENEW_MS = 5_000;
const LOOK_AGAIN_MS = 200;

const UNTIL = raw(`CAST("value" ->> 'until' AS BIGINT)`);

interface SharedSlotsDeps {
  readonly records: Sql;
  readonly random: Random;
  /** This node; no other process that runs at the same time has this name. */
  readonly node: string;
  readonly log: Log;
}

type Place = Pick<SlotRequest, 'accountId' | 'kind' | 'name'>;

export interface SharedSlots extends Slots {
  /** At start: what an earlier process of this node had is free. */
  releaseOwn(): Promise<void>;
}

export const createSharedSlots = ({ records, random, node, log }: SharedSlotsDeps): SharedSlots => {
  const ownPrefix = `${node}:`;

  /**
   * Writes the slot of `by` where `isFree` of the living holders ("map" by name, "count") holds. Resolves with the holder
   * afterwards; null: there is none.
   */
  const put = async ({ accountId, kind, name }: Place, by: string, isFree: Query): Promise<string | null> => {
    const row = await records.get<{ by: string | null }>(
      sql`INSERT INTO "slots" AS "held" ("accountId", "kind", "holders")
        VALUES (${accountId}, ${kind},
          jsonb_build_object(CAST(${name} AS TEXT), jsonb_build_object('by', CAST(${by} AS TEXT), 'until', ${POSTGRES_NOW} + ${raw(String(SLOT_MS))})))
        ON CONFLICT ("accountId", "kind") DO UPDATE SET "holders" = (
          SELECT CASE WHEN ${isFree} THEN "living"."map" || EXCLUDED."holders" ELSE "living"."map" END
          FROM (SELECT coalesce(jsonb_object_agg("key", "value"), '{}') AS "map", count(*) AS "count"
            FROM jsonb_each("held"."holders") WHERE ${UNTIL} > ${POSTGRES_NOW}) AS "living")
        RETURNING "holders" -> CAST(${name} AS TEXT) ->> 'by' AS "by"`,
    );
    return row?.by ?? null;
  };

  const ofName = (name: string): Query => sql`"living"."map" -> CAST(${name} AS TEXT)`;

  /** Who has the slot; null: it is free. */
  const holderOf = async ({ accountId, kind, name }: Place): Promise<string | null> => {
    const row = await records.get<{ by: string }>(
      sql`SELECT "value" ->> 'by' AS "by" FROM "slots", jsonb_each("holders")
        WHERE "accountId" = ${accountId} AND "kind" = ${kind} AND "key" = ${name} AND ${UNTIL} > ${POSTGRES_NOW}`,
    );
    return row?.by ?? null;
  };

  /** False: it is gone. One that has ended is not: whoever takes a slot removes those, and none has. */
  const extend = async ({ accountId, kind, name }: Place, by: string): Promise<boolean> => {
    const changed = await records.run(
      sql`UPDATE "slots" SET "holders" = jsonb_set("holders", ARRAY[CAST(${name} AS TEXT), 'until'],
          to_jsonb(${POSTGRES_NOW} + ${raw(String(SLOT_MS))}))
        WHERE "accountId" = ${accountId} AND "kind" = ${kind} AND "holders" -> CAST(${name} AS TEXT) ->> 'by' = ${by}`,
    );
    return changed === 1;
  };

  const slotOf = (
    place: Place,
    by: string,
    { takesOver, replaced = () => {} }: Omit<SlotRequest, keyof Place>,
  ): Slot => {
    const { accountId, kind, name } = place;
    let isReplaced = false;
    let isOver = false;
    const warn = (what: string) => (error: unknown) =>
      log(`${what} a slot failed: ${String(error)}`, { level: 'warn' });

    /**
     * A slot that may be taken over and is gone was: its next request has ended already. Others were forgotten, and are
     * taken again.
     */
    const renew = async (): Promise<void> => {
      if (await extend(place, by)) return;
      if (takesOver) {
        if (!isOver) seeReplaced();
        return;
      }
      const holder = await put(place, by, sql`coalesce(${ofName(name)} ->> 'by', ${by}) = ${by}`);
      // The release may have been faster.
      if (isOver) await drop();
      else if (holder !== by) seeReplaced();
    };
    const seeReplaced = (): void => {
      clearInterval(renewing);
      if (isReplaced) return;
      isReplaced = true;
      replaced();
    };
    const drop = async (): Promise<void> => {
      await records.run(
        sql`UPDATE "slots" SET "holders" = "holders" - CAST(${name} AS TEXT)
          WHERE "accountId" = ${accountId} AND "kind" = ${kind}
            AND "holders" -> CAST(${name} AS TEXT) ->> 'by' = ${by}`,
      );
    };
    const renewing = setInterval(() => void renew().catch(warn('Renewing')), RENEW_MS).unref();

    return {
      isReplaced: async () => {
        const holder = isReplaced ? null : await holderOf(place);
        if (holder !== null && holder !== by) seeReplaced();
        return isReplaced;
      },
      othersEnded: async () => {
        for (let holder = await holderOf(place); holder !== null && holder !== by; holder = await holderOf(place))
          await sleep(LOOK_AGAIN_MS);
      },
      release: async () => {
        if (isOver) return;
        isOver = true;
        clearInterval(renewing);
        await drop().catch(warn('Releasing'));
      },
    };
  };

  return {
    take: async ({ accountId, kind, name, ...request }) => {
      const { limit, takesOver } = request;
      const place = { accountId, kind, name };
      const by = `${ownPrefix}${random.uuid()}`;
      const holder = await put(
        place,
        by,
        sql`CASE WHEN ${ofName(name)} IS NOT NULL THEN ${raw(String(takesOver))}
          ELSE "living"."count" < CAST(${limit} AS BIGINT) END`,
      );
      if (holder === by) return slotOf(place, by, request);
      return holder === null ? 'busy' : 'running';
    },
    sweep: async () => {
      await records.run(
        sql`DELETE FROM "slots" WHERE NOT EXISTS (SELECT 1 FROM jsonb_each("holders") WHERE ${UNTIL} > ${POSTGRES_NOW})`,
      );
    },
    releaseOwn: async () => {
      await records.run(
        sql`UPDATE "slots" SET "holders" = (SELECT coalesce(jsonb_object_agg("key", "value"), '{}')
            FROM jsonb_each("holders") WHERE NOT starts_with("value" ->> 'by', ${ownPrefix}))
          WHERE strpos(CAST("holders" AS TEXT), ${ownPrefix}) > 0`,
      );
    },
  };
};
