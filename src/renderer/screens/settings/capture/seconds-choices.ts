/** What is offered, and what the person has set otherwise, ascending. */
export const secondsChoices = (offered: readonly number[], set: number): readonly number[] =>
  [...new Set([...offered, set])].toSorted((a, b) => a - b);
