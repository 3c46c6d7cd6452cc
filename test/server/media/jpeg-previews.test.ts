/** JPEG previews for chats, while the media inspector has too much to do. */
import { expect, it, onTestFinished } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import type { ServerDeps } from '../../../src/server/deps.ts';
import { createJpegPreviews } from '../../../src/server/media/jpeg-previews.ts';
import { createInspector, type Inspector } from '../../../src/server/media/media-inspector.ts';
import type { StartInspectorProcess } from '../../../src/server/media/start-inspector-process.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';

const PREVIEW = 'a-preview' as ObjectId;
const ACCOUNT = 'an-account' as AccountId;
const BUSY = { status: 503, code: 'UPLOAD_SERVER_BUSY', more: { retryAfterMs: 2_000 } };
const GONE = new Error('The client has gone.');
const never = new AbortController().signal;

/** A store that fetches an object into a scratch file for whoever opens it. */
const fetchingStore = () => {
  const scratch = new Set<symbol>();
  const fetched: ObjectId[] = [];
  const objects = {
    isFetched: true,
    size: async () => 60_000,
    withSealedFile: async (id: ObjectId, use: (file: object) => unknown) => {
      const file = Symbol(id);
      scratch.add(file);
      fetched.push(id);
      try {
        return await use({});
      } finally {
        scratch.delete(file);
      }
    },
  } as unknown as ServerDeps['objects'];
  return { objects, scratch, fetched };
};

/** Previews of a pool of two processes, each of which answers when the test says so, or never. */
const pooled = () => {
  const store = fetchingStore();
  const sent: ((jpeg: string) => void)[] = [];
  const killed: string[] = [];
  const start: StartInspectorProcess = async () => {
    let listener: Parameters<Awaited<ReturnType<StartInspectorProcess>>['listen']>[0] = null;
    let isAlive = true;
    const kill = (): void => {
      if (!isAlive) return;
      isAlive = false;
      killed.push('a process');
      listener?.end();
    };
    return {
      pid: undefined,
      isAlive: () => isAlive,
      send: () =>
        void sent.push((jpeg) => {
          listener?.message({ kind: 'answer', answer: { kind: 'made', bytes: Buffer.from(jpeg) } });
          listener?.message({ kind: 'done', made: null });
        }),
      listen: (next) => {
        listener = next;
      },
      kill,
    };
  };
  const { video, media: limits, fairness } = DEFAULT_CONFIG;
  const inspector = createInspector({ video, imageMegapixels: 40, limits, fairness, clock: systemClock, start });
  const waiting = new Set<AbortSignal>();
  const jpegOf: Inspector['jpegOf'] = async (preview, signal) => {
    waiting.add(signal);
    try {
      return await inspector.jpegOf(preview, signal);
    } finally {
      waiting.delete(signal);
    }
  };
  const previews = createJpegPreviews(store, { jpegOf });
  onTestFinished(async () => {
    previews.close();
    await inspector.close();
  });
  /** A client that asks for a preview; what it got: a JPEG, or an error. */
  const client = (id: string, account: string = ACCOUNT) => {
    const connection = new AbortController();
    const answer = previews
      .of(id as ObjectId, account as AccountId, connection.signal)
      .then(String, (error: unknown) => error);
    return { answer, leave: () => connection.abort(GONE) };
  };
  return { ...store, sent, killed, waiting, client };
};

it('says for how long to wait when the inspector is busy, and converts at the next request', async () => {
  let isBusy = true;
  let asked = 0;
  const jpegOf = async (): Promise<Buffer | null> => {
    asked += 1;
    return isBusy ? null : Buffer.from('a JPEG');
  };
  const previews = createJpegPreviews(fetchingStore(), { jpegOf });
  await expect(previews.of(PREVIEW, ACCOUNT, never)).rejects.toMatchObject(BUSY);
  isBusy = false;
  expect(String(await previews.of(PREVIEW, ACCOUNT, never))).toBe('a JPEG');
  expect(String(await previews.of(PREVIEW, ACCOUNT, never))).toBe('a JPEG');
  expect(asked).toBe(2);
});

