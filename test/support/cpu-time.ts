/** Processor time of this process: a machine that has much else to do changes it little, and waiting not at all. */

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

/**
 * Milliseconds that this thread computes until `work` resolves: nobody was kept waiting for longer than that. What other
 * threads and processes do for it is not counted.
 */
export const threadMsUntil = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
