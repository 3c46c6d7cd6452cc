/**
 * How fast this processor computes SHA-256: 0.4 to 2 GB/s, as it has instructions for it or not. It tells processors apart: tus and
 * a bare PUT hash, encrypt and decode nothing, so the ratios to them hold only among processors of about the same speed.
 */
import { hash } from 'node:crypto';

const BYTES = 32 * 1024 * 1024;
const RUNS = 5;
/** Speeds that differ by more are of different processors. */
const TOLERANCE = 0.2;

/** GB/s of one thread, the best of five runs. */
export const hashSpeed = (): number => {
  const bytes = Buffer.alloc(BYTES, 1);
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    hash('sha256', bytes, 'buffer');
    best = Math.min(best, performance.now() - began);
  }
  return Number((BYTES / best / 1e6).toFixed(2));
};

export const isSameProcessor = (speed: number, other: number): boolean =>
  Math.max(speed, other) / Math.min(speed, other) <= 1 + TOLERANCE;
