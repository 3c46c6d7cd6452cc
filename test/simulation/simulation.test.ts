/**
 * Runs the engine's real queue in virtual time against a model of the service, with every kind of fault. A failing seed
 * is printed; `SEED=n npx vitest run test/simulation` replays exactly that run and prints its events.
 */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import { isLong, lengthOf, seedOf } from '../support/campaign.ts';
import { MUTATIONS } from './mutations.ts';
import { FAULTS } from './network.ts';
import { type Outcome, runSeed } from './run.ts';

vi.mock('../../src/api/limits.ts', async (original) => {
  const real = await original<typeof import('../../src/api/limits.ts')>();
  // Parts of 64 bytes: the same work in far less time.
  Object.assign(real.LIMITS, { partBytes: 64 });
  return real;
});

const SEEDS = lengthOf('SEEDS', { short: 40, long: 10_000 });
/** The first one; a long run goes where no run has been. */
const FIRST = isLong ? seedOf(1) : 1;
const SEED = process.env['SEED'];
const isReplay = SEED !== undefined;

/** The report of a failed run: how to reproduce it, what failed, and the end of its trace. */
const reportOf = async ({ seed, broken }: Outcome): Promise<string> => {
  const { trace } = await runSeed(seed, { trace: 'on' });
  return [`SEED=${seed} npx vitest run test/simulation`, ...broken.slice(0, 5), ...trace.slice(-40)].join('\n');
};

if (isReplay) {
  it(`replays seed ${SEED}`, async () => {
    const outcome = await runSeed(Number(SEED), { trace: 'on' });
    console.log(outcome.trace.join('\n'));
    expect(outcome.broken).toEqual([]);
  });
}

describe.skipIf(isReplay)('the queue in virtual time', () => {
  it(`keeps every promise over ${SEEDS} seeds`, { timeout: Math.max(300_000, SEEDS * 1_000) }, async () => {
    const seen = new Map<string, number>();
    const began = performance.now();
    const reports: string[] = [];
    let virtualMs = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS && reports.length < 5; seed++) {
      const outcome = await runSeed(seed);
      if (outcome.broken.length > 0) reports.push(await reportOf(outcome));
      virtualMs += outcome.virtualMs;
      for (const [what, count] of outcome.seen) seen.set(what, (seen.get(what) ?? 0) + count);
    }
    expect(reports.join('\n\n')).toBe('');
    const took = ((performance.now() - began) / 1_000).toFixed(0);
    const counts = [...seen].sort().map(([what, count]) => `${what} ${count}`);
    console.log(
      `${SEEDS} seeds, ${(virtualMs / 3_600_000).toFixed(0)} virtual hours in ${took} s: ${counts.join(', ')}`,
    );
    // A case that is never met is never proven.
    for (const what of [...FAULTS.map((fault) => `fault: ${fault}`), ...MUST_SEE]) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThanOrEqual(SEEDS / 100);
    }
  });

  it('runs the same way for the same seed', async () => {
    for (const seed of [3, 14, 15, 92, 65]) {
      const { trace } = await runSeed(seed, { trace: 'on' });
      expect(trace.length).toBeGreaterThan(20);
      expect((await runSeed(seed, { trace: 'on' })).trace).toEqual(trace);
    }
  });

  it('waits for nothing that real time ends: no file, thread, timer or socket', async () => {
    const kinds = new Set<string>();
    // The test runner reports in this process with timers and messages of its own.
    const own = new AsyncLocalStorage<true>();
    const init = (_: number, kind: string) => void (own.getStore() && kinds.add(kind));
    const hook = createHook({ init, trackPromises: false }).enable();
    await own.run(true, async () => {
      for (const seed of [3, 14]) await runSeed(seed);
    });
    hook.disable();
    expect(kinds).toContain('Immediate');
    expect([...kinds].filter((kind) => !OF_VIRTUAL_TIME.has(kind))).toEqual([]);
  });
});

/** The timeline waits with `setImmediate` until all code waits. */
const OF_VIRTUAL_TIME = new Set(['Immediate', 'TickObject', 'Microtask']);

const MUST_SEE = [
  ...['killed: process', 'killed: power', 'service killed', 'preparation', 'preparation failed', 'act: disk full'],
  ...['act: switch account', 'act: key ends', 'act: cancel', 'act: kill at a write', 'act: edit', 'act: quota'],
  ...['added: file', 'added: capture', 'added: note', 'end: published', 'end: gone', 'end: refused'],
];

describe.skipIf(isReplay)('a broken app is noticed', () => {
  for (const [what, { alter, noticed, firstSeed = 1 }] of Object.entries(MUTATIONS)) {
    it(`when ${what}`, { timeout: 300_000 }, async () => {
      let at = firstSeed;
      let broken: readonly string[] = [];
      for (; at < firstSeed + 400 && !broken.some((promise) => noticed.test(promise)); at++) {
        ({ broken } = await runSeed(at, { alter }));
      }
      expect(broken.join('; '), `not from seed ${firstSeed} to ${at}`).toMatch(noticed);
    });
  }
});
