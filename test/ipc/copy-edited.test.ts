/** The way of an edited image from a page through the host to the clipboard of the app. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import type { SourceToken } from '../../src/api/ids.ts';
import { openTestHost } from '../support/open-host.ts';
import { paintScreen } from '../support/screen/painted-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();
const SCREEN = { x: 0, y: 0, width: 60, height: 40 };

it('a page copies the image that it has sent, and only such a file', async () => {
  const copied: Uint8Array[] = [];
  const clipboard = {
    writeText: async () => ok(undefined),
    writePicture: async (png: Uint8Array) => ok(void copied.push(png)),
  };
  const folder = temporaryFolder('copy-edited');
  const host = await openTestHost(join(folder, 'profile'), { clipboard, capturer: paintScreen([SCREEN]) });
  const { engine, sources, dispatcher } = host;
  engine.settings.update({ editAfterCapture: true });
  await engine.capture.start({ mode: 'all' }, signal);
  const { capture } = engine.state();
  if (capture?.state !== 'editing') throw new Error('Nothing is in the editor.');
  const before = readdirSync(engine.spoolDir);

  const png = await sharp({ create: { width: 9, height: 7, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const file = async (owner: 'spool' | 'user', name: string): Promise<SourceToken> => {
    const path = join(owner === 'spool' ? engine.spoolDir : folder, name);
    await sharp(png).toFile(path);
    return sources.offer({ source: { owner, path }, name });
  };
  const copy = (picture: SourceToken | null) =>
    dispatcher.dispatch('page', 'capture.copy', { id: capture.id, picture }, signal);

  const token = await file('spool', 'edited.png');
  expect(await copy(token)).toEqual(ok({}));
  expect(await sharp(copied[0]).metadata()).toMatchObject({ width: 9, height: 7 });
  for (const refused of [token, await file('user', 'mine.png')])
    expect(await copy(refused)).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
  expect(await copy(null)).toEqual(ok({}));
  expect(await sharp(copied[1]).metadata()).toMatchObject({ width: 60, height: 40 });
  expect(copied).toHaveLength(2);
  expect(readdirSync(engine.spoolDir)).toEqual(before);
  expect(readdirSync(folder)).toContain('mine.png');
  expect(engine.state().capture).toEqual(capture);
});
