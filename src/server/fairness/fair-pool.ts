/**
 * Shares a few slots, each with a process or a thread, fairly between the tasks of many owners: an owner has at most
 * one task running, not counting those marked `aside`, and a task that exceeds its time limits is stopped. With two
 * slots or more, one is reserved for light tasks: a task that proves heavy there is stopped when a light one waits, and
 * runs again in another slot. All tasks of owners with high recent usage count as heavy.
 */
import { onAbort } from '../../base/common/on-abort.ts';
import { timerDelay } from '../timer-delay.ts';
import type { UsageLedger } from './usage-ledger.ts';
import { createWaitingQueue, type WaitingLimits } from './waiting-queue.ts';

/** The result of a task. */
export type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** It was not started, or not completed, and may be retried. */
  | { readonly kind: 'dropped' }
  /** The runner died on it: out of memory, or its decoder crashed. */
  | { readonly kind: 'broke'; readonly error: unknown }
  | { readonly kind: 'too-slow' };

interface Progress<Answer> {
  /** The caller need not wait for the end of the task. */
  answered(answer: Answer): void;
  /** The task may use this much processor time in total. */
  allow(limitMs: number): void;
}

/** A process or thread that runs one task at a time. */
export interface Runner<Task, Answer> {
  /** Resolves at the end of the task; rejects when the runner has died on it. */
  run(task: Task, progress: Progress<Answer>): Promise<void>;
  /**
   * Milliseconds of processor time since the start, including its child processes; null if the system does not report
   * it.
   */
  usedMs(): number | null;
  stop(): void;
  isAlive(): boolean;
}

/** Calls `run` with the task once it can begin, and tidies up when that has settled. */
export type Prepare<Task> = (run: (task: Task) => Promise<void>, signal: AbortSignal) => Promise<void>;

interface Errand<Task> {
  readonly owner: string;
  /** Or what prepares it once it has a slot: outside of the limits, which are those of the task itself. */
  readonly task: Task | { readonly prepare: Prepare<Task> };
  /** Limit of processor time, until `Progress.allow` changes it. Without: only `wallMs` applies. */
  readonly limitMs?: number;
  /** Limit of wall-clock time of the task itself, however busy the machine is. */
  readonly wallMs: number;
  /** Limit of wall-clock time until the task begins; then it is dropped. Without: it waits for as long as it takes. */
  readonly waitMs?: number;
  /** After everything else, and with several slots never in all of them. */
  readonly aside?: boolean;
  /** Known to be heavy before it begins. */
  readonly heavy?: boolean;
}

export interface FairPool<Task, Answer> {
  /** Rejects with the signal's reason when it aborts, and when no runner can be started. */
  run(errand: Errand<Task>, signal: AbortSignal): Promise<Outcome<Answer>>;
  /** A task will arrive soon: starts a runner in advance, which takes longer than most tasks. */
  expect(): void;
  /** Stops all runners; waiting and running tasks are dropped. */
  close(): void;
}

export interface FairPoolOptions<Task, Answer> {
  readonly places: number;
  /** Resolves once it can accept a task. */
  readonly start: () => Promise<Runner<Task, Answer>>;
  readonly ledger: UsageLedger;
  readonly waiting: WaitingLimits;
  /** A longer task is heavy. */
  readonly quickMs: number;
  /** An owner with a larger debt is heavy. */
  readonly heavyDebtMs: number;
  /** A runner that is idle for this long is stopped, so that its memory returns to the system. */
  readonly idleMs: number;
}

interface Job<Task, Answer> {
  readonly owner: string;
  readonly aside: boolean;
  readonly errand: Errand<Task>;
  /** It was stopped in the light slot once. */
  beganBefore: boolean;
  /** The caller has its result. */
  isOver: boolean;
  /** Ends the wait; none while the task runs. */
  waitTimer: NodeJS.Timeout | undefined;
  readonly settle: (outcome: Outcome<Answer>) => void;
  readonly fail: (error: unknown) => void;
}

interface Run<Task, Answer> {
  readonly job: Job<Task, Answer>;
  runner: Runner<Task, Answer> | null;
  /** Ends its preparation. */
  readonly stop: AbortController;
  usedBefore: number | null;
  startedAt: number;
  /** Processor time of the task at the last check. */
  seenMs: number;
  isHeavy: boolean;
  limitMs: number;
  /** The meaning of the runner's end when it was stopped on purpose. */
  stopped: 'dropped' | 'too-slow' | 'again' | null;
  timer: NodeJS.Timeout | undefined;
}

/** Reading the processor time costs a read of a small file. */
const CHECK_AT_LEAST_MS = 10;
/**
 * Where the system does not report processor time, a busy machine may take this many times as long for a valid file.
 */
const UNMEASURED_FACTOR = 20;
/** Minimum cost of a task that is too quick for the system to measure. */
const COST_AT_LEAST_MS = 1;

