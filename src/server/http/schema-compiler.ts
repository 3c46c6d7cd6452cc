/**
 * Compiles the schemas of requests into validators. Parameters and headers are text: an integer must be written in
 * plain digits and a boolean as `true` or `false`, and other spellings are refused.
 */
import type { FastifySchemaCompiler } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';

/** Enough to name every choice of the longest list; a hostile body gets no more. */
Settings.Set({ maxErrors: 64 });

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d*)$/;

const spelledIn = (schema: TSchema | undefined, text: unknown): unknown => {
  if (schema === undefined || typeof text !== 'string') return text;
  if (Type.IsInteger(schema) && WHOLE_NUMBER.test(text)) return Number(text);
  if (Type.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/** Converts the texts of one part of a request to the types of `schema`; what does not fit stays text. */
const readTexts = (schema: TSchema, texts: unknown): unknown => {
  if (!Type.IsObject(schema) || typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, spelledIn(schema.properties[name], text)]),
  );
};

/** A body has its own types and is not converted. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  return (given: unknown) => {
    const value = httpPart === 'body' ? given : readTexts(schema, given);
    return check.Check(value) ? { value } : { error: check.Errors(value) as never };
  };
};
