/**
 * Removes values unknown to this version from the enumerated lists of an account, for forward compatibility with newer
 * services.
 */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { Feature, Scope, VideoFormat } from '../../api/account.ts';

const LISTS: Readonly<Record<string, TSchema>> = { features: Feature, scopes: Scope, formats: VideoFormat };

/** A feature, scope or video format added later must not make the whole account unreadable. */
export const withoutNewerValues = (key: string, value: unknown): unknown => {
  const known = LISTS[key];
  return known && Array.isArray(value) ? value.filter((each) => Value.Check(known, each)) : value;
};
