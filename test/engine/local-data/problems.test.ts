/** Errors are kept over restarts, bounded and without secrets, until the user dismisses them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failure } from '../../../src/api/errors.ts';
import type { EngineEvent } from '../../../src/engine/engine.ts';
import { PROBLEMS_MAX } from '../../../src/ipc/protocol/commands/error-history.ts';
import { openEngine } from '../../support/engine.ts';
import { must } from '../../support/results.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('engine-problems');

it('is listed again at the next start, each once, and not after it was dismissed', async () => {
  const folder = join(root, 'restart');
  const first = await openEngine(folder);
  first.engine.problem.note({ failure: failure('DISK_FULL', 'no space') });
  first.engine.problem.note({
    failure: failure('NETWORK_FAILED', 'cut off', { params: { name: 'shot.png' }, afterMs: 5 }),
  });
  first.engine.problem.note({ failure: failure('DISK_FULL', 'no space') });
  await first.engine.close();

  const second = await openEngine(folder);
  const events: EngineEvent[] = [];
  second.engine.on((event) => events.push(event));
  const [newest, older, ...others] = must(second.engine.problem.list()).problems;
  expect(newest).toMatchObject({ failure: { code: 'DISK_FULL' }, times: 2 });
  expect(older).toMatchObject({
    failure: { code: 'NETWORK_FAILED', detail: 'cut off', params: { name: 'shot.png' }, afterMs: 5 },
    times: 1,
  });
  expect(others).toEqual([]);
  second.engine.problem.forget({ ids: [newest?.id ?? 0] });
  expect(events).toContainEqual({ type: 'problems', problems: [older] });
  second.engine.problem.forget({ ids: 'all' });
  await second.engine.close();

  const third = await openEngine(folder);
  expect(must(third.engine.problem.list()).problems).toEqual([]);
  await third.engine.close();
});

it('keeps the last hundred, and nothing of a failure that could open a door', async () => {
  const folder = join(root, 'bounds');
  const { engine } = await openEngine(folder);
  for (let number = 0; number < PROBLEMS_MAX + 20; number++)
    engine.problem.note({ failure: failure('APP_FAILED', `${number} ${'x'.repeat(5_000)}`) });
  expect(must(engine.problem.list()).problems).toHaveLength(PROBLEMS_MAX);
  expect(must(engine.problem.list()).problems[0]?.failure.detail).toMatch(/^119 x+$/);
  expect(must(engine.problem.list()).problems[0]?.failure.detail.length).toBeLessThanOrEqual(500);
  engine.problem.forget({ ids: 'all' });

  const key = 'lsk_0123456789abcdefghijABCDEFGHIJ0123456789-_x';
  engine.problem.note({
    failure: failure('APP_FAILED', `GET http://127.0.0.1/?token=abc1&b=2 with Bearer ${key} and ${key}`, {
      params: {
        name: 'a',
        address: 'https://x.example/?password=hush',
        proxy: 'http://anna:quiet@proxy:8080',
        header: `Bearer ${key}`,
        key,
      },
    }),
  });
  engine.problem.note({ failure: failure('APP_FAILED', 'big', { params: { text: 'y'.repeat(5_000) } }) });
  const kept = JSON.stringify(must(engine.problem.list()).problems);
  expect(kept).not.toMatch(/lsk_0|abc1|hush|quiet|yyyy/);
  expect(kept).toContain('&b=2');
  await engine.close();
  expect(readFileSync(join(folder, 'profile.sqlite')).includes(key)).toBe(false);
});

it('is deleted with the history', async () => {
  const { engine } = await openEngine(join(root, 'history'));
  engine.problem.note({ failure: failure('DISK_FULL', 'no space') });
  await engine.profile.clear({ what: 'history' });
  expect(must(engine.problem.list()).problems).toEqual([]);
  await engine.close();
});
