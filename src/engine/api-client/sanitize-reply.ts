/**
 * Sanitizes the replies and errors of a service: replaces control characters, removes bidirectional ones, shortens long
 * texts, rejects values that are too deep or too large, and detects unsafe addresses. Also removes values that this
 * version of the app does not know, because a newer service may send them: from an account its features, scopes and
 * video formats, and from any reply what is optional.
 */

import Type, { type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { Feature, Scope, VideoFormat } from '../../api/account.ts';
import { isWebAddress } from '../../api/service-address.ts';

/** Longer than any field of the API except the text of a note. */
const TEXT_MAX = 4_096;
/** Replies of the API are nested at most six deep. */
const DEPTH_MAX = 24;
/** Maximum members of an object or array. The longest is a list of received parts, with 2,048. */
const MEMBERS_MAX = 65_536;

const UNSAFE = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u;
const CONTROLS = /\p{Cc}|[\u2028\u2029]/gu;
const BIDI = /\p{Bidi_Control}/gu;

/** One line of text that is safe for a terminal, the clipboard and a page. */
export const cleanText = (text: string): string => {
  const bounded = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  // The cut may have split a surrogate pair.
  const wellFormed = bounded.isWellFormed() ? bounded : bounded.toWellFormed();
  return UNSAFE.test(wellFormed) ? wellFormed.replace(CONTROLS, ' ').replace(BIDI, '') : wellFormed;
};

/** Whether a link in the reply cannot be printed, copied or opened safely. */
export const hasUnsafeAddress = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  depth <= DEPTH_MAX &&
  Object.entries(value).some(([key, each]) =>
    key === 'url' && typeof each === 'string' ? !isWebAddress(each) : hasUnsafeAddress(each, depth + 1),
  );

const TOO_DEEP = Symbol('too deep');

const cleaned = (value: unknown, exempt: string | null, depth: number): unknown => {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) throw TOO_DEEP;
  if (Array.isArray(value)) {
    if (value.length > MEMBERS_MAX) throw TOO_DEEP;
    return value.map((each) => cleaned(each, exempt, depth + 1));
  }
  const entries = Object.entries(value);
  if (entries.length > MEMBERS_MAX) throw TOO_DEEP;
  return Object.fromEntries(
    entries.map(([key, each]) => [
      cleanText(key),
      key === exempt && depth === 0 && typeof each === 'string' ? each : cleaned(each, exempt, depth + 1),
    ]),
  );
};

/**
 * `exempt`: the one top-level member whose text is not changed. Returns undefined, which no schema accepts, for a
 * rejected value.
 */
export const cleanReply = (value: unknown, exempt: string | null): unknown => {
  try {
    return cleaned(value, exempt, 0);
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    return undefined;
  }
};

// Removes values unknown to this version from the enumerated lists of an account, for forward compatibility with newer
// services.

const LISTS: Readonly<Record<string, TSchema>> = { features: Feature, scopes: Scope, formats: VideoFormat };

/** A feature, scope or video format added later must not make the whole account unreadable. */
export const withoutNewerValues = (key: string, value: unknown): unknown => {
  const known = LISTS[key];
  return known && Array.isArray(value) ? value.filter((each) => Value.Check(known, each)) : value;
};

/** Whether a schema lists the texts that it accepts. */
const isEnumerated = (schema: TSchema): boolean =>
  Type.IsUnion(schema)
    ? schema.anyOf.every((each) => Type.IsNull(each) || isEnumerated(each))
    : Type.IsLiteral(schema) && typeof schema.const === 'string';

/**
 * Leaves out each optional member that its schema does not accept, where it is null or a text not listed: it must not
 * make a published item unreadable. Where the schema accepts null, the member becomes null, even if it is required.
 */
export const withoutUnknownOptions = (schema: TSchema, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Type.IsUnion(schema))
    return schema.anyOf.reduce<unknown>((rest, each) => withoutUnknownOptions(each, rest), value);
  if (Type.IsArray(schema) && Array.isArray(value))
    return value.map((each) => withoutUnknownOptions(schema.items, each));
  if (!Type.IsObject(schema)) return value;
  const required: readonly string[] = schema.required ?? [];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      if (!known) return [[key, member]];
      const isEmptyOrListed = member === null || (typeof member === 'string' && isEnumerated(known));
      if (!isEmptyOrListed || Value.Check(known, member)) return [[key, withoutUnknownOptions(known, member)]];
      if (Value.Check(known, null)) return [[key, null]];
      return required.includes(key) ? [[key, member]] : [];
    }),
  );
};
