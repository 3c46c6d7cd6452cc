/** Measures the processor time of this process, which is nearly independent of the machine's load and of waiting. */

const spentSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Milliseconds of processor time of `work`. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  return spentSince(before);
};

/** Milliseconds of processor time of this process until `work` resolves. */
export const cpuMsUntil = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  return spentSince(before);
};

/**
 * Milliseconds of processor time of this thread until `work` resolves, an upper bound of how long it was blocked. Other
 * threads and processes are not counted.
 */
export const threadMsUntil = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
