/** Stretches of time that end now, as people speak of them. */

export const DATE_RANGES = ['today', 'week', 'month', 'year'] as const;
export type DateRange = (typeof DATE_RANGES)[number];

const DAYS: Record<DateRange, number> = { today: 0, week: 6, month: 29, year: 364 };

/** The midnight, in the person's own time, at which it begins. Milliseconds since 1970-01-01 UTC. */
export const startOf = (period: DateRange, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[period]).getTime();