const isPrepared = <Task extends object | string>(
  task: Task | { readonly prepare: Prepare<Task> },
): task is { readonly prepare: Prepare<Task> } => typeof task === 'object' && 'prepare' in task;

export const createFairPool = <Task extends object | string, Answer>(
  options: FairPoolOptions<Task, Answer>,
): FairPool<Task, Answer> => {
  const { places, ledger, quickMs, heavyDebtMs, idleMs } = options;
  const heavyPlaces = Math.max(1, places - 1);
  const waiting = createWaitingQueue<Job<Task, Answer>>(options.waiting, ledger.debtOf);
  const runs = new Set<Run<Task, Answer>>();
  const resting: Runner<Task, Answer>[] = [];
  /** A runner started in advance. */
  let ahead: Promise<Runner<Task, Answer> | null> | null = null;
  let idle: NodeJS.Timeout | undefined;
  /**
   * The previous task's runner was stopped; a heavy one now may stop one too, and takes none that a light one could
   * use.
   */
  let wasStopped = false;
  let closed = false;

  const endResting = (): void => {
    for (const runner of resting.splice(0)) runner.stop();
  };

  const rest = (runner: Runner<Task, Answer>): void => {
    if (closed) runner.stop();
    else if (runner.isAlive()) resting.push(runner);
  };

  const rested = (): Runner<Task, Answer> | undefined => {
    for (let runner = resting.pop(); runner !== undefined; runner = resting.pop()) if (runner.isAlive()) return runner;
    return undefined;
  };

  const acquireRunner = async (mayHaveTheLast: boolean): Promise<Runner<Task, Answer>> => {
    if (!mayHaveTheLast && resting.length < 2) return options.start();
    const there = rested();
    if (there !== undefined) return there;
    const coming = ahead;
    ahead = null;
    const came = await coming;
    return came?.isAlive() ? came : options.start();
  };

  /** Processor time of the task, or elapsed time if the system does not report it. */
  const usedBy = (run: Run<Task, Answer>): number => {
    const { runner, usedBefore, startedAt } = run;
    const used = runner?.usedMs() ?? null;
    if (usedBefore === null) run.seenMs = performance.now() - startedAt;
    else if (used !== null) run.seenMs = used - usedBefore;
    return run.seenMs;
  };

  const heavyRuns = (): number => [...runs].filter(({ isHeavy }) => isHeavy).length;
  const isHeavy = (job: Job<Task, Answer>): boolean =>
    job.aside || job.errand.heavy === true || job.beganBefore || ledger.debtOf(job.owner) > heavyDebtMs;
  const isServed = (job: Job<Task, Answer>): boolean =>
    !job.aside && [...runs].some((run) => !run.job.aside && run.job.owner === job.owner);

  const stopRun = (run: Run<Task, Answer>, meaning: NonNullable<Run<Task, Answer>['stopped']>): void => {
    run.stopped ??= meaning;
    if (run.runner === null) run.stop.abort();
    else run.runner.stop();
  };

  /** Marks tasks as heavy, as far as heavy slots are free. */
  const promote = (): void => {
    for (const run of runs) {
      if (heavyRuns() >= heavyPlaces) return;
      if (!run.isHeavy && run.runner !== null && usedBy(run) >= quickMs) run.isHeavy = true;
    }
  };

  /** Stops a heavy task in the last slot for a waiting light one. */
  const stopHeavyTask = (): void => {
    if (places < 2 || waiting.first((job) => !isHeavy(job) && !isServed(job)) === undefined) return;
    const inTheWay = [...runs].find((run) => !run.isHeavy && run.runner !== null && usedBy(run) >= quickMs);
    if (inTheWay !== undefined) stopRun(inTheWay, 'again');
  };

  const awaitTurn = (job: Job<Task, Answer>): void => {
    const { waitMs } = job.errand;
    if (waitMs === undefined) return;
    const drop = (): void => {
      const run = [...runs].find((one) => one.job === job);
      if (run === undefined) waiting.remove(job);
      else stopRun(run, 'dropped');
      job.settle({ kind: 'dropped' });
    };
    job.waitTimer = setTimeout(drop, waitMs).unref();
  };

  const startAhead = (): void => {
    if (closed || resting.length > 0 || ahead !== null || runs.size >= places) return;
    // An error belongs to the job that needs the runner.
    const started = options.start().catch(() => null);
    ahead = started;
    void started.then((runner) => {
      if (ahead !== started) return;
      ahead = null;
      if (runner !== null) rest(runner);
      schedule();
    });
  };

  const schedule = (): void => {
    if (closed) return;
    promote();
    while (runs.size < places) {
      const job = waiting.first((one) => !isServed(one) && (!isHeavy(one) || heavyRuns() < heavyPlaces));
      if (job === undefined) break;
      waiting.remove(job);
      void perform(job);
    }
    if (runs.size >= places) stopHeavyTask();
    // Tasks that arrive while a heavy one runs should not wait for a runner's start either.
    if (heavyRuns() > 0) startAhead();
    clearTimeout(idle);
    if (runs.size === 0) idle = setTimeout(endResting, idleMs).unref();
  };

  const look = (run: Run<Task, Answer>): void => {
    const used = usedBy(run);
    const limitMs = run.usedBefore === null ? run.limitMs * UNMEASURED_FACTOR : run.limitMs;
    if (used >= limitMs) {
      stopRun(run, 'too-slow');
      return;
    }
    if (used >= quickMs && !run.isHeavy) schedule();
    const next = used < quickMs ? Math.min(quickMs, limitMs) : limitMs;
    if (next !== Number.POSITIVE_INFINITY)
      run.timer = setTimeout(look, timerDelay(Math.max(CHECK_AT_LEAST_MS, next - used)), run).unref();
  };

  const outcomeOf = (run: Run<Task, Answer>, error: unknown): Outcome<Answer> => {
    if (closed || run.stopped === 'dropped') return { kind: 'dropped' };
    return run.stopped === 'too-slow' ? { kind: 'too-slow' } : { kind: 'broke', error };
  };

  const work = async (run: Run<Task, Answer>, runner: Runner<Task, Answer>, task: Task): Promise<void> => {
    const { errand, settle } = run.job;
    clearTimeout(run.job.waitTimer);
    Object.assign(run, { runner, usedBefore: runner.usedMs(), startedAt: performance.now() });
    const wall = setTimeout(stopRun, errand.wallMs, run, 'too-slow');
    look(run);
    try {
      await runner.run(task, {
        answered: (answer) => settle({ kind: 'answered', answer }),
        allow: (limitMs) => {
          run.limitMs = limitMs;
        },
      });
      wasStopped = false;
      rest(runner);
    } catch (error) {
      wasStopped = true;
      runner.stop();
      if (run.stopped === 'again' && !run.job.isOver && !closed) {
        run.job.beganBefore = true;
        waiting.putBack(run.job);
        awaitTurn(run.job);
      } else settle(outcomeOf(run, error));
    } finally {
      clearTimeout(wall);
      clearTimeout(run.timer);
      ledger.charge(run.job.owner, Math.max(COST_AT_LEAST_MS, usedBy(run)));
    }
  };

  const begin = async (run: Run<Task, Answer>, task: Task): Promise<void> => {
    const runner = await acquireRunner(!run.isHeavy || !wasStopped);
    if (closed || run.stopped !== null) {
      rest(runner);
      run.job.settle({ kind: 'dropped' });
    } else await work(run, runner, task);
  };

  const perform = async (job: Job<Task, Answer>): Promise<void> => {
    const run: Run<Task, Answer> = {
      ...{ job, runner: null, usedBefore: null, startedAt: 0, seenMs: 0, isHeavy: isHeavy(job) },
      ...{ limitMs: job.errand.limitMs ?? Number.POSITIVE_INFINITY, stopped: null, timer: undefined },
      stop: new AbortController(),
    };
    runs.add(run);
    try {
      const { task } = job.errand;
      if (isPrepared(task)) await task.prepare((ready) => begin(run, ready), run.stop.signal);
      else await begin(run, task);
    } catch (error) {
      if (closed || run.stopped !== null) job.settle({ kind: 'dropped' });
      else job.fail(error);
    } finally {
      runs.delete(run);
      schedule();
    }
  };

  return {
    run: (errand, signal) =>
      new Promise((resolve, reject) => {
        if (closed) {
          resolve({ kind: 'dropped' });
          return;
        }
        const abort = (): void => {
          const run = [...runs].find((one) => one.job === job);
          if (run === undefined) waiting.remove(job);
          // The caller has its result; the rest of the task is for the server itself.
          else if (!job.isOver) stopRun(run, 'dropped');
          job.fail(signal.reason);
        };
        const finish = (): void => {
          job.isOver = true;
          clearTimeout(job.waitTimer);
          unfollow();
        };
        const job: Job<Task, Answer> = {
          ...{ owner: errand.owner, aside: errand.aside ?? false, errand, beganBefore: false, isOver: false },
          waitTimer: undefined,
          settle: (outcome) => {
            finish();
            resolve(outcome);
          },
          fail: (error) => {
            finish();
            reject(error);
          },
        };
        const unfollow = onAbort(signal, abort);
        awaitTurn(job);
        waiting.add(job)?.settle({ kind: 'dropped' });
        schedule();
      }),
    expect: startAhead,
    close: () => {
      closed = true;
      clearTimeout(idle);
      for (const job of waiting.clear()) job.settle({ kind: 'dropped' });
      for (const run of runs) stopRun(run, 'dropped');
      endResting();
    },
  };
};
