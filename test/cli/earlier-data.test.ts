/** Profiles and data folders written by earlier versions open unchanged (`scripts/earlier-data.ts` makes them). */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import type { ItemId } from '../../src/api/ids.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { systemClock } from '../../src/engine/node-ports.ts';
import { openDatabase } from '../../src/engine/profile/database.ts';
import { createTimeline } from '../../src/engine/queue/timeline/timeline-store.ts';
import { openRecordingStore } from '../../src/engine/recording/recording-store.ts';
import { createValidator } from '../../src/ipc/protocol/create-validator.ts';
import { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import type { TimelineEvent } from '../../src/ipc/protocol/timeline.ts';
import { performCommand } from '../support/command-line.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Expected {
  readonly apiKey: string;
  readonly url: string;
  readonly served: readonly { readonly content: Content; readonly sha256: string }[];
  readonly items: readonly unknown[];
  readonly status: readonly unknown[];
  readonly settings: readonly unknown[];
  /** Missing in the first fixture. */
  readonly unprinted?: readonly string[];
  readonly timelines?: Readonly<Record<string, readonly TimelineEvent[]>>;
  readonly recordings?: readonly unknown[];
}

const isItem = createValidator(QueueItem);

/** Names in the files of version 0.1.0 that have changed since. */
const KEYS: Readonly<Record<string, string>> = { fact: 'data', making: 'encoding', numbers: 'params' };
const KINDS: Readonly<Record<string, string>> = { anew: 'restarted', told: 'delivered' };

const renamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    KEYS[key] ?? key,
    key === 'kind' ? (KINDS[inner as string] ?? inner) : renamed(inner),
  ]);
  return Object.fromEntries(entries) as unknown;
};

/** What an archive holds, from its `expected.json`, in the names of today. */
const readExpected = (text: string): Expected => {
  const { timelines, recordings, ...expected } = JSON.parse(text) as Expected;
  return {
    ...expected,
    ...(timelines && { timelines: renamed(timelines) as NonNullable<Expected['timelines']> }),
    ...(recordings && { recordings: renamed(recordings) as readonly unknown[] }),
  };
};

const fixtures = globSync('test/fixtures/data-*.tar.gz', { cwd: resolve(import.meta.dirname, '../..') });

test('they have a timeline with a restart, an item with an error and a recording', async () => {
  const all = await Promise.all(
    fixtures.map(async (path) => {
      const { stdout } = await runProgram('tar', ['-xzOf', resolve(path), 'expected.json']);
      return readExpected(stdout.toString());
    }),
  );
  const events = all.flatMap(({ timelines = {} }) => Object.values(timelines).flat());
  expect(events.map(({ data }) => data.kind)).toContain('restarted');
  expect(all.flatMap(({ status }) => status)).toContainEqual(expect.objectContaining({ error: expect.anything() }));
  expect(all.flatMap(({ recordings = [] }) => recordings)).not.toEqual([]);
});

describe.each(fixtures.map((path) => [basename(path, '.tar.gz'), resolve(path)] as const))('%s', (name, archive) => {
  const folder = join(temporaryFolder('earlier-data'), name);
  let expected: Expected;
  beforeAll(async () => {
    mkdirSync(folder);
    await runProgram('tar', ['-C', folder, '-xzf', archive]);
    expected = readExpected(readFileSync(join(folder, 'expected.json'), 'utf8'));
  });

  // Before the commands below: each recovers interrupted recordings.
  test('the profile has its recordings', async () => {
    const failures: Error[] = [];
    const found = await openRecordingStore(join(folder, 'profile')).list((error) => void failures.push(error));
    expect(failures).toEqual([]);
    expect(found.map(({ info }) => info)).toEqual(expected.recordings ?? []);
  });

  test.each([
    ['items', ['list']],
    ['status', ['status']],
  ] as const)('the profile has its %s', async (what, words) => {
    const { json } = await performCommand([...words, '--json', '--profile', join(folder, 'profile')]);
    expect(json()).toEqual(expected[what]);
  });

  test('the profile has its settings, and defaults for newer ones', async () => {
    const { json } = await performCommand(['config', 'get', '--json', '--profile', join(folder, 'profile')]);
    expect(json()).toEqual(expect.arrayContaining([...expected.settings]));
  });

  test('the profile has its timelines, and the items whose links were not printed', () => {
    const profile = openDatabase(join(folder, 'profile/profile.sqlite'), systemClock);
    if (!profile.ok) throw new Error(profile.error.detail);
    const { database } = profile.value;
    onTestFinished(() => void database.close());
    const timeline = createTimeline({ database }, systemClock);
    for (const [id, events] of Object.entries(expected.timelines ?? {}))
      expect(timeline.of(id as ItemId)).toEqual(events);
    const rows = database.prepare<[], { item: string }>('SELECT item FROM queue ORDER BY position').all();
    const items = rows.map(({ item }) => JSON.parse(item) as QueueItem);
    expect(items.filter((item) => !isItem(item))).toEqual([]);
    expect(items.filter(({ printPending }) => printPending).map(({ id }) => id)).toEqual(
      expected.unprinted ?? [items.at(-1)?.id],
    );
  });

  test('the server serves every item as before', async () => {
    const server: RunningServer = await startServer({ data: join(folder, 'server') });
    try {
      const headers = { authorization: `Bearer ${expected.apiKey}` };
      const served = await Promise.all(
        expected.served.map(async ({ content: { id } }) => {
          const reply = await fetch(`${server.url}/api/v1/content/${id}`, { headers });
          const media = await fetch(`${server.url}/api/media/${id}`, { headers });
          const content = JSON.parse((await reply.text()).replaceAll(server.url, expected.url)) as Content;
          const sha256 = createHash('sha256')
            .update(await media.bytes())
            .digest('hex');
          return { content, sha256 };
        }),
      );
      expect(served).toEqual(expected.served);
      for (const { content } of expected.served)
        expect((await fetch(`${server.url}/s/${content.id}`)).status, content.title).toBe(200);
    } finally {
      await server.stop();
    }
  });
});
