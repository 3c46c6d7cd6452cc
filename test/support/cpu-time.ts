/**
 * Measures the processor time of this process, which is nearly independent of the machine's load and of waiting. Its
 * milliseconds are those of one processor: on a slower one a test's bound stays the same.
 */
import { deflateRawSync } from 'node:zlib';
import { seededRandom } from './seeded-random.ts';

/** Strings, maps, patterns and compression: what servers spend their time on. */
const measureWork = (): number => {
  const before = process.cpuUsage();
  const random = seededRandom(1);
  const counts = new Map<string, number>();
  for (let index = 0; index < 400_000; index++) {
    const key = `folder/${Math.floor(random() * 5_000)}/file`;
    if (/^folder\/(\d+)[^x]*e$/.test(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  deflateRawSync(JSON.stringify([...counts].map(([key, count]) => [key, count, random()])));
  return process.cpuUsage(before).user / 1_000;
};

/** What the work takes on the processor that the bounds are written for: an Intel Xeon of 2.5 GHz. */
const REFERENCE_MS = 150;
let slowness: number | null = null;

/** How many times as long as on the reference processor this one takes; measured once in a process, before what it is for. */
const measuredSlowness = (): number => {
  slowness ??= Math.min(measureWork(), measureWork(), measureWork()) / REFERENCE_MS;
  return slowness;
};

/** Milliseconds of the reference processor; `user` and `system` are microseconds of this one. */
const inReferenceMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000 / measuredSlowness();

/** Milliseconds of processor time of `work`. */
export const cpuMs = (work: () => unknown): number => {
  measuredSlowness();
  const before = process.cpuUsage();
  work();
  return inReferenceMs(process.cpuUsage(before));
};

/** Milliseconds of processor time of this process until `work` resolves. */
export const cpuMsUntil = async (work: () => Promise<unknown>): Promise<number> => {
  measuredSlowness();
  const before = process.cpuUsage();
  await work();
  return inReferenceMs(process.cpuUsage(before));
};

/**
 * The longest time for which `work` blocked this thread until it resolved, in milliseconds of processor time. Other threads
 * and processes are not counted; a collection of garbage is, but only where it falls into that time.
 */
export const longestBlockMs = async (work: () => Promise<unknown>): Promise<number> => {
  measuredSlowness();
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    longest = Math.max(longest, inReferenceMs(process.threadCpuUsage(before)));
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longest;
};
