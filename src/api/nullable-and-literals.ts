/** Builds schemas of nullable values and of literals, and hides the structure of large ones from the compiler. */
import Type, { type Static, type TSchema } from 'typebox';

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const literals = <const T extends readonly string[]>(...values: T) =>
  Type.Union(values.map((value) => Type.Literal(value))) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

/** The same schema, known by the type of its values alone: large ones are not worked out again wherever they are used. */
export const opaque = <T extends TSchema>(schema: T) => schema as unknown as ReturnType<typeof Type.Unsafe<Static<T>>>;
