/** `linkshot record` on real Wayland desktops: length, size, frames and colours, also after a kill. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Ended, linkshotOn, profileOf, startLinkshotOn } from '../support/screen/linkshot-on-desktop.ts';
import { HELPERS, openWaylandDesktop, type WaylandDesktop, withoutDesktop } from '../support/screen/wayland-desktop.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SIZE = { width: 800, height: 600 };
const FPS = 30;
const RECORDING_PROCESS = resolve(import.meta.dirname, '../support/processes/recording-process.ts');
/** A crash loses at most this much. */
const LOST_SECONDS = 3;

let server: RunningServer;
let user: User;
beforeAll(async () => {
  server = await startServer();
  user = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

const missing = ['/usr/bin/wf-recorder', '/usr/bin/gst-launch-1.0'].find((path) => !existsSync(path));
const noteOf = (kind: 'sway' | 'gnome'): string =>
  withoutDesktop(kind) || (missing ? ` [skipped: ${missing} is missing; run scripts/provision desktops]` : '');

const record = (desktop: WaylandDesktop, ...words: readonly string[]) =>
  startLinkshotOn(desktop, user.apiKey, ['record', ...words, '--json', '--server', server.url]);

/** The published file. */
const published = async ({ code, stdout, stderr }: Ended): Promise<string> => {
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('"url"') });
  const { id } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { id: string };
  const headers = { authorization: `Bearer ${user.apiKey}` };
  // The service makes a poster first.
  let file = Buffer.of();
  await eventually(async () => {
    const answer = await fetch(`${server.url}/api/media/${id}`, { headers });
    expect(answer.headers.get('content-type')).toBe('video/mp4');
    file = Buffer.from(await answer.arrayBuffer());
  });
  const path = join(temporaryFolder('recording'), 'video.mp4');
  await writeFile(path, file);
  return path;
};

const run = async (program: string, ...words: readonly string[]): Promise<Buffer> =>
  (await promisify(execFile)(program, words, { encoding: 'buffer', maxBuffer: 1 << 28 })).stdout;
const factsOf = async (path: string) => {
  const shown = ['-count_frames', '-show_entries', 'stream=width,height,duration,nb_read_frames', '-of', 'json'];
  const { streams } = JSON.parse((await run('ffprobe', '-v', 'error', ...shown, path)).toString()) as {
    streams: readonly { width: number; height: number; duration: string; nb_read_frames: string }[];
  };
  const [video] = streams;
  return {
    ...{ width: video?.width, height: video?.height },
    ...{ seconds: Number(video?.duration), frames: Number(video?.nb_read_frames) },
  };
};
/** How many frames show something else than the one before. */
const changesIn = async (path: string): Promise<number> => {
  const hashes = (await run('ffmpeg', '-v', 'error', '-i', path, '-f', 'framemd5', '-')).toString();
  const frames = hashes.split('\n').filter((line) => line.startsWith('0,'));
  return new Set(frames.map((line) => line.split(',').at(-1))).size;
};
const lastFrame = (path: string): Promise<Buffer> =>
  run(
    'ffmpeg',
    '-v',
    'error',
    '-sseof',
    '-0.5',
    '-i',
    path,
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  );

/** More than the head of the file: frames are in it. */
const WITH_FRAMES = 4_000;
const recordingsOf = (desktop: WaylandDesktop): readonly string[] => {
  const folder = join(profileOf(desktop), 'recordings');
  return (existsSync(folder) ? readdirSync(folder) : []).map((id) => join(folder, id));
};

/** Starts a recording without an end; resolves once frames are in its file. */
const recordUntilFrames = async (desktop: WaylandDesktop) => {
  const before = new Set(recordingsOf(desktop));
  const running = record(desktop, '--screen', '1');
  let early: Ended | null = null;
  void running.ended.then((ended) => {
    early = ended;
  });
  const bytes = (): number => {
    if (early !== null) throw new Error(`It ended: ${JSON.stringify(early)}`);
    const paths = recordingsOf(desktop).flatMap((path) => (before.has(path) ? [] : [join(path, '0.mp4')]));
    return Math.max(0, ...paths.map((path) => (existsSync(path) ? statSync(path).size : 0)));
  };
  await expect.poll(bytes).toBeGreaterThan(WITH_FRAMES);
  return running;
};
const programsOn = async (desktop: WaylandDesktop, name: string): Promise<string> => {
  const { HOME } = desktop.environment;
  const list = `for p in $(pgrep -x '${name.slice(0, 15)}'); do grep -qsaF "HOME=${HOME}" /proc/$p/environ && echo $p; done; true`;
  return (await desktop.run('sh', '-c', list)).toString();
};

