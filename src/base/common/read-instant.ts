/** Reads a day, or a time, that the user has typed. Pure. */

/** Local time, unless it names its zone; a day alone begins at midnight. Null: there is no such time. */
export const readInstant = (text: string): Date | null => {
  const [, year, month, day, time] =
    /^(\d{4})-(\d{2})-(\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text) ?? [];
  // `Date` makes 2 March of 30 February.
  const isInMonth = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const at = new Date(time === undefined ? `${text}T00:00` : text);
  return isInMonth && !Number.isNaN(at.getTime()) ? at : null;
};
