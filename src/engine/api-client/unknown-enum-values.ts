/** Reads what a service says that is newer than this app: of the closed lists of an account, what nobody here knows is left out. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { Feature, Scope, VideoFormat } from '../../api/account.ts';

const LISTS: Readonly<Record<string, TSchema>> = { features: Feature, scopes: Scope, formats: VideoFormat };

/** A feature, a scope or a video format that is added some day must not make the whole account unreadable. */
export const withoutNewerValues = (key: string, value: unknown): unknown => {
  const known = LISTS[key];
  return known && Array.isArray(value) ? value.filter((each) => Value.Check(known, each)) : value;
};
