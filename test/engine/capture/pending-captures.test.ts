/** The event for a capture without a link says where the capture is stored. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { EngineEvent } from '../../../src/engine/engine.ts';
import type { AfterCapture } from '../../../src/ipc/protocol/capture.ts';
import { openEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;

const capture = async (afterCapture: AfterCapture) => {
  const folder = temporaryFolder('kept');
  const { engine } = await openEngine(temporaryFolder('kept-profile'), {
    capturer: paintScreen([{ x: 0, y: 0, width: 12, height: 8 }]),
    clipboard: { writeText: async () => ok(undefined), writePicture: async () => ok(undefined) },
  });
  const keptEvents: Extract<EngineEvent, { type: 'kept' }>[] = [];
  engine.on((event) => {
    if (event.type === 'kept') keptEvents.push(event);
  });
  engine.settings.update({ afterCapture, saveFolder: folder, nameTemplate: 'shot' });
  expect(await engine.capture.start({ mode: 'all' }, never)).toMatchObject({ ok: true });
  return { engine, folder, keptEvents };
};

it('on the clipboard, in a folder, or both', async () => {
  const copied = await capture({ publish: false, copyPicture: true, save: false });
  await eventually(async () =>
    expect(copied.keptEvents).toMatchObject([{ name: 'shot.png', copied: true, savedTo: null }]),
  );
  const both = await capture({ publish: false, copyPicture: true, save: true });
  const savedTo = join(both.folder, 'shot.png');
  await eventually(async () => expect(both.keptEvents).toMatchObject([{ copied: true, savedTo }]));
  expect(existsSync(savedTo)).toBe(true);
});

it('in the folder too where nothing at all was wanted, so that it is found', async () => {
  const { folder, keptEvents } = await capture({ publish: false, copyPicture: false, save: false });
  await eventually(async () =>
    expect(keptEvents).toMatchObject([{ copied: false, savedTo: join(folder, 'shot.png') }]),
  );
});

it('not where its link is notified', async () => {
  const { engine, keptEvents } = await capture({ publish: true, copyPicture: true, save: true });
  await eventually(async () => expect(engine.state().queue.items).toMatchObject([{ origin: 'capture' }]));
  expect(keptEvents).toEqual([]);
});
