/** Structural sharing: unchanged parts of a snapshot keep their identity, so that nothing renders again for them. */

type Branch = Record<string, unknown> | unknown[];

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

/** Returns a value equal to `next` (plain JSON data) that reuses the equal parts of `previous`. */
export const shareStructure = <T>(previous: unknown, next: T): T => {
  if (Object.is(previous, next)) return next;
  if (!isBranch(previous) || !isBranch(next) || Array.isArray(previous) !== Array.isArray(next)) return next;
  const before = previous as Record<string, unknown>;
  const keys = Object.keys(next);
  const parts = keys.map((key) => [key, shareStructure(before[key], (next as Record<string, unknown>)[key])] as const);
  const isSame =
    keys.length === Object.keys(before).length &&
    parts.every(([key, part]) => key in before && Object.is(part, before[key]));
  if (isSame) return previous as T;
  return (Array.isArray(next) ? parts.map(([, part]) => part) : Object.fromEntries(parts)) as T;
};
