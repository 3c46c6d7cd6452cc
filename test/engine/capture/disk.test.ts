/**
 * On a full disk a capture reports DISK_FULL, and the frozen screen stays open until the selection can be saved. What is
 * queued stays queued with its picture.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { smallDatabase } from '../../faults/small-disk.ts';
import { openEngine } from '../../support/engine.ts';
import { only } from '../../support/results.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const AREA = { x: 0, y: 0, width: 200, height: 150 };

/** A disk of 1 MiB that is full. Null where this process may not mount. */
const tinyDisk = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'linkshot-test', folder], { stdio: 'pipe' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' }));
  const ballast = join(folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(1024 * 1024));
  return { makeRoom: () => rmSync(ballast) };
};

it('is DISK_FULL, leaves no half picture, and can be chosen again', async ({ skip }) => {
  const profileDir = temporaryFolder('capture-disk');
  const disk = tinyDisk(join(profileDir, 'spool'));
  if (!disk) return skip('this process may not mount a small disk');
  const screen = paintScreen([AREA]);
  const { engine } = await openEngine(profileDir, { capturer: screen, environment: {} });
  await engine.capture.start({ mode: 'region' }, never);
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error('The screen is not frozen.');
  const choose = () =>
    engine.capture.choose({ id: capture.id, area: AREA, way: 'publish' }, never).then((reply) => only(reply, 'item'));

  expect(await choose()).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } });
  expect(engine.state().capture).toEqual(capture);
  expect(readdirSync(engine.spoolDir)).toEqual(['ballast']);
  expect(engine.capture.frame(capture.id, 1)).not.toBeNull();

  disk.makeRoom();
  expect(await choose()).toMatchObject({ ok: true });
  expect(engine.state().capture).toBeNull();
  const [item] = engine.state().queue.items;
  const rgb = await sharp(item?.source.path).raw().toBuffer();
  expect(rgb.equals(screen.expected(AREA))).toBe(true);
});

it.each([
  ['', {}],
  [' with a password', { password: 'quiet otter 7' }],
])('an edited picture%s that is queued when the disk becomes full keeps its file', async (_, share) => {
  const profileDir = temporaryFolder('capture-disk-edited');
  const disk = smallDatabase();
  const ports = { capturer: paintScreen([AREA]), environment: {} };
  const { engine } = await openEngine(profileDir, ports, (real) => ({
    ...real,
    profile: disk.holdingUntilQueued(real.profile, 'edited.png'),
  }));
  engine.settings.update({ editAfterCapture: true });
  await engine.capture.start({ mode: 'all' }, never);
  const { capture } = engine.state();
  if (capture?.state !== 'editing') throw new Error('The editor is closed.');
  const picture = join(engine.spoolDir, 'edited.png');
  await sharp({ create: { ...{ width: 200, height: 150 }, channels: 3, background: 'red' } })
    .png()
    .toFile(picture);
  const after = { publish: true, copyPicture: false, save: false };
  expect(await engine.capture.finish({ id: capture.id, picture, after, share }, never)).toMatchObject({ ok: true });
  expect(engine.state()).toMatchObject({ capture: null, queue: { items: [{ source: { path: picture } }] } });
  expect(existsSync(picture)).toBe(true);
});
