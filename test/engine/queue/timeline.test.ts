/** Timelines contain each event once with its times, over restarts and crashes, and in bounded space. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ErrorCode, failure } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import {
  appendChange,
  type TimelineChange,
  timelineChangesOf,
} from '../../../src/engine/queue/timeline/timeline-reducer.ts';
import { createValidator } from '../../../src/ipc/protocol/create-validator.ts';
import { TIMELINE_EVENTS_MAX, TimelineEvent, type TimelineEventData } from '../../../src/ipc/protocol/timeline.ts';
import { addFile, connectTo, itemOf, openEngine, randomFile, until, wait } from '../../support/engine.ts';
import { modelForEachTest } from '../../support/model-for-each-test.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import type { ModelService } from '../../support/server/model-service.ts';
import { makeItem } from '../../support/window/app-state.ts';

const PART = 2 * 1024 * 1024;
const PATIENCE = 3_600_000;
const isEvent = createValidator(TimelineEvent);
let model: ModelService;
let folder: string;

modelForEachTest('engine-timeline', (fresh, own) => {
  model = fresh;
  folder = own;
});

const ready = async () => {
  const { engine } = await openEngine(join(folder, 'profile'));
  await connectTo(engine, model.url);
  return engine;
};
const facts = (engine: Engine, id: ItemId): readonly TimelineEventData[] => {
  const events = must(engine.queue.timeline({ id })).events;
  expect(events.every(isEvent)).toBe(true);
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
  return events.map(({ data }) => data);
};
const kinds = (engine: Engine, id: ItemId) => facts(engine, id).map(({ kind }) => kind);
const published = async (engine: Engine, id: ItemId) => {
  expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
};
/** Until so many parts have arrived, others wait. */
const holdPartsAfter = (count: number) => {
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  let passed = 0;
  model.interfere = ({ operation }) => {
    if (operation !== 'part') return null;
    passed += 1;
    return passed <= count ? null : { do: 'wait', until: gate.promise };
  };
  return () => {
    model.interfere = () => null;
    gate.resolve();
  };
};
const reached = (engine: Engine, id: ItemId, bytes: number) =>
  until(() => {
    const item = itemOf(engine, id);
    return item?.state === 'started' && item.confirmedBytes >= bytes;
  });

