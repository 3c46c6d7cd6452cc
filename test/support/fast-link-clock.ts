/** To this clock every link is fast: how many parts go at once is not decided by a busy machine. */
import { systemClock } from '../../src/engine/node-ports.ts';
import type { Clock } from '../../src/engine/ports.ts';

export const fastLinkClock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() / 100 };
