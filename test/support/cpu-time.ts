/** Milliseconds of processor time that this process spent on `work`: the promise holds on a busy machine too. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