describe('the story of an upload', () => {
  it('covers an item from its first second to the link on the clipboard', async () => {
    const engine = await ready();
    const id = await addFile(engine, randomFile(folder, 'a.png', 3 * PART).path);
    await published(engine, id);
    await until(() => kinds(engine, id).includes('delivered'));
    expect(facts(engine, id)).toEqual([
      { kind: 'added', by: 'window', size: 3 * PART },
      { kind: 'read', size: 3 * PART, parts: 3 },
      { kind: 'begun', keptBytes: 0, size: 3 * PART },
      { kind: 'sent', size: 3 * PART, parts: 3 },
      { kind: 'published' },
      { kind: 'delivered', how: 'copied' },
    ]);
    expect(itemOf(engine, id)).toMatchObject({ isCopied: true });
  });

  it('records what was interrupted, for how long, how many attempts were made, and what was kept', async () => {
    const engine = await ready();
    let isGone = false;
    model.interfere = ({ operation, index }) =>
      operation === 'part' && (isGone || (index ?? 0) >= 4) ? { do: 'break' } : isGone ? { do: 'break' } : null;
    const id = await addFile(engine, randomFile(folder, 'a.png', 8 * PART).path);
    await reached(engine, id, PART);
    isGone = true;
    await until(() =>
      facts(engine, id).some((data) => data.kind === 'interrupted' && data.by === 'network' && data.times > 2),
    );
    expect(facts(engine, id).find(({ kind }) => kind === 'interrupted')).toMatchObject({
      size: 8 * PART,
      until: null,
      failure: { code: 'NETWORK_FAILED' },
    });
    model.interfere = () => null;
    engine.queue.retry({ ids: [id] });
    await published(engine, id);
    const breaks = must(engine.queue.timeline({ id })).events.filter(({ data }) => data.kind === 'interrupted');
    for (const { at, data } of breaks) {
      if (data.kind !== 'interrupted') throw new Error('Only breaks are looked at.');
      expect(data.until).toBeGreaterThanOrEqual(at);
      expect(data.keptBytes % PART).toBe(0);
    }
    expect(kinds(engine, id)).toContain('sent');
  });

  it('distinguishes waits, refused keys and errors that only the user can fix', async () => {
    const engine = await ready();
    model.interfere = ({ operation }) =>
      operation === 'start' ? { do: 'refuse', code: 'UPLOAD_USER_BUSY', retryAfter: '3600' } : null;
    const busy = await addFile(engine, randomFile(folder, 'a.png', 500).path);
    await until(() => kinds(engine, busy).includes('waited'));
    expect(facts(engine, busy).at(-1)).toMatchObject({ kind: 'waited', for: 'limit', until: null });

    model.interfere = ({ operation }) => (operation === 'start' ? { do: 'refuse', code: 'QUOTA_EXCEEDED' } : null);
    engine.queue.retry({ ids: [busy] });
    await until(() => kinds(engine, busy).includes('failed'));
    expect(facts(engine, busy)).toMatchObject([
      { kind: 'added' },
      { kind: 'read' },
      { kind: 'waited', until: expect.any(Number) },
      { kind: 'failed', failure: { code: 'QUOTA_EXCEEDED' }, until: null },
    ]);

    model.keys.clear();
    model.interfere = () => null;
    engine.queue.retry({ ids: [busy] });
    await until(() => facts(engine, busy).some((data) => data.kind === 'waited' && data.for === 'account'));
  });

  it('records pauses of the item and of the whole queue, and changed settings without the password', async () => {
    const engine = await ready();
    const goOn = holdPartsAfter(2);
    const id = await addFile(engine, randomFile(folder, 'a.png', 6 * PART).path);
    await reached(engine, id, PART);
    engine.queue.pause({ ids: [id] });
    engine.queue.pause({ ids: [id] });
    await engine.queue.setShare({ ids: [id], change: { visibility: 'private', password: 'correct horse' } });
    engine.queue.resume({ ids: [id] });
    engine.queue.pauseAll();
    engine.queue.resumeAll();
    goOn();
    await published(engine, id);
    const [first, changed, second, ...rest] = facts(engine, id).filter(
      ({ kind }) => kind === 'paused' || kind === 'changed',
    );
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ kind: 'paused', what: 'item', size: 6 * PART, until: expect.any(Number) });
    expect(changed).toEqual({ kind: 'changed', change: { visibility: 'private' }, password: 'set' });
    expect(second).toMatchObject({ kind: 'paused', what: 'queue', until: expect.any(Number) });
    expect(JSON.stringify(must(engine.queue.timeline({ id })).events)).not.toContain('correct horse');
  });
});

describe('a break', () => {
  const item = makeItem('started', 1, { size: 9 * PART, confirmedBytes: 4 * PART });
  const by = (code: ErrorCode, params = {}) => {
    const error = { failure: failure(code, '', { params }), since: 1, retryAt: 2 };
    return timelineChangesOf(item, { ...item, error });
  };

  it('names its account', () => {
    const interrupted = { kind: 'interrupted', keptBytes: 4 * PART, size: 9 * PART, until: null, times: 1 };
    expect(by('REPLY_TIMEOUT', { slept: true })).toMatchObject([{ ...interrupted, by: 'sleep' }]);
    expect(by('SERVER_UNREACHABLE')).toMatchObject([{ ...interrupted, by: 'network' }]);
    expect(by('INTERNAL')).toMatchObject([{ ...interrupted, by: 'server' }]);
    expect(by('SOURCE_UNREADABLE')).toMatchObject([{ ...interrupted, by: 'file' }]);
    expect(by('APP_FAILED')).toMatchObject([{ ...interrupted, by: 'app' }]);
  });

  it('does not change when only more parts have arrived', () => {
    expect(timelineChangesOf(item, { ...item, confirmedBytes: 5 * PART })).toEqual([]);
  });
});

