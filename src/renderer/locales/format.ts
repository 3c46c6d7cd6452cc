/**
 * Formats numbers, sizes, times and dates in the language of the window. Sizes are binary, as the service shows them (1
 * GB = 1024^3 bytes).
 */

import { byteSizeOf } from '../../common/byte-size.ts';
import type { LANGUAGES } from '../../common/ui-languages.ts';

export type Language = (typeof LANGUAGES)[number];

interface Units {
  /** Units of bytes, each 1024 times the one before. */
  readonly sizes: readonly [string, ...string[]];
  readonly perSecond: string;
  readonly seconds: string;
  readonly minutes: string;
  readonly hours: string;
  readonly justNow: string;
}

const UNITS: Record<Language, Units> = {
  en: {
    sizes: ['B', 'KB', 'MB', 'GB', 'TB'],
    perSecond: '/s',
    seconds: 's',
    minutes: 'min',
    hours: 'h',
    justNow: 'just now',
  },
  ru: {
    sizes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'],
    perSecond: '/с',
    seconds: 'с',
    minutes: 'мин',
    hours: 'ч',
    justNow: 'только что',
  },
};

/** Keeps a number and its unit on one line. */
const NO_BREAK = '\u00a0';
const MINUTE = 60;
const HOUR = 60 * MINUTE;

export interface Format {
  readonly bytes: (bytes: number) => string;
  readonly speed: (bytesPerSecond: number) => string;
  /** A duration in seconds with at most two units: "12 s", "3 min", "1 h 5 min". */
  readonly duration: (seconds: number) => string;
  /** A short duration with at most one decimal: "0.8 s". */
  readonly seconds: (seconds: number) => string;
  /** A position in a recording, from milliseconds: "0:42", "1:02:03". */
  readonly clock: (ms: number) => string;
  /** The same with tenths of a second: "0:42.5". */
  readonly fineClock: (ms: number) => string;
  readonly date: (at: Date) => string;
  readonly dateTime: (at: Date) => string;
  readonly time: (at: Date) => string;
  /** With seconds. */
  readonly exactTime: (at: Date) => string;
  /** Age from seconds: "just now", "4 min ago", "2 hr ago". */
  readonly ago: (seconds: number) => string;
  /** What is done of a whole, from 0 to 1, as a percentage rounded down: 0.429 is "42%". */
  readonly percent: (fraction: number) => string;
  /** A factor without an upper limit as a percentage: 1.5 is "150%". */
  readonly factor: (factor: number) => string;
  readonly number: (value: number) => string;
  /** "a, b and c" */
  readonly list: (items: readonly string[]) => string;
  /** "a, b or c" */
  readonly choice: (items: readonly string[]) => string;
}

/** The formats of one language. `tag` names its region ("en-GB"), which decides the date format. */
export const createFormat = (language: Language, tag: string = language): Format => {
  const units = UNITS[language];
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 });
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'short' });
  const exactTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' });
  const list = new Intl.ListFormat(tag, { type: 'conjunction' });
  /** Keeps a date on one line; the time may wrap. */
  const whenOf = (format: Intl.DateTimeFormat, at: Date): string => format.format(at).replaceAll(/(?<!,) /g, NO_BREAK);
  const choice = new Intl.ListFormat(tag, { type: 'disjunction' });

  const bytes = (value: number): string => {
    const { amount, unit } = byteSizeOf(value, units.sizes.length - 1);
    return `${tenths.format(amount)}${NO_BREAK}${units.sizes[unit] ?? units.sizes[0]}`;
  };

  const duration = (seconds: number): string => {
    const rounded = Math.max(1, Math.round(seconds));
    if (rounded < MINUTE) return `${rounded}${NO_BREAK}${units.seconds}`;
    const minutes = Math.round(rounded / MINUTE);
    if (rounded < HOUR && minutes < MINUTE) return `${minutes}${NO_BREAK}${units.minutes}`;
    const hours = Math.floor(minutes / MINUTE);
    const rest = minutes % MINUTE;
    const wholeHours = `${whole.format(hours)}${NO_BREAK}${units.hours}`;
    return rest === 0 ? wholeHours : `${wholeHours}${NO_BREAK}${rest}${NO_BREAK}${units.minutes}`;
  };

  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = (ms: number): string => {
    const whole = Math.floor(Math.max(0, ms) / 1000);
    const [hours, minutes, seconds] = [Math.floor(whole / HOUR), Math.floor(whole / MINUTE) % MINUTE, whole % MINUTE];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  };
  const point = tenths.format(0.5).charAt(1);

  return {
    bytes,
    clock,
    seconds: (value) => `${tenths.format(Math.max(0.1, value))}${NO_BREAK}${units.seconds}`,
    fineClock: (ms) => `${clock(ms)}${point}${Math.floor((Math.max(0, ms) % 1000) / 100)}`,
    speed: (value) => `${bytes(value)}${units.perSecond}`,
    duration,
    date: (at) => whenOf(date, at),
    dateTime: (at) => whenOf(dateTime, at),
    time: (at) => time.format(at),
    exactTime: (at) => whenOf(exactTime, at),
    ago: (seconds) => {
      if (seconds < MINUTE) return units.justNow;
      const [value, unit] =
        seconds < HOUR ? ([seconds / MINUTE, 'minute'] as const) : ([seconds / HOUR, 'hour'] as const);
      // ICU abbreviates English units with a period: "19 min. ago".
      return relative.format(-Math.floor(value), unit).replace('. ago', ' ago');
    },
    // Rounded down, so that 100 % means complete.
    percent: (fraction) => percent.format(Math.floor(Math.min(1, Math.max(0, fraction)) * 100) / 100),
    factor: (value) => percent.format(value),
    number: (value) => tenths.format(value),
    list: (items) => list.format(items),
    choice: (items) => choice.format(items),
  };
};
