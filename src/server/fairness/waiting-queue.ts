/**
 * The queue of waiting jobs. The next job is the oldest one of the account that has recently used the least processor
 * time (`usage-ledger.ts`); jobs marked `aside`, such as the server's own, come last. A new job is refused where its
 * account has too many that wait; in a full queue, either it or the newest job of the account with the most waiting
 * jobs is refused.
 */

export interface Waiter {
  readonly owner: string;
  /** After everything else, and outside of the limits. */
  readonly aside: boolean;
}

export interface WaitingLimits {
  readonly perOwner: number;
  readonly inAll: number;
}

export interface WaitingQueue<Job extends Waiter> {
  /** The job to reject: this one, the newest of the owner that fills the queue, or null. */
  add(job: Job): Job | null;
  /** Returns a job to the queue, regardless of the limits. */
  putBack(job: Job): void;
  /** False: the job is not in the queue. */
  remove(job: Job): boolean;
  /** The next job among those that `mayRun`; it stays in the queue. */
  first(mayRun: (job: Job) => boolean): Job | undefined;
  /** Removes all jobs. */
  clear(): readonly Job[];
}

export const createWaitingQueue = <Job extends Waiter>(
  { perOwner, inAll }: WaitingLimits,
  debtOf: (owner: string) => number,
): WaitingQueue<Job> => {
  const jobs: Job[] = [];

  const remove = (job: Job): boolean => {
    const place = jobs.indexOf(job);
    if (place >= 0) jobs.splice(place, 1);
    return place >= 0;
  };

  /** Number of counted jobs per owner. */
  const counts = (): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const { owner, aside } of jobs) if (!aside) found.set(owner, (found.get(owner) ?? 0) + 1);
    return found;
  };

  /** The newest job of the owner with the most, if that owner has more than the new job's owner would have. */
  const displaced = (counted: ReadonlyMap<string, number>, newcomer: Job): Job => {
    const [fullest, most] = [...counted].reduce((found, entry) => (entry[1] > found[1] ? entry : found));
    const own = (counted.get(newcomer.owner) ?? 0) + 1;
    return (most > own && jobs.findLast(({ owner, aside }) => owner === fullest && !aside)) || newcomer;
  };

  return {
    add: (job) => {
      if (!job.aside) {
        const counted = counts();
        if ((counted.get(job.owner) ?? 0) >= perOwner) return job;
        if ([...counted.values()].reduce((sum, count) => sum + count, 0) >= inAll) {
          const rejected = counted.size === 0 ? job : displaced(counted, job);
          if (rejected === job) return job;
          remove(rejected);
          jobs.push(job);
          return rejected;
        }
      }
      jobs.push(job);
      return null;
    },
    putBack: (job) => void jobs.unshift(job),
    remove,
    first: (mayRun) => {
      // Debts shrink with time: read twice, that of the later job would be smaller.
      const debts = new Map<string, number>();
      let best: { readonly job: Job; readonly debt: number } | undefined;
      for (const job of jobs) {
        if (!mayRun(job)) continue;
        const debt = debts.get(job.owner) ?? debtOf(job.owner);
        debts.set(job.owner, debt);
        const isBetter = best === undefined || (job.aside === best.job.aside ? debt < best.debt : best.job.aside);
        if (isBetter) best = { job, debt };
      }
      return best?.job;
    },
    clear: () => jobs.splice(0),
  };
};
