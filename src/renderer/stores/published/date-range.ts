/** Date ranges that end now, for the library filter. */

export const DATE_RANGES = ['today', 'week', 'month', 'year'] as const;
export type DateRange = (typeof DATE_RANGES)[number];

const DAYS: Record<DateRange, number> = { today: 0, week: 6, month: 29, year: 364 };

/** The local midnight at which the range begins. Milliseconds since 1970-01-01 UTC. */
export const startOf = (period: DateRange, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[period]).getTime();