describe('over the end of the app', () => {
  it('records that Linkshot was closed, for how long, and what was kept', async () => {
    const engine = await ready();
    holdPartsAfter(2);
    const id = await addFile(engine, randomFile(folder, 'a.png', 6 * PART).path);
    await reached(engine, id, 2 * PART);
    await engine.close();
    model.interfere = () => null;
    const again = (await openEngine(join(folder, 'profile'))).engine;
    // Its key was kept in memory only, so that it waits for that next.
    expect(facts(again, id).find(({ kind }) => kind === 'interrupted')).toMatchObject({
      by: 'closed',
      keptBytes: 2 * PART,
      size: 6 * PART,
      until: expect.any(Number),
    });
    await connectTo(again, model.url);
    await published(again, id);
    expect(kinds(again, id).filter((kind) => kind === 'interrupted')).toHaveLength(1);
  });

  it('records a crash at the next start', async () => {
    const engine = await ready();
    holdPartsAfter(2);
    const id = await addFile(engine, randomFile(folder, 'a.png', 6 * PART).path);
    await reached(engine, id, 2 * PART);
    // What a killed process leaves on the disk.
    cpSync(join(folder, 'profile'), join(folder, 'crashed'), { recursive: true });
    const again = (await openEngine(join(folder, 'crashed'))).engine;
    expect(facts(again, id).find(({ kind }) => kind === 'interrupted')).toMatchObject({
      by: 'killed',
      failure: null,
      keptBytes: 2 * PART,
      size: 6 * PART,
      until: expect.any(Number),
    });
  });

  it('records no crash for an item that a command resumed while the app was closed', async () => {
    const engine = await ready();
    holdPartsAfter(2);
    const id = await addFile(engine, randomFile(folder, 'a.png', 6 * PART).path);
    await reached(engine, id, 2 * PART);
    engine.queue.pause({ ids: [id] });
    await engine.close();
    const command = (await openEngine(join(folder, 'profile'), { queue: 'resting' })).engine;
    command.queue.resume({ ids: [id] });
    await command.close();
    // Another one changes nothing about it.
    await (await openEngine(join(folder, 'profile'), { queue: 'resting' })).engine.close();
    const again = (await openEngine(join(folder, 'profile'))).engine;
    const interrupted = facts(again, id).filter(({ kind }) => kind === 'interrupted');
    expect(interrupted).toMatchObject([{ by: 'closed', until: expect.any(Number), times: 1 }]);
  });

  it('records a crash also where a command has looked at the queue since', async () => {
    const engine = await ready();
    holdPartsAfter(2);
    const id = await addFile(engine, randomFile(folder, 'a.png', 6 * PART).path);
    await reached(engine, id, 2 * PART);
    cpSync(join(folder, 'profile'), join(folder, 'crashed'), { recursive: true });
    await (await openEngine(join(folder, 'crashed'), { queue: 'resting' })).engine.close();
    const again = (await openEngine(join(folder, 'crashed'))).engine;
    expect(facts(again, id).find(({ kind }) => kind === 'interrupted')).toMatchObject({ by: 'killed' });
  });

  it('records nothing for items that were not active', async () => {
    const engine = await ready();
    engine.queue.pauseAll();
    const id = await addFile(engine, randomFile(folder, 'a.png', 500).path);
    await engine.close();
    const again = (await openEngine(join(folder, 'profile'))).engine;
    expect(kinds(again, id)).toEqual(['added']);
  });
});

describe('a published item', () => {
  it('whose link is not to be copied was copied only once the user has done so', async () => {
    const engine = await ready();
    must(engine.settings.update({ copyLink: false }));
    const id = await addFile(engine, randomFile(folder, 'a.png', 500).path);
    await until(() => kinds(engine, id).includes('delivered'));
    expect(facts(engine, id).at(-1)).toEqual({ kind: 'delivered', how: 'shown' });
    expect(itemOf(engine, id)).not.toHaveProperty('isCopied');
    await engine.link.copy({ id });
    expect(itemOf(engine, id)).toMatchObject({ isCopied: true });
  });

  it('records what the user does to it, as long as the queue or the library has it', async () => {
    const engine = await ready();
    const id = await addFile(engine, randomFile(folder, 'a.png', 500).path);
    await published(engine, id);
    await until(() => kinds(engine, id).includes('delivered'));
    await engine.link.copy({ id });
    await engine.link.copy({ id });
    expect(facts(engine, id).at(-1)).toMatchObject({ kind: 'copied', times: 2 });
    engine.queue.dismiss({ ids: [id] });
    expect(facts(engine, id).at(-1)).toMatchObject({ kind: 'copied' });
    engine.library.forget({ ids: [id] });
    expect(must(engine.queue.timeline({ id })).events).toEqual([]);
  });

  it('is deleted with an item that was cancelled', async () => {
    const engine = await ready();
    engine.queue.pauseAll();
    const id = await addFile(engine, randomFile(folder, 'a.png', 500).path);
    engine.queue.cancel({ ids: [id] });
    await until(() => itemOf(engine, id) === undefined);
    await wait(20);
    expect(must(engine.queue.timeline({ id })).events).toEqual([]);
  });
});