it('converts so many of an account and of all at once, and refuses the others until one has ended', async () => {
  const { client, waiting, fetched, scratch, sent, killed } = pooled();
  const clients = Array.from({ length: 200 }, (_, index) => client(`preview-${index}`, `account-${index % 5}`));
  const refused = await Promise.all(clients.slice(64).map(({ answer }) => answer));
  for (const error of refused) expect(error).toMatchObject(BUSY);
  await expect.poll(() => [waiting.size, sent.length]).toEqual([64, 1]);
  // What waits is not in the scratch folder.
  expect([fetched.length, scratch.size]).toEqual([1, 1]);
  for (const { leave } of clients) leave();
  expect(await Promise.all(clients.slice(0, 64).map(({ answer }) => answer))).toEqual(Array(64).fill(GONE));
  await expect.poll(() => [waiting.size, scratch.size]).toEqual([0, 0]);
  expect([fetched.length, killed.length]).toEqual([1, 1]);

  const ofOne = Array.from({ length: 17 }, (_, index) => client(`another-${index}`, 'account-0'));
  expect(await ofOne[16]?.answer).toMatchObject(BUSY);
  const ofOther = client('one-more', 'account-1');
  await expect.poll(() => waiting.size).toBe(17);
  for (const { leave } of [...ofOne, ofOther]) leave();
  await expect.poll(() => [waiting.size, scratch.size]).toEqual([0, 0]);
});

it('serves all clients of a preview from one conversion, which goes on while one of them is there', async () => {
  const { client, fetched, sent, killed } = pooled();
  const [first, second] = [client(PREVIEW), client(PREVIEW)];
  await expect.poll(() => sent.length).toBe(1);
  const other = client('another');
  first.leave();
  expect(await first.answer).toBe(GONE);
  sent[0]?.('a JPEG');
  expect(await second.answer).toBe('a JPEG');
  await expect.poll(() => sent.length).toBe(2);
  sent[1]?.('another JPEG');
  expect([await other.answer, await client(PREVIEW).answer]).toEqual(['another JPEG', 'a JPEG']);
  expect([fetched, killed]).toEqual([[PREVIEW, 'another'], []]);
});

it('keeps one that waits for its turn, whatever else is asked for', async () => {
  const { client, fetched, sent } = pooled();
  client('runs');
  const waits = client(PREVIEW, 'account-0');
  await expect.poll(() => sent.length).toBe(1);
  const others = Array.from({ length: 100 }, (_, index) => client(`preview-${index}`, `account-${index}`));
  const again = client(PREVIEW, 'account-0');
  for (const { leave } of others) leave();
  sent[0]?.('the first');
  await expect.poll(() => sent.length).toBe(2);
  sent[1]?.('a JPEG');
  expect([await waits.answer, await again.answer]).toEqual(['a JPEG', 'a JPEG']);
  expect(fetched).toEqual(['runs', PREVIEW]);
});

it('ends a conversion that waits with its last client, and finishes one that runs for the next', async () => {
  const { client, fetched, sent, killed, waiting } = pooled();
  const runs = client('runs');
  await expect.poll(() => sent.length).toBe(1);
  const waits = [client(PREVIEW), client(PREVIEW)];
  await expect.poll(() => waiting.size).toBe(2);
  for (const { leave } of [runs, ...waits]) leave();
  await expect.poll(() => waiting.size).toBe(1);
  sent[0]?.('a JPEG');
  await expect.poll(() => waiting.size).toBe(0);
  expect(await client('runs').answer).toBe('a JPEG');
  const again = client(PREVIEW);
  await expect.poll(() => sent.length).toBe(2);
  sent[1]?.('another JPEG');
  expect(await again.answer).toBe('another JPEG');
  expect([fetched, killed]).toEqual([['runs', PREVIEW], []]);
});
