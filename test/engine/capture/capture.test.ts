/** Screenshots of a real X server have exact pixels; without a screen the error says what is missing. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { createCapture } from '../../../src/engine/capture/capture-now.ts';
import { openScreenCapturer } from '../../../src/engine/capture/open-screen-capturer.ts';
import { createSaveToSpool } from '../../../src/engine/capture/save-to-spool.ts';
import type { NewItem } from '../../../src/engine/engine.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import type { CaptureTarget } from '../../../src/ipc/protocol/capture.ts';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { only } from '../../support/results.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WIDTH = 803;
const HEIGHT = 601;
const never = new AbortController().signal;
let screen: XScreen;
beforeAll(async () => {
  screen = await openXScreen(WIDTH, HEIGHT);
});
afterAll(() => screen.close());

const openCapture = (environment: Record<string, string | undefined>) => {
  const spoolDir = temporaryFolder('capture');
  const opened = openProfile(temporaryFolder('capture-profile'), systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const profile = opened.value;
  onTestFinished(() => profile.close());
  const save = createSaveToSpool({
    ...{ clock: systemClock, random: systemRandom, spoolDir, settings: () => DEFAULT_SETTINGS, profile },
  });
  const added: NewItem[] = [];
  const capture = createCapture({
    clock: systemClock,
    last: () => null,
    capturer: openScreenCapturer({ platform: 'linux', environment, ffmpeg: async () => null }),
    refusalOf: () => null,
    publish: async (subject, share) => {
      const saved = await save(subject, () => true);
      if (!saved.ok) return saved;
      const { path, name } = saved.value;
      added.push({ source: { owner: 'spool', path }, name, share });
      return ok('item' as ItemId);
    },
  });
  const take = (target: CaptureTarget) =>
    capture
      .take({ target, pointer: 'hide', delaySeconds: 0, share: { visibility: 'private' } }, never)
      .then((reply) => only(reply, 'id'));
  return { capture, take, added, spoolDir };
};
const session = () => ({ PATH: process.env['PATH'], DISPLAY: screen.display });

const pixelsOf = async ({ source }: NewItem) => {
  const { data, info } = await sharp(source.path).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
};

describe('a capture', () => {
  const AREAS = [
    { x: 0, y: 0, width: 1, height: 1 },
    { x: 101, y: 57, width: 333, height: 211 },
    { x: WIDTH - 1, y: HEIGHT - 3, width: 1, height: 3 },
  ];
  it.each(AREAS)('of the region $x,$y $width x $height has exactly its pixels', async (area) => {
    const { take, added } = openCapture(session());
    expect(await take({ mode: 'region', area })).toEqual(ok('item'));
    const [item] = added as [NewItem];
    const picture = await pixelsOf(item);
    expect(picture).toMatchObject({ width: area.width, height: area.height, channels: 3 });
    expect(picture.data.equals(screen.pixels(area))).toBe(true);
  });

  it('of a screen and of all screens has every pixel, is stored in the spool and named after its time', async () => {
    const { take, added, spoolDir } = openCapture(session());
    expect(await take({ mode: 'screen', number: 1 })).toEqual(ok('item'));
    expect(await take({ mode: 'all' })).toEqual(ok('item'));
    const whole = screen.pixels({ x: 0, y: 0, width: WIDTH, height: HEIGHT });
    for (const item of added) {
      expect((await pixelsOf(item)).data.equals(whole)).toBe(true);
      expect(item).toMatchObject({ source: { owner: 'spool' }, share: { visibility: 'private' } });
      expect(item.source.path.startsWith(join(spoolDir, '/'))).toBe(true);
      expect(item.name).toMatch(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
    }
    expect(added).toHaveLength(2);
  });

  it.each([
    [{ mode: 'region', area: { x: 700, y: 0, width: 104, height: 10 } }, `${WIDTH} x ${HEIGHT} pixels`],
    [{ mode: 'region', area: { x: -1, y: 0, width: 10, height: 10 } }, 'extends beyond the desktop'],
    [{ mode: 'screen', number: 2 }, 'There is one screen'],
  ] as const)('of %o, which does not exist, lists what exists', async (target, words) => {
    const { take, added } = openCapture(session());
    const taken = await take(target);
    expect(taken).toMatchObject({ ok: false, error: { code: 'CAPTURE_AREA_INVALID' } });
    expect(taken.ok ? '' : taken.error.detail).toContain(words);
    expect(added).toEqual([]);
  });

  it.each([
    ['no screen', {}, 'DISPLAY is not set'],
    ['a screen that is not there', { DISPLAY: ':9999' }, ':9999'],
    ['Wayland', { WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland', DISPLAY: ':0' }, 'Wayland'],
  ])('with %s reports what is missing and leaves no files', async (_, environment, words) => {
    const { take, spoolDir } = openCapture({ PATH: process.env['PATH'], ...environment });
    const taken = await take({ mode: 'region', area: { x: 0, y: 0, width: 10, height: 10 } });
    expect(taken).toMatchObject({ ok: false, error: { code: 'CAPTURE_UNAVAILABLE' } });
    expect(taken.ok ? '' : taken.error.detail).toContain(words);
    expect(await readdir(spoolDir)).toEqual([]);
  });

  it('that is cancelled during its delay captures nothing', async () => {
    const { capture, added } = openCapture(session());
    const stop = AbortSignal.timeout(20);
    const taken = await capture.take({ target: { mode: 'all' }, pointer: 'hide', delaySeconds: 60 }, stop);
    expect(taken).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(added).toEqual([]);
  });
});
