/** Processor time of this process: a machine that has much else to do changes it little, and waiting not at all. */
import { performance } from 'node:perf_hooks';

const spentSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Milliseconds that `work` computes. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  return spentSince(before);
};

/** Milliseconds that this process computes until `work` resolves. */
export const cpuMsUntil = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  return spentSince(before);
};

/** The share of the time until `work` resolves in which this thread answers nobody else; 1 where it does all the work itself. */
export const busyShareUntil = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.eventLoopUtilization();
  await work();
  return performance.eventLoopUtilization(before).utilization;
};
