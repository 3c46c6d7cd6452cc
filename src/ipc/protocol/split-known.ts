/** Splits a value into what its schema knows, and the paths of the rest. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

interface SplitValue {
  /** Without what is unknown; still to be validated. */
  readonly known: unknown;
  /** Such as `share.viewLimit`. */
  readonly unknown: readonly string[];
}

export const splitKnown = (schema: TSchema, value: unknown): SplitValue => {
  const known = Value.Clean(schema, Value.Clone(value));
  return { known, unknown: missing(value, known, '') };
};

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The paths of the values that a copy lacks. */
const missing = (value: unknown, copy: unknown, prefix: string): readonly string[] => {
  if (!isBranch(value) || !isBranch(copy)) return [];
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .flatMap(([key, part]) =>
      Object.hasOwn(copy, key)
        ? missing(part, copy[key as keyof typeof copy], `${prefix}${key}.`)
        : [`${prefix}${key}`],
    );
};
