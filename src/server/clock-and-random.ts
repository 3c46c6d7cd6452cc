/**
 * The interfaces of the clock and the random source that the server's modules depend on, so that tests can replace
 * them, and the system's implementations of both.
 */
import { randomBytes, randomUUID } from 'node:crypto';

export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
}

export interface Random {
  bytes(count: number): Buffer;
  uuid(): string;
}

export const systemClock: Clock = { now: () => Date.now() };
export const systemRandom: Random = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
