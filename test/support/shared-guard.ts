/** A process runs many test files one after another: a file that leaves the process other than it found it fails. */
import { afterAll, beforeAll, expect, vi } from 'vitest';
import './only-the-worker.ts';
import { openFiles, pictureFilesOpen, rememberFacts, rememberLoaded, working } from './process-state.ts';
import { startsDone } from './server/spares.ts';

const changedFacts = rememberFacts();
const worked = working();
const opened = openFiles();
let changedLoaded: ReturnType<typeof rememberLoaded>;

// Once the file and all that it imports is loaded.
beforeAll(() => {
  changedLoaded = rememberLoaded();
});

afterAll(async () => {
  expect(vi.isFakeTimers(), 'the file leaves the timers fake').toBe(false);
  expect([...changedFacts(), ...changedLoaded()], 'the file leaves these changed').toEqual([]);
  expect(await pictureFilesOpen(), 'the file leaves sharp unable to open a picture').toBe(true);
  await startsDone();
  // What was ended has perhaps not ended yet.
  const isDone = () => expect(working(), 'the file leaves processes or servers').toEqual(worked);
  await vi.waitFor(isDone, { timeout: 60_000 });
  // Windows removes no folder with an open file in it.
  await vi.waitFor(
    () =>
      expect(
        openFiles().filter((path) => !opened.includes(path)),
        'the file leaves these open',
      ).toEqual([]),
    { timeout: 60_000 },
  );
});