/** Kills the recording after some seconds, and publishes what is left of it. */
const killAndPublish = async (desktop: WaylandDesktop, sender: string): Promise<void> => {
  const running = await recordUntilFrames(desktop);
  const begun = performance.now();
  await expect.poll(() => performance.now() - begun).toBeGreaterThan(6_000);
  const seconds = (performance.now() - begun) / 1_000;
  running.child.kill('SIGKILL');
  await running.ended;
  for (const program of ['ffmpeg', sender]) await expect.poll(() => programsOn(desktop, program)).toBe('');
  const facts = await factsOf(await published(await record(desktop, '--waiting').ended));
  expect(facts).toMatchObject(SIZE);
  expect(facts.seconds).toBeGreaterThan(seconds - LOST_SECONDS);
  expect(facts.frames).toBeGreaterThan((seconds - LOST_SECONDS) * FPS);
};

describe.skipIf(noteOf('sway') !== '')(`Sway${noteOf('sway')}`, () => {
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('sway', [SIZE, { width: 1200, height: 900, scale: 1.5 }]);
    const halves = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#a04060' } }).composite([
      { input: { create: { width: 600, height: 900, channels: 3, background: '#204080' } }, left: 0, top: 0 },
    ]);
    const path = join(desktop.folder, 'halves.png');
    await writeFile(path, await halves.png().toBuffer());
    await desktop.run('swaymsg', `output HEADLESS-2 bg ${path} fill`);
    await desktop.run('swaymsg', 'focus output HEADLESS-1');
    await desktop.run('swaymsg', "exec foot sh -c 'while :; do date +%N; sleep 0.05; done'");
    await eventually(async () =>
      expect((await desktop.run('swaymsg', '-t', 'get_tree')).toString()).toContain('"app_id": "foot"'),
    );
  });
  afterAll(() => desktop?.close());

  it('ten seconds of a screen have their length, size and frames, and show what moves', async () => {
    const path = await published(await record(desktop, '--screen', '1', '--seconds', '10').ended);
    const facts = await factsOf(path);
    expect(facts).toMatchObject(SIZE);
    expect(facts.seconds).toBeGreaterThan(9.5);
    expect(facts.frames).toBe(Math.round(facts.seconds * FPS));
    expect(await changesIn(path)).toBeGreaterThan(20);
  });

  it('a region of a screen at scale 1.5 has its very pixels and colours', async () => {
    const path = await published(await record(desktop, '--region', '1300,100,200,100', '--seconds', '2').ended);
    expect(await factsOf(path)).toMatchObject({ width: 200, height: 100 });
    const pixels = await lastFrame(path);
    const at = (x: number) => [...pixels.subarray((50 * 200 + x) * 3, (50 * 200 + x) * 3 + 3)];
    // The halves meet at 600 pixels of the second screen, which begins at 800.
    const near = (found: readonly number[], wanted: readonly number[]) =>
      found.every((value, index) => Math.abs(value - (wanted[index] ?? 0)) < 12);
    expect([at(20), at(95)].map((found) => near(found, [0x20, 0x40, 0x80]))).toEqual([true, true]);
    expect([at(105), at(180)].map((found) => near(found, [0xa0, 0x40, 0x60]))).toEqual([true, true]);
  });

  it('with a camera shows it over the screen, and is ended by ffmpeg itself when it stops', async () => {
    const profile = join(desktop.folder, 'home', 'camera');
    const camera = ['-re', '-f', 'lavfi', '-i', 'color=c=red:s=320x240:r=15'];
    await desktop.run('mkdir', '-p', profile);
    const words = [process.execPath, RECORDING_PROCESS, profile, `0,0,${SIZE.width},${SIZE.height}`];
    const child = desktop.start(words, { CAMERA: JSON.stringify(camera) });
    const file = async () => (await desktop.run('find', profile, '-name', '0.mp4', '-size', '+20k')).toString().trim();
    await expect.poll(file).not.toBe('');
    child.kill('SIGTERM');
    await once(child, 'close');
    const path = await file();
    // In the middle of the bubble, and above it.
    const pixels = await run(
      ...['ffmpeg', '-v', 'error', '-i', path, '-frames:v', '1', '-vf', 'format=rgb24,crop=1:200:90:320'],
      ...['-f', 'rawvideo', '-'],
    );
    const [above, middle] = [pixels.subarray(0, 3), pixels.subarray(190 * 3, 191 * 3)];
    expect([(middle[0] ?? 0) > 200, (middle[2] ?? 255) < 60, (above[0] ?? 255) > 200]).toEqual([true, true, false]);
    // The index that ffmpeg writes at its end; a killed one has none.
    expect((await readFile(path)).subarray(-200).includes('mfro')).toBe(true);
  });

  it('is kept when Linkshot is killed, and the programs end with it', () => killAndPublish(desktop, 'wf-recorder'));

  it('says what to install where wf-recorder is missing', async () => {
    const bin = join(desktop.folder, 'home', 'bin');
    await mkdir(bin, { recursive: true });
    await symlink('/usr/bin/ffmpeg', join(bin, 'ffmpeg'));
    const words = ['record', '--screen', '1', '--seconds', '1', '--server', server.url];
    const { code, stderr } = await linkshotOn(desktop, user.apiKey, words, { PATH: bin });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('needs wf-recorder. Install') });
    await rm(bin, { recursive: true });
  });

  it('keeps everything when the compositor ends, and says so', async () => {
    const running = await recordUntilFrames(desktop);
    await desktop.crash('compositor');
    const facts = await factsOf(await published(await running.ended));
    expect(facts).toMatchObject(SIZE);
    expect(facts.frames).toBeGreaterThan(0);
    const next = await record(desktop, '--screen', '1', '--seconds', '1').ended;
    expect(next).toMatchObject({ code: 1, stdout: expect.stringContaining('does not answer') });
  });
});

