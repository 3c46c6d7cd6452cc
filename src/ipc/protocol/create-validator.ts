/**
 * Validates values by a schema. The first 24 checks interpret the schema; then it is compiled once, so that a short run
 * compiles nothing.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

/** Compiling a large schema takes as long as some dozens of interpreted checks. */
const WALKS = 24;

export const createValidator = <S extends TSchema>(schema: S): ((value: unknown) => value is Static<S>) => {
  let walks = 0;
  let compiled: { Check(value: unknown): boolean } | null = null;
  return (value): value is Static<S> => {
    if (walks < WALKS) {
      walks += 1;
      return Value.Check(schema, value);
    }
    compiled ??= Compile(schema);
    return compiled.Check(value);
  };
};
