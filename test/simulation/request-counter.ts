/** Counts requests: no caller may repeat the same request without pauses. */
import type { Sent } from './network.ts';

/** Of one thing (an upload, one of its parts, a key) in a virtual minute. */
const MOST_PER_MINUTE = 40;
const MINUTE = 60_000;

export const createRequestBook = (broken: (promise: string) => void) => {
  const times = new Map<string, number[]>();
  return {
    sent({ at, operation, input }: Sent): void {
      const { id, index } = input.params ?? {};
      const subject = `${operation} ${id ?? input.headers?.['idempotency-key'] ?? ''} ${index ?? ''}`;
      const recent = (times.get(subject) ?? []).filter((time) => time > at - MINUTE);
      recent.push(at);
      times.set(subject, recent);
      if (recent.length === MOST_PER_MINUTE + 1) broken(`${subject} was asked ${recent.length} times in a minute`);
    },
  };
};
