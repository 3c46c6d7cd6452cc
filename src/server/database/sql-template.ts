/**
 * The `sql` tag and its helpers, for the statements of both databases. Also the time by PostgreSQL's clock as an
 * expression, the order in which transactions lock rows (`inLockOrder`), and an INSERT that returns false if a row that
 * it refers to is gone (`addReferring`).
 */
import { type Sql as Query, raw } from 'sql-template-tag';
import type { Sql } from './database-interface.ts';

export { default as sql, empty, join, raw, type Sql as Query } from 'sql-template-tag';

/** Milliseconds since 1970-01-01 UTC by the clock of PostgreSQL, which all nodes share. */
export const POSTGRES_NOW = raw('CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)');

/** Rows in the one order in which every transaction locks them, so that two never wait for each other. */
export const inLockOrder = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] =>
  rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

/** Inserts a row that refers to others. False: one of those is not there any more. */
export const addReferring = async (records: Sql, insert: Query): Promise<boolean> => {
  try {
    await records.run(insert);
    return true;
  } catch (error) {
    if (records.dialect.kindOf(error) === 'missing') return false;
    throw error;
  }
};
