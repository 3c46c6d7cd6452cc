/**
 * Formats who can open a link, how often and until when, as one sentence: "Anyone with the link, once, until Friday
 * 18:00." Pure.
 */

import { unreachable } from '../../../api/errors.ts';
import type { Locale } from '../../locales/locale.tsx';
import type { Access } from './link-access.ts';

type Words = Pick<Locale, 't' | 'format'>;

const DAY_MS = 86_400_000;
/** More days ahead a weekday would be ambiguous. */
const WEEK_DAYS = 6;

const midnight = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/** "until Friday 18:00", as short as the distance allows. Days are in this computer's time zone. */
const formatUntil = ({ t, format }: Words, until: Date, now: number): string => {
  const words = t.item.access.until;
  const time = format.time(until);
  // Rounded, because a day with a clock change has 23 or 25 hours.
  const days = Math.round((midnight(until) - midnight(new Date(now))) / DAY_MS);
  if (days === 0) return words.today(time);
  if (days === 1) return words.tomorrow(time);
  return days <= WEEK_DAYS ? words.weekday(until.getDay(), time) : words.date(format.dateTime(until));
};

/** `now`: milliseconds since 1970-01-01 UTC. `more`: further conditions of a working link. */
export const accessSentence = (locale: Words, access: Access, now: number, more: readonly string[] = []): string => {
  const { t, format } = locale;
  const words = t.item.access;
  switch (access.state) {
    case 'gone':
      return words.gone;
    case 'deleting':
      return words.deleting;
    case 'expired':
      return words.expired(format.dateTime(access.at));
    case 'held':
      return words.held[access.hold];
    case 'private':
      return sentence([words.onlyYou, access.until && formatUntil(locale, access.until, now), ...more]);
    case 'consumed':
      return access.readableUntil
        ? words.beingRead(format.time(access.readableUntil))
        : words.consumed(format.dateTime(access.at));
    case 'exhausted':
      return words.exhausted(access.limit);
    case 'open': {
      const { who, password, times, download, until } = access;
      return sentence([
        words.who[who][password],
        times === 'once' ? words.once : times && words.times(times.left),
        download === 'off' && words.noDownload,
        until && formatUntil(locale, until, now),
        ...more,
      ]);
    }
    default:
      return unreachable(access);
  }
};

const sentence = (parts: readonly (string | null | false)[]): string => `${parts.filter(Boolean).join(', ')}.`;