describe('a very long story', () => {
  const halt = { keptBytes: 0, size: 9, until: null, times: 1 };
  const lost = failure('NETWORK_FAILED', '');
  const news = fc.constantFrom<TimelineChange>(
    { kind: 'changed', change: { oneTime: true } },
    { kind: 'paused', what: 'item', ...halt },
    { kind: 'over', of: 'item' },
    { kind: 'over', of: 'error' },
    { kind: 'interrupted', by: 'network', failure: lost, ...halt },
    { kind: 'failed', failure: { code: 'QUOTA_EXCEEDED', detail: '' }, ...halt },
    { kind: 'deleted' },
    { kind: 'undone' },
  );

  it('keeps its beginning, its newest facts and whatever lasts, and never grows beyond its bound', () => {
    const added: TimelineEvent = { at: 0, data: { kind: 'added', by: 'window', size: 9 } };
    fc.assert(
      fc.property(fc.array(fc.tuple(news, fc.nat(200_000)), { minLength: 250, maxLength: 600 }), (steps) => {
        let now = 0;
        let story: readonly TimelineEvent[] = [added];
        for (const [one, passed] of steps) {
          now += passed;
          story = appendChange(story, one, now);
          expect(story.length).toBeLessThanOrEqual(TIMELINE_EVENTS_MAX);
        }
        expect(story[0]).toEqual(added);
        const sums = story.filter(({ data }) => data.kind === 'summed');
        expect(sums.length).toBeLessThanOrEqual(1);
        const times = story.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        const open = story.filter(({ data }) => 'until' in data && data.until === null && data.kind !== 'paused');
        expect(open.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });

  it('does not grow while a pause lasts that began where the oldest events are joined', () => {
    let story: readonly TimelineEvent[] = [];
    for (let at = 0; at < 20; at++) story = appendChange(story, { kind: 'changed', change: { oneTime: true } }, at);
    story = appendChange(story, { kind: 'paused', what: 'item', ...halt }, 20);
    for (let at = 21; at < 300; at++) story = appendChange(story, { kind: 'changed', change: { oneTime: true } }, at);
    expect(story).toHaveLength(TIMELINE_EVENTS_MAX);
    expect(story.slice(20, 22)).toMatchObject([
      { data: { kind: 'paused', until: null } },
      { at: 21, data: { kind: 'summed', count: 101 } },
    ]);
    expect(story.at(-1)).toMatchObject({ at: 299 });
    // Afterwards the same summary counts on.
    story = appendChange(story, { kind: 'over', of: 'item' }, 300);
    story = appendChange(story, { kind: 'changed', change: { oneTime: true } }, 301);
    expect(story).toHaveLength(TIMELINE_EVENTS_MAX);
    expect(story[21]).toMatchObject({ at: 21, data: { kind: 'summed', count: 102 } });
  });

  it('joins what breaks off again and again to one fact with a count', () => {
    let story: readonly TimelineEvent[] = [];
    for (let at = 0; at < 50_000; at += 1_000) {
      story = appendChange(story, { kind: 'interrupted', by: 'network', failure: lost, ...halt }, at);
      story = appendChange(story, { kind: 'over', of: 'error' }, at + 500);
    }
    expect(story).toMatchObject([{ at: 0, data: { kind: 'interrupted', times: 50, until: 49_500 } }]);
  });
});
