/** The app's log: each error once, with its time, in the profile folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failure } from '../../src/api/errors.ts';
import type { EngineEvent, EngineState } from '../../src/engine/engine-interface.ts';
import { logErrors, openAppLog } from '../../src/host/app-log.ts';
import { APP_LOG } from '../../src/ipc/protocol/commands/local-data.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a line is echoed, and kept with its time', () => {
  const folder = temporaryFolder('app-log');
  const echoed: string[] = [];
  const log = openAppLog(folder, { now: () => Date.UTC(2026, 10, 23) }, (line) => echoed.push(line));
  log('The first line.');
  expect(echoed).toEqual(['The first line.']);
  expect(readFileSync(join(folder, APP_LOG), 'utf8')).toBe('2026-11-23T00:00:00.000Z The first line.\n');
});

test('an error of an item is logged when it is new, and again when it recurs', () => {
  const lines: string[] = [];
  const stateWith = (code: 'NETWORK_FAILED' | null) =>
    ({
      queue: { items: [{ id: '7', state: 'sent', error: code && { failure: failure(code, 'No connection.') } }] },
      notices: [failure('PROFILE_DAMAGED', 'The library was rebuilt.')],
    }) as unknown as EngineState;
  let emit: (event: EngineEvent) => void = () => {};
  const on = (listener: (event: EngineEvent) => void) => {
    emit = listener;
    return () => {};
  };
  logErrors({ on, state: () => stateWith(null) }, (line) => lines.push(line));
  for (const code of ['NETWORK_FAILED', 'NETWORK_FAILED', null, 'NETWORK_FAILED'] as const)
    emit({ type: 'state', state: stateWith(code) });
  const failed = 'Item 7 (sent): NETWORK_FAILED: No connection.';
  expect(lines).toEqual(['PROFILE_DAMAGED: The library was rebuilt.', failed, failed]);
});
