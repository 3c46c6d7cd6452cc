/** Lists the choices of a setting in seconds: the offered values and the configured one, ascending. */

/** The offered choices plus the configured value, ascending. */
export const secondsChoices = (offered: readonly number[], set: number): readonly number[] =>
  [...new Set([...offered, set])].toSorted((a, b) => a - b);
