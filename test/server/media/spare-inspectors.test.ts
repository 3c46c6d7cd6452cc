/** The servers of the tests use inspectors in turns: a test file ends once none of them is starting. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { INSPECTOR_SETTINGS } from '../../../src/server/media/start-inspector-process.ts';
import { working } from '../../support/process-state.ts';
import { lendInspector } from '../../support/server/spare-inspectors.ts';
import { countAsStarting, startsDone } from '../../support/server/spares.ts';

it('are waited for while they start, and are left as spares or ended', async () => {
  const before = working();
  let ended = 0;
  // One more than are kept.
  const lent = Array.from({ length: 3 }, async () => {
    const inspector = await lendInspector(INSPECTOR_SETTINGS);
    inspector.kill();
    ended += 1;
  });
  expect(working().length).toBeGreaterThan(before.length);
  await startsDone();
  await setImmediate();
  expect(ended).toBe(3);
  await expect.poll(working).toEqual(before);
  await Promise.all(lent);
});

it('are not waited for once their start has failed', async () => {
  const start = Promise.withResolvers<void>();
  let isDone = false;
  const failed = countAsStarting(start.promise).catch((error: Error) => error.message);
  const done = startsDone().then(() => {
    isDone = true;
  });
  await setImmediate();
  expect(isDone).toBe(false);
  start.reject(new Error('it ended at its start'));
  await done;
  expect(await failed).toBe('it ended at its start');
});
