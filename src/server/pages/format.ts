/** Formats sizes, durations, times and days for the pages, in English and Russian. */

import { byteSizeOf } from '../../common/byte-size.ts';
import type { Language } from './messages.ts';

/** Making a formatter takes far longer than using it. */
const remembered = <Names extends readonly string[], Format>(
  make: (...names: Names) => Format,
): ((...names: Names) => Format) => {
  const known = new Map<string, Format>();
  return (...names) => {
    const key = names.join(' ');
    const format = known.get(key) ?? make(...names);
    known.set(key, format);
    return format;
  };
};

const sizeFormat = remembered((language: Language) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }));
const dayFormat = remembered(
  (language: Language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
);
const endFormat = remembered(
  (language: Language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
);
const countFormat = remembered(
  (language: Language, unit: Period[0]) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }),
);

/** Binary units, as the service counts: 1 MB is 1024 x 1024 bytes. */
export const formatSize = (bytes: number, language: Language): string => {
  const units = language === 'ru' ? ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'] : ['B', 'KB', 'MB', 'GB', 'TB'];
  const { amount, unit } = byteSizeOf(bytes, units.length - 1);
  return `${sizeFormat(language).format(amount)}\u00a0${units[unit]}`;
};

/** 1:05 or 1:00:05. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
};

/** The day, in UTC, because the server does not know the reader's clock; a script of share pages shows the reader's day. */
export const formatDay = (time: number, language: Language): string => dayFormat(language).format(time);

const DAY_MS = 86_400_000;

/** Whether the time of day matters, too. */
export const isNear = (end: number, now: number): boolean => end - now < 2 * DAY_MS;

/** The day something ends, with the time if it is near. */
export const formatEnd = (end: number, now: number, language: Language): string => {
  if (!isNear(end, now)) return formatDay(end, language);
  return `${endFormat(language).format(end)} UTC`;
};

/** In seconds; the script of share pages has them too. */
export const PERIODS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
type Period = (typeof PERIODS)[number];

/** The largest unit of which there are at least two; otherwise minutes. */
const periodOf = (seconds: number): Period => PERIODS.find(([, length]) => seconds >= 2 * length) ?? PERIODS[2];

const countOf = (count: number, unit: Period[0], language: Language): string =>
  countFormat(language, unit).format(count);

/** What is left, rounded up, such as "10 minutes", "24 hours" or "30 days"; the script of share pages continues it. */
export const formatTimeLeft = (ms: number, language: Language): string => {
  const seconds = Math.max(0, ms) / 1_000;
  const [unit, length] = periodOf(seconds);
  return countOf(Math.ceil(seconds / length), unit, language);
};

/** Such as "1,200 lines". */
export const plural = (
  language: Language,
  forms: Partial<Record<Intl.LDMLPluralRule, string>>,
): ((count: number) => string) => {
  const rules = new Intl.PluralRules(language);
  const digits = new Intl.NumberFormat(language);
  return (count) => `${digits.format(count)}\u00a0${forms[rules.select(count)] ?? forms.other}`;
};

/** After "в течение". */
const GENITIVE = {
  day: plural('ru', { one: 'дня', other: 'дней' }),
  hour: plural('ru', { one: 'часа', other: 'часов' }),
  minute: plural('ru', { one: 'минуты', other: 'минут' }),
};

/** Such as "10 minutes", "24 hours" or "30 days", at least a minute; in Russian in the genitive. */
export const formatPeriod = (seconds: number, language: Language): string => {
  const [unit, length] = periodOf(seconds);
  const count = Math.max(1, Math.round(seconds / length));
  return language === 'en' ? countOf(count, unit, language) : GENITIVE[unit](count);
};
