/** Snapshots are throttled during transfers, and immediate when the user waits for one. */
import { expect, it } from 'vitest';
import type { EngineState } from '../../src/engine/engine-interface.ts';
import { createEventEmitter } from '../../src/engine/event-emitter.ts';
import { sleepingClock } from '../support/sleeping-clock.ts';
import { makeState } from '../support/window/app-state.ts';

const open = () => {
  const clock = sleepingClock();
  let version = 0;
  const events = createEventEmitter(clock);
  events.start((): EngineState => ({ ...makeState(), version: String(version) }));
  const versions: string[] = [];
  events.on((event) => {
    if (event.type === 'state') versions.push(event.state.version);
  });
  return {
    ...{ clock, events, versions },
    change: (how: 'changed' | 'changedNow' | 'moved') => {
      version += 1;
      events[how]();
    },
  };
};

it('are sent at most ten times a second, and the last one always', async () => {
  const { clock, versions, change } = open();
  change('changed');
  await clock.advance(0);
  for (let times = 0; times < 50; times++) {
    change('moved');
    await clock.advance(10);
  }
  await clock.advance(100);
  expect(versions.length).toBeLessThanOrEqual(7);
  expect(versions.at(-1)).toBe('51');
});

it('are sent immediately where the user waits, even if one was sent a moment ago', async () => {
  const { clock, versions, change } = open();
  change('changed');
  await clock.advance(0);
  change('changed');
  change('changedNow');
  change('changedNow');
  await clock.advance(0);
  // Once for the whole step.
  expect(versions).toEqual(['1', '4']);
});

it('are not sent after the end', async () => {
  const { clock, events, versions, change } = open();
  events.close();
  change('changedNow');
  await clock.advance(200);
  expect(versions).toEqual([]);
});
