/** What the real S3 stores of the tests have in common. */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import { createS3Client, S3RefusedError, type S3Settings } from '../../../src/server/storage/s3-client.ts';

export interface S3Store {
  /** Of a bucket that exists. */
  readonly settings: S3Settings;
  /** Of its processes. */
  pids(): readonly number[];
  /** Ends all of its processes by SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `kill`. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** Repeats while the store is coming up: its first bucket takes seconds. */
export const createBucket = async (settings: S3Settings): Promise<void> => {
  const client = createS3Client({ settings, clock: systemClock, random: systemRandom, tries: 20 });
  try {
    const { body } = await client.send({ operation: 'create', method: 'PUT', key: null });
    await body.dump();
  } catch (error) {
    // It exists.
    if (!(error instanceof S3RefusedError && error.status === 409)) throw error;
  } finally {
    await client.close();
  }
};

/** Whether it answers HTTP at all. */
export const answersHttp = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.status < 500;
  } catch {
    await sleep(50);
    return false;
  }
};
