/** Ports made of plain Node: what a host gives the engine when it has nothing better of its own. */

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Notifier, Random } from './ports.ts';

export { cut } from './capture/cut.ts';
export { browserOpener } from './profile/browser.ts';
export { openSecrets, sessionSecrets } from './profile/secrets.ts';
export { examineVideoTools } from './video/examine.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

export const systemRandom: Random = { number: () => Math.random(), uuid: () => randomUUID() };

/** For hosts that have no notices. */
export const silentNotifier: Notifier = { linked: () => {} };
