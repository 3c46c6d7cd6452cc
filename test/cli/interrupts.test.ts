/** Requests to end a command: one Ctrl+C counts once, however many times it is delivered. */
import { expect, it } from 'vitest';
import { createInterrupts } from '../../src/cli/input/interrupts.ts';

const open = () => {
  const clock = { now: 10_000 };
  let forced = 0;
  let taken = 0;
  const interrupts = createInterrupts(
    () => clock.now,
    () => void forced++,
  );
  return {
    ...interrupts,
    listen: () => interrupts.take(() => void taken++),
    pass: (milliseconds: number) => {
      clock.now += milliseconds;
    },
    seen: () => ({ isStopped: interrupts.signal.aborted, forced, taken }),
  };
};

it('stops the run at the first request, and ignores the echo that npm delivers', () => {
  const { request, pass, seen } = open();
  request();
  pass(50);
  request();
  expect(seen()).toEqual({ isStopped: true, forced: 0, taken: 0 });
});

it('forces the end at the next request of the user', () => {
  const { request, pass, seen } = open();
  request();
  pass(50);
  request();
  pass(1_000);
  request();
  expect(seen()).toEqual({ isStopped: true, forced: 1, taken: 0 });
});

it('gives a request and its echo to the command that listens, and stops the run at the next one', () => {
  const { request, listen, pass, seen } = open();
  listen();
  request();
  pass(50);
  request();
  expect(seen()).toEqual({ isStopped: false, forced: 0, taken: 1 });
  pass(1_000);
  request();
  pass(50);
  request();
  expect(seen()).toEqual({ isStopped: true, forced: 0, taken: 1 });
});

it('stops the run where the command no longer listens', () => {
  const { request, listen, seen } = open();
  listen()();
  request();
  expect(seen()).toEqual({ isStopped: true, forced: 0, taken: 0 });
});
