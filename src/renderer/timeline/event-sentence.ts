/**
 * Formats an event of an item's timeline (history): sentence, details and tone. Also formats link settings as text.
 * Pure.
 */

import { unreachable } from '../../api/errors.ts';
import { LIMITS, partCount } from '../../api/limits.ts';
import type { PostPublishSettings } from '../../ipc/protocol/link-settings.ts';
import type { TimelineEvent, TimelineEventDataOf } from '../../ipc/protocol/timeline.ts';
import type { Locale } from '../locales/locale.tsx';

/** `rest`: waiting for an obstacle, or past it. */
type Tone = 'good' | 'plain' | 'rest' | 'bad';

export interface EventSentence {
  readonly sentence: string;
  /** What was kept, and how it continued. */
  readonly more: readonly string[];
  readonly tone: Tone;
}

const SECOND_MS = 1_000;
/** From this number of parts on, the count explains best what an interruption has cost. */
const MANY_PARTS = 3;

type Lasting = TimelineEventDataOf<'interrupted' | 'waited' | 'failed' | 'paused'>;

const lasted = ({ at, data }: TimelineEvent & { readonly data: Lasting }, { format }: Locale): string | null =>
  data.until === null ? null : format.duration((data.until - at) / SECOND_MS);

/** How much of the upload survived an interruption; empty if nothing could be lost. */
const keptOf = (data: Lasting, { t, format }: Locale): readonly string[] => {
  const { keptBytes, size } = data;
  const words = t.timeline;
  if (keptBytes === 0) return [];
  if (keptBytes >= size) return [words.keptAll];
  const count = partCount(size);
  const isKilled = data.kind === 'interrupted' && data.by === 'killed';
  return isKilled && count >= MANY_PARTS
    ? [words.keptParts(Math.floor(keptBytes / LIMITS.partBytes), count)]
    : [words.kept(format.bytes(keptBytes), format.bytes(size))];
};

const triesOf = ({ times }: Lasting, { t }: Locale): readonly string[] => (times > 1 ? [t.timeline.times(times)] : []);

/** Short description of link settings: "anyone with the link, opens once and for a week". */
export const formatSettings = (
  change: PostPublishSettings,
  { t, format }: Locale,
  password?: TimelineEventDataOf<'changed'>['password'],
): string => {
  const words = t.timeline.changes;
  const { title, tags, visibility, oneTime, ttl, expiresAt, viewLimit, allowDownload } = change;
  const phrases: (string | undefined)[] = [
    title === undefined ? undefined : title === '' ? words.noTitle : words.title(title),
    tags === undefined ? undefined : tags.length === 0 ? words.noTags : words.tags(format.list(tags)),
    visibility && words.visibility[visibility],
    oneTime === undefined ? undefined : oneTime ? words.oneTime : words.manyTimes,
    ttl && words.ttl[ttl],
    expiresAt === undefined
      ? undefined
      : expiresAt === null
        ? words.noEnd
        : words.until(format.dateTime(new Date(expiresAt))),
    viewLimit === undefined ? undefined : viewLimit === null ? words.anyViews : words.views(viewLimit),
    allowDownload === undefined ? undefined : allowDownload ? words.download : words.noDownload,
    password === undefined ? undefined : password === 'set' ? words.passwordSet : words.passwordRemoved,
  ];
  return format.list(phrases.filter((one) => one !== undefined));
};

export const eventSentenceOf = (event: TimelineEvent, locale: Locale): EventSentence => {
  const { t, format, failure: describe } = locale;
  const words = t.timeline;
  const { at, data } = event;
  const plain = (sentence: string): EventSentence => ({ sentence, more: [], tone: 'plain' });
  switch (data.kind) {
    case 'added': {
      const by = words.added[data.by];
      return plain(data.size === 0 ? words.withoutSize(by) : words.withSize(by, format.bytes(data.size)));
    }
    case 'made':
      return plain(words.made[data.what](format.bytes(data.fromBytes), format.bytes(data.toBytes)));
    case 'read':
      return plain(words.read(format.bytes(data.size), data.parts));
    case 'begun': {
      const [kept, size] = [format.bytes(data.keptBytes), format.bytes(data.size)];
      return plain(data.keptBytes === 0 ? words.begun(size) : words.continued(kept, size));
    }
    case 'sent':
      return plain(words.sent(format.bytes(data.size), data.parts));
    case 'restarted':
      return plain(words.restarted[data.from]);
    case 'interrupted': {
      const sentence = words.interrupted[data.by](lasted({ at, data }, locale));
      return { sentence, more: [...keptOf(data, locale), ...triesOf(data, locale)], tone: 'rest' };
    }
    case 'waited':
      return { sentence: words.waited[data.for](lasted({ at, data }, locale)), more: [], tone: 'rest' };
    case 'failed': {
      const { title } = describe(data.failure);
      const time = lasted({ at, data }, locale);
      const sentence = words.failed(title.replace(/\.$/, ''));
      return { sentence, more: [...keptOf(data, locale), ...(time === null ? [] : [words.wentOn(time)])], tone: 'bad' };
    }
    case 'paused': {
      const sentence = words.paused[data.what](lasted({ at, data }, locale));
      return { sentence, more: data.keptBytes > 0 ? keptOf(data, locale) : [], tone: 'rest' };
    }
    case 'changed':
      return plain(words.changed(formatSettings(data.change, locale, data.password)));
    case 'published':
      return { ...plain(words.published), tone: 'good' };
    case 'delivered':
      return { ...plain(words.delivered[data.how]), tone: 'good' };
    case 'copied':
      return plain(words.copied(data.times));
    case 'edited':
      return plain(words.edited(data.times));
    case 'deleted':
      return { ...plain(words.deleted), tone: 'rest' };
    case 'undone':
      return plain(words.undone);
    case 'gone':
      return { ...plain(words.gone), tone: 'bad' };
    case 'summed':
      return plain(words.summed(data.count));
    default:
      return unreachable(data);
  }
};
