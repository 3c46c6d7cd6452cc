import { describe, expect, it } from 'vitest';
import {
  createFairPool,
  type FairPoolOptions,
  type Outcome,
  type Runner,
} from '../../../src/server/fairness/fair-pool.ts';
import { createUsageLedger } from '../../../src/server/fairness/usage-ledger.ts';
import { createWaitingQueue } from '../../../src/server/fairness/waiting-queue.ts';
import { movableClock } from '../../support/movable-clock.ts';

const never = new AbortController().signal;
const WALL_MS = 600_000;

/** A pool with runners whose processor time and end the test controls. */
const makePool = (options: Partial<FairPoolOptions<string, string>> = {}) => {
  const clock = movableClock();
  const ledger = createUsageLedger(clock, 0.25);
  const running = new Map<string, { readonly end: () => void; readonly die: () => void; used: number }>();
  const began: string[] = [];
  let started = 0;
  const start = async (): Promise<Runner<string, string>> => {
    started += 1;
    let total = 0;
    let current: string | null = null;
    let isAlive = true;
    return {
      run: (task, { answered }) =>
        new Promise((resolve, reject) => {
          began.push(task);
          current = task;
          running.set(task, {
            used: 0,
            end: () => {
              total += running.get(task)?.used ?? 0;
              running.delete(task);
              current = null;
              answered(`${task} done`);
              resolve();
            },
            die: () => {
              running.delete(task);
              reject(new Error('died'));
            },
          });
        }),
      usedMs: () => total + (current === null ? 0 : (running.get(current)?.used ?? 0)),
      stop: () => {
        isAlive = false;
        if (current !== null) running.get(current)?.die();
      },
      isAlive: () => isAlive,
    };
  };
  const limits = { places: 2, waiting: { perOwner: 8, inAll: 16 }, quickMs: 500, heavyDebtMs: 1_000, idleMs: 60_000 };
  const pool = createFairPool<string, string>({ ...limits, start, ledger, ...options });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    stopAll: (): void => {
      for (const { die } of [...running.values()]) die();
    },
    ...{ pool, clock, ledger, began, settle, started: () => started, running: () => [...running.keys()] },
    ask: (owner: string, task: string, { signal = never, aside = false } = {}): Promise<Outcome<string>> =>
      pool.run({ owner, task, wallMs: WALL_MS, aside }, signal),
    /** Sets the processor time of the task. */
    uses: (task: string, ms: number): void => {
      const one = running.get(task);
      if (one !== undefined) one.used = ms;
    },
    end: async (task: string): Promise<void> => {
      running.get(task)?.end();
      await settle();
    },
  };
};

