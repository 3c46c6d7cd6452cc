/** The action of a hotkey: one at a time, and every failure is reported. */
import { expect, it } from 'vitest';
import { err, type Failure, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { CaptureId, RecordingId } from '../../../src/api/ids.ts';
import { createHotkeyActionRunner } from '../../../src/engine/hotkeys/run-hotkey-action.ts';
import type { CaptureSession } from '../../../src/ipc/protocol/capture.ts';
import type { Recording } from '../../../src/ipc/protocol/recording.ts';

const AREA = { x: 0, y: 0, width: 10, height: 10 };
const WAITING: CaptureSession = { state: 'waiting', mode: 'region', purpose: 'picture', startsAt: 0 };
const ID = '0b0e7a52-5f0a-4c0f-9f43-1de1c3f4b001' as CaptureId;
const PROGRESS = { by: 'app', width: 10, length: 40, canUndo: true, isExact: true, note: null, revision: 1 } as const;
const SCROLLING: CaptureSession = { state: 'scrolling', id: ID, area: AREA, ...PROGRESS };
const EDITING: CaptureSession = { state: 'editing', id: ID, name: 'shot.png', width: 10, height: 10, takenAt: 0 };
const COUNTDOWN: Recording = { state: 'countdown', id: 'id' as RecordingId, area: AREA, startsAt: 0 };
const FINISHING: Recording = { state: 'finishing', id: 'id' as RecordingId };

const openPress = (
  session: CaptureSession | null,
  running: Recording | null,
  outcome: Result<Record<string, never>> | Error = ok({}),
) => {
  const started: unknown[] = [];
  const notices: Failure[] = [];
  const press = createHotkeyActionRunner({
    capture: {
      async start(request) {
        started.push(request);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      async stopScrolling(request) {
        started.push(['stop scrolling', request]);
        return ok({ item: null });
      },
    },
    recording: {
      async stop() {
        started.push('stop');
        return ok({ id: 'id' as RecordingId });
      },
    },
    session: () => session,
    running: () => running,
    notify: (notice) => void notices.push(notice),
  });
  return { press, started, notices };
};
const settled = () => new Promise(setImmediate);

it('each action starts its mode; a recording begins with the choice of a region', () => {
  const { press, started } = openPress(null, null);
  for (const action of ['region', 'window', 'screen', 'all', 'last', 'record'] as const) press(action);
  expect(started).toEqual([
    ...['region', 'window', 'screen', 'all', 'last'].map((mode) => ({ mode })),
    { mode: 'region', purpose: 'recording' },
  ]);
});

it('while a session is open nothing is started', () => {
  const { press, started } = openPress(WAITING, null);
  for (const action of ['region', 'all', 'record'] as const) press(action);
  expect(started).toEqual([]);
});

it('a scrolling capture is stopped by any of them', () => {
  const { press, started } = openPress(SCROLLING, null);
  press('region');
  expect(started).toEqual([['stop scrolling', { id: ID }]]);
});

it('a running recording is stopped by its key, and pictures are taken meanwhile', () => {
  const { press, started } = openPress(null, COUNTDOWN);
  press('record');
  press('all');
  expect(started).toEqual(['stop', { mode: 'all' }]);
});

it.each([
  ['a capture session', WAITING],
  ['the editor', EDITING],
  ['a scrolling capture', SCROLLING],
])('a running recording is stopped by its key while %s is open', (_, session) => {
  const { press, started } = openPress(session, COUNTDOWN);
  press('record');
  expect(started).toEqual(['stop']);
});

it('one that is only being finished is not stopped again', () => {
  const { press, started } = openPress(null, FINISHING);
  press('record');
  expect(started).toEqual([{ mode: 'region', purpose: 'recording' }]);
});

it.each([
  ['CAPTURE_UNAVAILABLE', 1],
  ['DISK_FULL', 1],
  ['CAPTURE_BUSY', 0],
  ['CANCELLED', 0],
] as const)('%s is reported %d times', async (code, times) => {
  const { press, notices } = openPress(null, null, err(failure(code, 'No.')));
  press('all');
  await settled();
  expect(notices.map((notice) => notice.code)).toEqual(Array.from({ length: times }, () => code));
});

it.each([
  ['DISK_FULL', Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })],
  ['APP_FAILED', new Error('A bug.')],
] as const)('a capture that throws is reported as %s', async (code, error) => {
  const { press, notices } = openPress(null, null, error);
  press('all');
  await settled();
  expect(notices.map((notice) => notice.code)).toEqual([code]);
});