describe.skipIf(noteOf('gnome') !== '')(`GNOME${noteOf('gnome')}`, () => {
  let desktop: WaylandDesktop;
  const [TAB, SPACE, ENTER, ESCAPE, ALT_F4] = ['65289', '32', '65293', '65307', '65513+65473'];
  const input = (...keys: readonly string[]) =>
    desktop.run(process.execPath, join(HELPERS, 'gnome-input-process.ts'), ...keys);
  beforeAll(async () => {
    desktop = await openWaylandDesktop('gnome', [SIZE]);
    // It begins in the overview, in which no dialog shows.
    await input(ESCAPE);
  });
  afterAll(() => desktop?.close());

  const windows = () =>
    desktop.run(
      ...['gdbus', 'call', '--session', '-d', 'org.gnome.Shell.Introspect', '-o', '/org/gnome/Shell/Introspect'],
      ...['-m', 'org.gnome.Shell.Introspect.GetWindows'],
    );
  /** Answers the question of the desktop once it shows. */
  const answer = async (running: Promise<Ended>, ...keys: readonly string[]): Promise<Ended> => {
    const isShown = async () => (await windows()).toString().includes('Screen Share');
    await expect.poll(isShown).toBe(true);
    const press = async (): Promise<boolean> => {
      if (await isShown()) await input(...keys);
      return isShown();
    };
    await expect.poll(press, { interval: 2_000 }).toBe(false);
    return running;
  };

  it('a no ends in words; a yes records ten seconds, and the question does not come again', async () => {
    const words = ['--screen', '1', '--seconds', '10'];
    const refused = await answer(record(desktop, ...words).ended, ALT_F4);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('GNOME was told not to share the screen'),
    });

    const allowed = await answer(record(desktop, ...words).ended, TAB, SPACE, TAB, TAB, ENTER);
    const facts = await factsOf(await published(allowed));
    expect(facts).toMatchObject(SIZE);
    expect(facts.seconds).toBeGreaterThan(9.5);
    expect(facts.frames).toBe(Math.round(facts.seconds * FPS));

    const again = await record(desktop, '--region', '100,50,200,100', '--seconds', '2').ended;
    expect(await factsOf(await published(again))).toMatchObject({ width: 200, height: 100 });
  });

  it('is kept when Linkshot is killed, and the programs end with it', () => killAndPublish(desktop, 'gst-launch-1.0'));

  it('keeps everything when its portal crashes in the middle, and the next recording works', async () => {
    const running = await recordUntilFrames(desktop);
    await desktop.crash('own-portal');
    await desktop.crash('portal');
    const facts = await factsOf(await published(await running.ended));
    expect(facts).toMatchObject(SIZE);
    expect(facts.frames).toBeGreaterThan(0);
    await desktop.startPortal();
    const next = await published(await record(desktop, '--screen', '1', '--seconds', '2').ended);
    expect(await factsOf(next)).toMatchObject(SIZE);
  });

  it('keeps everything when the compositor ends, and says so at the next attempt', async () => {
    const running = await recordUntilFrames(desktop);
    await desktop.crash('compositor');
    const facts = await factsOf(await published(await running.ended));
    expect(facts).toMatchObject(SIZE);
    expect(facts.frames).toBeGreaterThan(0);
    const next = await record(desktop, '--screen', '1', '--seconds', '1').ended;
    expect(next).toMatchObject({ code: 1, stdout: expect.stringContaining('"message"') });
  });
});