describe('A pool', () => {
  it('serves one task of an owner at a time, and a newcomer before the next of the one that came first', async () => {
    const { ask, began, end, settle } = makePool({ places: 1 });
    for (const number of [1, 2, 3, 4]) void ask('greedy', `greedy ${number}`);
    void ask('other', 'other 1');
    await settle();
    const order = ['greedy 1', 'other 1', 'greedy 2', 'greedy 3', 'greedy 4'];
    for (const task of order) await end(task);
    expect(began).toEqual(order);
  });

  it('lets the owner come first that has cost least, however many tasks the other has sent before', async () => {
    const { ask, began, end, settle, uses } = makePool({ places: 1 });
    for (const number of [1, 2, 3]) void ask('greedy', `greedy ${number}`);
    await settle();
    for (const number of [1, 2]) void ask('other', `other ${number}`);
    uses('greedy 1', 400);
    await end('greedy 1');
    uses('other 1', 100);
    await end('other 1');
    uses('other 2', 100);
    await end('other 2');
    expect(began).toEqual(['greedy 1', 'other 1', 'other 2', 'greedy 2']);
  });

  it('keeps a place for light tasks while heavy ones wait for theirs', async () => {
    const { ask, began, end, running, settle, uses } = makePool();
    void ask('heavy', 'heavy 1');
    await settle();
    uses('heavy 1', 5_000);
    void ask('heavy', 'heavy 2');
    for (let number = 1; number <= 5; number += 1) {
      void ask('light', `light ${number}`);
      await settle();
      expect(running()).toEqual(['heavy 1', `light ${number}`]);
      uses(`light ${number}`, 10);
      await end(`light ${number}`);
    }
    await end('heavy 1');
    expect(began.at(-1)).toBe('heavy 2');
  });

  it('gives two heavy owners one slot: the other is free immediately for a light owner', async () => {
    const { ask, end, ledger, running, settle } = makePool();
    for (const owner of ['a', 'b']) ledger.charge(owner, 5_000);
    const first = ask('a', 'a 1');
    void ask('b', 'b 1');
    await settle();
    expect(running()).toEqual(['a 1']);
    void ask('light', 'light 1');
    await settle();
    expect(running()).toEqual(['a 1', 'light 1']);
    await end('a 1');
    expect(await first).toEqual({ kind: 'answered', answer: 'a 1 done' });
    expect(running()).toEqual(['light 1', 'b 1']);
  });

  it('stops a task that turns out heavy in the light place for a light one, and does it later from its beginning', async () => {
    const { ask, began, end, running, settle, uses } = makePool();
    void ask('a', 'a 1');
    const second = ask('b', 'b 1');
    await settle();
    uses('a 1', 5_000);
    uses('b 1', 5_000);
    void ask('light', 'light 1');
    await settle();
    await settle();
    expect(running()).toEqual(['a 1', 'light 1']);
    await end('a 1');
    await end('b 1');
    expect(await second).toEqual({ kind: 'answered', answer: 'b 1 done' });
    expect(began).toEqual(['a 1', 'b 1', 'light 1', 'b 1']);
  });

  it('leaves a heavy task in the light slot while no other task needs it', async () => {
    const { ask, end, running, settle, uses } = makePool();
    void ask('a', 'a 1');
    void ask('b', 'b 1');
    await settle();
    uses('a 1', 5_000);
    uses('b 1', 5_000);
    void ask('a', 'a 2');
    await settle();
    expect(running()).toEqual(['a 1', 'b 1']);
    await end('a 1');
    await end('b 1');
    expect(running()).toEqual(['a 2']);
  });

  it('does its own work after all else, and never in the light place', async () => {
    const { ask, began, end, ledger, running, settle } = makePool();
    ledger.charge('heavy', 5_000);
    void ask('heavy', 'heavy 1');
    void ask('server', 'preview', { aside: true });
    await settle();
    expect(running()).toEqual(['heavy 1']);
    await end('heavy 1');
    expect(running()).toEqual(['preview']);
    void ask('server', 'asked', {});
    await settle();
    expect(running()).toEqual(['preview', 'asked']);
    expect(began).toEqual(['heavy 1', 'preview', 'asked']);
  });

  it('forgets what an owner has cost as time passes', () => {
    const clock = movableClock();
    const ledger = createUsageLedger(clock, 0.25);
    ledger.charge('a', 10_000);
    clock.advance(20_000);
    expect(ledger.debtOf('a')).toBe(5_000);
    clock.advance(20_001);
    expect([ledger.debtOf('a'), ledger.debtOf('b')]).toEqual([0, 0]);
    ledger.charge('a', 10_000);
    // The clock is set back.
    clock.advance(-86_400_000);
    expect(ledger.debtOf('a')).toBe(0);
  });

  it('rejects a cancelled job, waiting or running, and continues with the others', async () => {
    const { ask, running, settle } = makePool({ places: 1 });
    const [runs, waits] = [new AbortController(), new AbortController()];
    const found = Promise.allSettled([
      ask('a', 'a 1', { signal: runs.signal }),
      ask('b', 'b 1', { signal: waits.signal }),
    ]);
    void ask('c', 'c 1');
    await settle();
    waits.abort(new Error('gone'));
    runs.abort(new Error('gone'));
    expect((await found).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settle();
    expect(running()).toEqual(['c 1']);
  });

  it('drops a task that has waited too long for its turn or its runner, and never a running one', async () => {
    const WAIT_MS = 50;
    const { pool, ask, began, end, running, settle } = makePool({ places: 1 });
    const errand = (task: string) => ({ owner: task, task, wallMs: WALL_MS, waitMs: WAIT_MS });
    const first = pool.run(errand('first'), never);
    const second = pool.run(errand('second'), never);
    expect(await second).toEqual({ kind: 'dropped' });
    // It began earlier than the second has waited.
    expect(running()).toEqual(['first']);
    await end('first');
    expect(await first).toEqual({ kind: 'answered', answer: 'first done' });

    void ask('next', 'next');
    await settle();
    expect(began).toEqual(['first', 'next']);

    const slow = makePool({ start: () => new Promise(() => {}) });
    expect(await slow.pool.run(errand('third'), never)).toEqual({ kind: 'dropped' });
  });

  it('drops what waits and what runs when it is closed', async () => {
    const { ask, pool, settle } = makePool({ places: 1 });
    const all = [ask('a', 'a 1'), ask('b', 'b 1')];
    await settle();
    pool.close();
    expect(await Promise.all(all)).toEqual([{ kind: 'dropped' }, { kind: 'dropped' }]);
    expect(await ask('c', 'c 1')).toEqual({ kind: 'dropped' });
  });

  it('leaves a runner that is ready to light tasks when heavy ones take theirs with them', async () => {
    const { ask, end, ledger, running, settle, started, stopAll } = makePool();
    ledger.charge('heavy', 50_000);
    const [first] = [ask('heavy', 'heavy 1'), ask('heavy', 'heavy 2')];
    await settle();
    // One for the task, and one ready for the next.
    expect(started()).toBe(2);
    stopAll();
    expect(await first).toMatchObject({ kind: 'broke' });
    await settle();
    expect(running()).toEqual(['heavy 2']);
    expect(started()).toBe(3);
    void ask('light', 'light 1');
    await settle();
    expect(running()).toEqual(['heavy 2', 'light 1']);
    expect(started()).toBe(3);
    await end('light 1');
  });

  it('gives a task much more than its limit where the system does not report processor time, and ends it then', async () => {
    /** The duration of its only task; null: forever. */
    const over = (takesMs: number | null): Promise<Outcome<string>> => {
      let stop = (): void => {};
      const runner: Runner<string, string> = {
        run: (task, { answered }) =>
          new Promise((resolve, reject) => {
            stop = () => reject(new Error('died'));
            if (takesMs === null) return;
            setTimeout(() => {
              answered(task);
              resolve();
            }, takesMs);
          }),
        usedMs: () => null,
        stop: () => stop(),
        isAlive: () => true,
      };
      const { pool } = makePool({ start: async () => runner });
      return pool.run({ owner: 'a', task: 'slow', limitMs: LIMIT_MS, wallMs: WALL_MS }, never);
    };
    const LIMIT_MS = 100;
    expect(await over(2 * LIMIT_MS)).toEqual({ kind: 'answered', answer: 'slow' });
    expect(await over(null)).toEqual({ kind: 'too-slow' });
  });

  it('uses the runner that was started ahead', async () => {
    const { ask, end, pool, settle, started } = makePool();
    pool.expect();
    pool.expect();
    void ask('a', 'a 1');
    await settle();
    await end('a 1');
    void ask('a', 'a 2');
    await settle();
    expect(started()).toBe(1);
  });
});

const job = (owner: string) => ({ owner, aside: false });

describe('The next job', () => {
  it('is the oldest one of its account, though the debt shrinks while the queue is read', () => {
    let debt = 1_000;
    const waiting = createWaitingQueue<ReturnType<typeof job>>({ perOwner: 8, inAll: 8 }, () => debt--);
    const jobs = ['a', 'a', 'a'].map(job);
    for (const one of jobs) waiting.add(one);
    expect(waiting.first(() => true)).toBe(jobs[0]);
  });
});

describe('A full queue', () => {
  it('refuses the account that fills it, and takes one job of every other', () => {
    const waiting = createWaitingQueue<ReturnType<typeof job>>({ perOwner: 8, inAll: 8 }, () => 0);
    const greedy = Array.from({ length: 8 }, () => job('greedy'));
    for (const one of greedy) expect(waiting.add(one)).toBeNull();
    const others = Array.from({ length: 7 }, (_, index) => job(`other ${index}`));
    for (const [index, one] of others.entries()) expect(waiting.add(one)).toBe(greedy[7 - index]);
    const last = job('one too many');
    expect(waiting.add(last)).toBe(last);
    expect(waiting.add(job('greedy'))).toMatchObject({ owner: 'greedy' });
  });

  it('refuses jobs over the limit of one account while others have space', () => {
    const waiting = createWaitingQueue<ReturnType<typeof job>>({ perOwner: 2, inAll: 8 }, () => 0);
    const jobs = [job('a'), job('a'), job('a')];
    expect(jobs.map((one) => waiting.add(one))).toEqual([null, null, jobs[2]]);
    expect(waiting.add(job('b'))).toBeNull();
  });
});
