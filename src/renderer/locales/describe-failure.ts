/** Converts a failure into a localized title and advice, and defines the shape of every locale's error texts. */

import type { ErrorCode, Failure } from '../../api/errors.ts';
import { isDriveAway } from '../../common/is-drive-away.ts';
import type { Format } from './format.ts';

/** What happened, and what to do about it. */
export interface ErrorText {
  readonly title: string;
  readonly advice: string;
}

/** Formatted parameters of a failure that some texts contain. */
export interface ErrorParams {
  /** The exceeded limit, e.g. "10 MB". */
  readonly limit: string | null;
  /** The owner of the limit: a bigger plan does not raise the server's ceiling. */
  readonly ceiling: 'plan' | 'server';
  /** The violated video limits as text. */
  readonly problems: string | null;
  readonly scope: string | null;
  readonly feature: string | null;
  /** The plan that includes the feature, if known, and whether a trial is available. */
  readonly plan: string | null;
  readonly trial: 'available' | 'none';
  /** The owner of a taken hotkey, if known: Windows, the desktop, or another action of Linkshot. */
  readonly holder: 'snipping-tool' | 'desktop' | 'linkshot' | null;
  /** How many there are. */
  readonly count: number;
  readonly name: string | null;
  /** Whether a shared folder leads to another computer. */
  readonly isRemote: boolean;
  /** Whether the file was being read when its drive went away. */
  readonly isDriveAway: boolean;
  /** Whether the recording is in the queue already, with other settings. */
  readonly isQueued: boolean;
  /** Why a camera is not shown. */
  readonly camera: 'missing' | 'busy' | 'denied' | 'gone' | 'failed';
  /** The server of a key that could not be deleted from the key store. */
  readonly keyLeftFor: string | null;
  /** The wait requested by the server. */
  readonly wait: string | null;
}

/** One entry per code of the contract; a missing one does not compile. */
export type ErrorTexts = {
  /** For the service's plan names, which exist in both languages. */
  readonly language: 'en' | 'ru';
  readonly codes: Readonly<Record<ErrorCode, ErrorText | ((facts: ErrorParams) => ErrorText)>>;
  /** Names of plan features; an unknown feature is shown by its code. */
  readonly features: Readonly<Record<string, string>>;
  /** Texts of violated video limits by code, with the actual and the allowed value. Unknown codes are omitted. */
  readonly problems: Readonly<Record<string, (actual: string, allowed: string) => string>>;
};

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const BITS_PER_MEGABIT = 1_000_000;

/** Text of one entry of `params.problems` (415 VIDEO_NOT_SUITABLE) with `code`, `actual` and `allowed`. */
const problemText = (texts: ErrorTexts, format: Format, problem: unknown): string | null => {
  if (typeof problem !== 'object' || problem === null) return null;
  const { code, actual, allowed } = problem as Partial<Record<'code' | 'actual' | 'allowed', unknown>>;
  const words = typeof code === 'string' && Object.hasOwn(texts.problems, code) ? texts.problems[code] : undefined;
  const number = (value: number): string => {
    if (code === 'DURATION') return format.duration(value);
    return format.number(code === 'BITRATE' ? value / BITS_PER_MEGABIT : value);
  };
  const show = (value: unknown): string => {
    if (Array.isArray(value)) return format.choice(value.map(String));
    return typeof value === 'number' ? number(value) : String(value);
  };
  return words?.(show(actual), show(allowed)) ?? null;
};

const paramsOf = (texts: ErrorTexts, format: Format, failure: Failure): ErrorParams => {
  const { params = {}, afterMs } = failure;
  const {
    limitBytes,
    ceiling,
    problems,
    scope,
    feature,
    planName,
    trial,
    by,
    action,
    count,
    name,
    system,
    place,
    keyLeftFor,
  } = params;
  const named = (Array.isArray(problems) ? problems : [])
    .map((problem) => problemText(texts, format, problem))
    .filter((words) => words !== null);
  const featureName = text(feature);
  return {
    limit: typeof limitBytes === 'number' ? format.bytes(limitBytes) : null,
    ceiling: ceiling === 'server' ? 'server' : 'plan',
    problems: named.length === 0 ? null : format.list(named),
    scope: text(scope),
    feature: featureName === null ? null : (texts.features[featureName] ?? featureName),
    plan: text((planName as Partial<Record<string, unknown>> | null | undefined)?.[texts.language]),
    trial: trial === 'available' ? 'available' : 'none',
    count: typeof count === 'number' ? count : 0,
    name: text(name),
    keyLeftFor: text(keyLeftFor),
    isRemote: system === 'EREMOTE',
    isDriveAway: isDriveAway(failure),
    isQueued: place === 'queue',
    camera: by === 'missing' || by === 'busy' || by === 'denied' || by === 'gone' ? by : 'failed',
    holder: by === 'snipping-tool' || by === 'desktop' ? by : text(action) === null ? null : 'linkshot',
    wait: afterMs === undefined ? null : format.duration(afterMs / 1000),
  };
};

/** Title and advice of a failure. A code from a newer service reads as an internal error, never as raw data. */
export const describeFailure = (texts: ErrorTexts, format: Format, failure: Failure): ErrorText => {
  const known = Object.hasOwn(texts.codes, failure.code) ? texts.codes[failure.code] : texts.codes.INTERNAL;
  return typeof known === 'function' ? known(paramsOf(texts, format, failure)) : known;
};
