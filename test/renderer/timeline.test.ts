/** Timelines: every event has a sentence in both languages, grouped by day, with exact times. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failure } from '../../src/api/errors.ts';
import { LANGUAGES } from '../../src/common/ui-languages.ts';
import { TimelineEventData } from '../../src/ipc/protocol/timeline.ts';
import { en } from '../../src/renderer/locales/en.ts';
import { createLocale } from '../../src/renderer/locales/locale.tsx';
import { ru } from '../../src/renderer/locales/ru.ts';
import { eventSentenceOf, formatSettings } from '../../src/renderer/timeline/event-sentence.ts';
import { dayFromNow, daysOf } from '../../src/renderer/timeline/group-by-day.ts';
import { MIB, NOON } from '../support/window/app-state.ts';
import { windowOfFile } from '../support/window/window-of-file.ts';

const CATALOGUES = { en, ru };
const PART = 2 * MIB;
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const lost = failure('NETWORK_FAILED', 'inner words');
const kept = { keptBytes: 19 * PART, size: 31 * PART, times: 1 };

const oneOf = (kind: TimelineEventData['kind']): readonly TimelineEventData[] => {
  const lasting = [null, NOON + 240_000].map((until) => ({ ...kept, until }));
  switch (kind) {
    case 'added':
      return (['window', 'capture', 'recording', 'command', 'found'] as const).map((by) => ({
        kind,
        by,
        size: 5 * MIB,
      }));
    case 'made':
      return (['video', 'image', 'folder'] as const).map((what) => ({ kind, what, fromBytes: 9 * MIB, toBytes: MIB }));
    case 'read':
    case 'sent':
      return [1, 2, 5].map((parts) => ({ kind, size: 5 * MIB, parts }));
    case 'begun':
      return [0, MIB].map((keptBytes) => ({ kind, keptBytes, size: 5 * MIB }));
    case 'restarted':
      return (['source', 'upload'] as const).map((from) => ({ kind, from }));
    case 'interrupted':
      return (['network', 'server', 'file', 'app', 'sleep', 'closed', 'killed'] as const).flatMap((by) =>
        lasting.map((how) => ({ kind, by, failure: lost, ...how })),
      );
    case 'waited':
      return (['server', 'limit', 'offline', 'account'] as const).flatMap((why) =>
        lasting.map((how) => ({ kind, for: why, failure: lost, ...how })),
      );
    case 'failed':
      return lasting.map((how) => ({ kind, failure: failure('QUOTA_EXCEEDED', ''), ...how }));
    case 'paused':
      return (['item', 'queue'] as const).flatMap((what) => lasting.map((how) => ({ kind, what, ...how })));
    case 'changed':
      return [{ kind, change: { visibility: 'private', oneTime: true, ttl: 'week' }, password: 'set' }];
    case 'delivered':
      return (['copied', 'shown'] as const).map((how) => ({ kind, how }));
    case 'copied':
    case 'edited':
      return [1, 3].map((times) => ({ kind, times, last: NOON }));
    case 'summed':
      return [{ kind, count: 21, last: NOON }];
    case 'published':
    case 'deleted':
    case 'undone':
    case 'gone':
      return [{ kind }];
  }
};
const KINDS = TimelineEventData.anyOf.map(({ properties }) => properties.kind.const);

describe.each(LANGUAGES)('in %s', (language) => {
  const locale = createLocale(language, CATALOGUES[language]);

  it.each(KINDS)('%s is a title without a final period, and whole sentences below it', (kind) => {
    for (const data of oneOf(kind)) {
      const { sentence, more } = eventSentenceOf({ at: NOON, data }, locale);
      expect(sentence).toMatch(/[\p{L}\d)”»]$/u);
      for (const words of more) expect(words).toMatch(/[.!?…]$/);
      for (const words of [sentence, ...more]) {
        expect(words).toMatch(/^\p{Lu}|^\d/u);
        expect(words).not.toMatch(/undefined|null|NaN|\[object/);
      }
    }
  });
});

describe('a break', () => {
  const sentenceFor = (data: TimelineEventData, language: (typeof LANGUAGES)[number] = 'en') => {
    const { sentence, more } = eventSentenceOf({ at: NOON, data }, createLocale(language, CATALOGUES[language]));
    return [sentence, more.join(' ')].map(plain);
  };
  const until = NOON + 240_000;

  it('shows how long it took and what was kept', () => {
    const gone = { kind: 'interrupted', by: 'network', failure: lost, ...kept, until } as const;
    expect(sentenceFor(gone)).toEqual(['Interrupted: no network for 4 min', '38 MB of 62 MB was kept.']);
    expect(sentenceFor({ ...gone, until: null, times: 5 })).toEqual([
      'Interrupted: no network',
      '38 MB of 62 MB was kept. 5 attempts.',
    ]);
    expect(sentenceFor(gone, 'ru')).toEqual(['Прервано: сети не было 4 мин', 'Сохранено 38 МБ из 62 МБ.']);
  });

  it('of an end without a word counts the parts', () => {
    const killed = { kind: 'interrupted', by: 'killed', failure: null, ...kept, until } as const;
    expect(sentenceFor(killed)).toEqual(['Linkshot quit unexpectedly and resumed here', '19 of 31 parts were kept.']);
    const large = { ...killed, keptBytes: 1_200 * PART, size: 2_048 * PART };
    expect(sentenceFor(large)[1]).toBe('1,200 of 2,048 parts were kept.');
    expect(sentenceFor(large, 'ru')[1]).toBe('Сохранено 1 200 из 2 048 частей.');
    expect(sentenceFor({ ...killed, keptBytes: PART })[1]).toBe('1 of 31 parts was kept.');
  });

  it('that only the user could fix shows the error, and that it continued', () => {
    const data = { kind: 'failed', failure: failure('QUOTA_EXCEEDED', ''), ...kept, until } as const;
    expect(sentenceFor(data)).toEqual([
      'Stopped: Your account is out of storage',
      '38 MB of 62 MB was kept. Resumed after 4 min.',
    ]);
  });
});

it('settings are listed as far as they are set, and never a password', () => {
  const locale = createLocale('en', en, 'en-GB');
  expect(formatSettings({}, locale)).toBe('');
  expect(
    formatSettings({ visibility: 'unlisted', oneTime: true, viewLimit: 3, allowDownload: false }, locale, 'set'),
  ).toBe('anyone with the link, opens once, 3 views at most, no downloads and with a password');
});

it('events are grouped by the days of this computer', () => {
  const hour = 3_600_000;
  const at = (offset: number) => ({ at: NOON + offset, data: { kind: 'published' } }) as const;
  const days = daysOf([at(-40 * hour), at(-24 * hour), at(0), at(hour)]);
  expect(days.map(({ events }) => events.length)).toEqual([1, 1, 2]);
  expect(days.map(({ begin }) => dayFromNow(begin, NOON))).toEqual([null, 'yesterday', 'today']);
});

describe('in the window', () => {
  let page: Page;
  windowOfFile((opened) => {
    page = opened;
  });

  it('new events show their age, older ones the time of day, and each its exact time', async () => {
    const [old, fresh] = await page.evaluate(() => {
      const { make, double } = window;
      const times = [Date.now() - 30 * 3_600_000, Date.now() - 12 * 60_000];
      double.answer('queue.timeline', () => ({
        events: [
          { at: times[0] ?? 0, data: { kind: 'added', by: 'window', size: 5 * make.MIB } },
          { at: times[1] ?? 0, data: { kind: 'published' } },
        ],
      }));
      double.set({ queue: { items: [make.makeItem('queued', 1)], live: {}, paused: false } });
      return times;
    });
    await page.getByRole('button', { name: 'shot-1.png', exact: true }).click();
    const times = page.getByRole('dialog').locator('time');
    await times.nth(1).waitFor();
    expect(await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))).toEqual(
      [old, fresh].map((at) => new Date(at ?? 0).toISOString()),
    );
    expect(await times.nth(0).innerText()).toMatch(/^\d\d:\d\d$/);
    expect(await times.nth(1).innerText()).toMatch(/^1[2-9] min/);
    expect(await times.nth(0).getAttribute('title')).toMatch(/\d{4}.*\d\d:\d\d:\d\d/);
  });
});
