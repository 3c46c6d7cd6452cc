/** `linkshot animate` with real ffmpeg; the images are read back by another library. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { itWith } from '../support/only-on.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-animate');
const profile = join(root, 'profile');
const video = join(root, 'demo.mp4');
const run = (words: readonly string[], environment: Record<string, string> = {}) =>
  performCommand([...words, '--profile', profile], environment);

/** Red for two seconds, then blue for two, with sound. */
beforeAll(() => {
  const picture = (color: string) => ['-f', 'lavfi', '-i', `color=${color}:size=320x200:rate=25:duration=2`];
  execFileSync('ffmpeg', [
    ...['-v', 'error', ...picture('red'), ...picture('blue'), '-f', 'lavfi', '-i', 'sine=duration=4'],
    ...['-filter_complex', '[0:v][1:v]concat=n=2[v]', '-map', '[v]', '-map', '2:a'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', video],
  ]);
});

/** The colour of each frame, by its strongest channel. */
const colorsOf = async (path: string): Promise<readonly string[]> => {
  const { pages = 1 } = await sharp(path).metadata();
  const frames = Array.from({ length: pages }, (_, page) => sharp(path, { page }).removeAlpha().stats());
  return (await Promise.all(frames)).map(({ channels: [red, , blue] }) =>
    (red?.mean ?? 0) > (blue?.mean ?? 0) ? 'red' : 'blue',
  );
};
const factsOf = async (path: string) => {
  const { format, width, pageHeight, pages, delay, loop } = await sharp(path, { pages: -1 }).metadata();
  return { format, width, height: pageHeight, pages, loop, ms: delay?.reduce((sum, one) => sum + one, 0) };
};

it('makes a GIF of a part of a video: its size, frames, colours, pace and how often it plays', async () => {
  const out = join(root, 'part.gif');
  const words = ['animate', video, '--out', out, '--from', '1', '--to', '0:03', '--fps', '10', '--width', '160'];
  const { code, json, stderr } = await run([...words, '--plays', '3', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(json()).toEqual([{ out, format: 'gif', width: 160, height: 100, frames: 20, size: statSync(out).size }]);
  expect(await colorsOf(out)).toEqual([...Array(10).fill('red'), ...Array(10).fill('blue')]);
  expect(await factsOf(out)).toEqual({ format: 'gif', width: 160, height: 100, pages: 20, loop: 3, ms: 2_000 });
  expect(readdirSync(join(profile, 'spool'))).toEqual([]);
});

itWith('ffmpeg with WebP on this machine')('makes a WebP that plays for ever and that the service takes', async () => {
  const out = join(root, 'whole.webp');
  const { code, stdout } = await run(['animate', video, '--out', out, '--fps', '5']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Saved as .*whole\.webp: 320 x 200, 20 frames, [\d.]+ (?:kB|bytes)\.\n$/),
  });
  // Equal frames are shown longer instead.
  expect(await factsOf(out)).toMatchObject({ format: 'webp', width: 320, height: 200, loop: 0, ms: 4_000 });
  const server = await startServer();
  const { apiKey } = await server.user();
  const sent = await run(['upload', out, '--server', server.url, '--json'], { LINKSHOT_KEY: apiKey });
  expect(sent.code).toBe(0);
  const [{ id }] = sent.json() as [{ id: string }];
  const headers = { authorization: `Bearer ${apiKey}` };
  const published = await fetch(`${server.url}/api/media/${id}`, { headers });
  expect(published.headers.get('content-type')).toBe('image/webp');
  const copy = join(root, 'published.webp');
  writeFileSync(copy, Buffer.from(await published.arrayBuffer()));
  expect(await factsOf(copy)).toEqual(await factsOf(out));
  await server.stop();
});

it('predicts the size without saving anything', async () => {
  const out = join(root, 'predicted.gif');
  const predicted = await run(['animate', video, '--out', out, '--fps', '10', '--dry-run', '--json']);
  expect(existsSync(out)).toBe(false);
  await run(['animate', video, '--out', out, '--fps', '10']);
  const [{ size, ...facts }] = predicted.json() as [{ size: number }];
  expect(facts).toEqual({ out: null, format: 'gif', width: 320, height: 200, frames: 40 });
  // Three pieces stand for the whole; each has a head of its own.
  expect(size / statSync(out).size).toBeGreaterThan(0.5);
  expect(size / statSync(out).size).toBeLessThan(4);
});

it('refuses in words, and replaces and leaves nothing', async () => {
  const taken = join(root, 'taken.gif');
  writeFileSync(taken, 'mine');
  const note = join(root, 'note.txt');
  writeFileSync(note, 'no video');
  mkdirSync(join(root, 'folder'));
  const cases: readonly (readonly [words: readonly string[], says: string, code: number])[] = [
    [['animate', video], '--out FILE.webp or --out FILE.gif', 2],
    [['animate', video, '--out', 'x.png'], '--out FILE.webp or --out FILE.gif', 2],
    [['animate', video, '--out', 'x.gif', '--fps', '31'], 'from 1 to 30', 2],
    [['animate', video, '--out', 'x.gif', '--from', '1:5'], 'such as 1:05', 2],
    [['animate', video, '--out', taken], 'taken.gif already exists', 1],
    [['animate', video, '--out', join(root, 'no/x.gif')], 'does not exist', 1],
    [['animate', video, '--out', join(root, 'x.gif'), '--from', '4'], 'Choose a start before its end', 1],
    [['animate', note, '--out', join(root, 'x.gif')], 'cannot be read', 1],
    [['animate', join(root, 'missing.mp4'), '--out', join(root, 'x.gif')], 'missing.mp4', 1],
    [['animate', join(root, 'folder'), '--out', join(root, 'x.gif')], 'folder', 1],
  ];
  for (const [words, says, code] of cases) {
    const ended = await run(words);
    expect({ code: ended.code, stderr: ended.stderr }, words.join(' ')).toEqual({
      code,
      stderr: expect.stringContaining(says),
    });
  }
  expect(readFileSync(taken, 'utf8')).toBe('mine');
  expect(existsSync(join(root, 'x.gif'))).toBe(false);
  expect(readdirSync(join(profile, 'spool'))).toEqual([]);
  const without = await run(['animate', video, '--out', join(root, 'x.gif')], { LINKSHOT_FFMPEG: '/nonexistent' });
  expect({ code: without.code, stderr: without.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('ffmpeg'),
  });
});
