/** Running ffmpeg on untrusted files: what it may access, how it ends, and which of its results are trusted. */

import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { spawnOnLeash } from '../../../src/base/node/run-program.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import {
  createFfmpeg,
  createFindFfmpeg,
  type Ffmpeg,
  inputOf,
  locateFfmpeg,
} from '../../../src/engine/video/ffmpeg.ts';
import { readCapabilities } from '../../../src/engine/video/ffmpeg-capabilities.ts';
import { checkDisk, fitVideo } from '../../../src/engine/video/fit-video.ts';
import { probeVideo, viewAsService } from '../../../src/engine/video/probe-video.ts';
import { goodMp4, rawFile, video } from '../../support/media/media.ts';
import { HERE } from '../../support/media/video-fixture.ts';
import { itWith } from '../../support/only-on.ts';
import { must } from '../../support/results.ts';
import { modelAccount } from '../../support/server/model-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('ffmpeg');
const never = new AbortController().signal;
let ffmpeg: Ffmpeg;

beforeAll(async () => {
  const found = await locateFfmpeg(HERE, never);
  if (!found) throw new Error('These tests need ffmpeg.');
  ffmpeg = found;
});

/** A program that replaces ffmpeg. */
const script = (name: string, lines: string): string => {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
};

describe('The environment', () => {
  itWith('programs of Linux')('of ffmpeg holds no key and nothing else of ours', async () => {
    const spy = script('spy', `env > "${folder}/seen"; echo "$@" >> "${folder}/seen"`);
    const environment = { PATH: process.env['PATH'], LINKSHOT_KEY: 'lsk_secret', HOME: '/home/me', DBUS: 'x' };
    await createFfmpeg(spy, environment).run(['-version'], {}, never);
    const seen = readFileSync(join(folder, 'seen'), 'utf8');
    expect(seen).toContain('PATH=');
    expect(seen).not.toMatch(/lsk_secret|LINKSHOT|HOME=|DBUS/);
  });
});

describe('A hostile file', () => {
  it('makes ffmpeg open neither an address nor another file', async () => {
    let asked = 0;
    const server = createServer((_, answer) => {
      asked += 1;
      answer.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/segment.ts`;
    const secret = await goodMp4();
    const hostile = [
      await rawFile('list.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`),
      await rawFile('local.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`),
      await rawFile('concat.avi', `ffconcat version 1.0\nfile '${secret}'\n`),
      await rawFile('dash.mp4', `<?xml version="1.0"?><MPD type="static"><BaseURL>${url}</BaseURL></MPD>`),
    ];
    for (const path of hostile) {
      const run = await ffmpeg.run([...inputOf(path), '-f', 'null', '-'], {}, never);
      expect(run).toMatchObject({ ok: false, error: { code: 'VIDEO_UNREADABLE' } });
    }
    expect(asked).toBe(0);
  });

  it('has a name that is only a name', async () => {
    for (const name of ['concat:a.mp4', '-y', 'http://127.0.0.1/x.mp4', 'data:video/mp4,x', '%03d.mp4', 'pipe:0']) {
      const run = await ffmpeg.run([...inputOf(name), '-f', 'null', '-'], {}, never);
      expect(!run.ok && run.error.detail).toMatch(/No such file or directory/);
    }
  });
});

it('A location is found after however many boxes', async () => {
  const boxes = Buffer.alloc(8 * 20_000, '\0\0\0\u0008free', 'latin1');
  const place = Buffer.from('\0\0\0\u000cudta\xa9xyz', 'latin1');
  const bytes = readFileSync(await goodMp4());
  const viewOf = async (name: string, ...more: readonly Buffer[]) =>
    must(await viewAsService(await rawFile(name, Buffer.concat([bytes, boxes, ...more]))));
  expect(await viewOf('boxes.mp4')).toMatchObject({ isCut: false, hasLocation: false });
  expect(await viewOf('boxes-place.mp4', place)).toMatchObject({ hasLocation: true });
});

it('Padding is no location, whatever its bytes are and however many, unless a dashcam has written one there', async () => {
  const padded = async (name: string, body: Buffer) => {
    const header = Buffer.from('\0\0\0\0free', 'latin1');
    header.writeUInt32BE(header.length + body.length);
    return must(await viewAsService(await rawFile(name, Buffer.concat([readFileSync(await goodMp4()), header, body]))));
  };
  const words = Buffer.from('loci gps freeGPS \xa9xyz GPSLatitude', 'latin1');
  expect(await padded('padding.mp4', words)).toMatchObject({ hasLocation: false });
  expect(await padded('much-padding.mp4', Buffer.alloc(33 * 1024 ** 2))).toMatchObject({ hasLocation: false });
  expect(await padded('dashcam-padding.mp4', Buffer.from('GPS 14.4379 50.0756'))).toMatchObject({ hasLocation: true });
});

describe('A run', () => {
  itWith('programs of Linux').each([
    ['before 6.1', 'file:/home/me/a b.mp4: Invalid data found when processing input'],
    [
      'since 6.1',
      '[in#0 @ 0x5581] Error opening input: Invalid data found when processing input\nError opening input file file:/home/me/a b.mp4.\nError opening input files: Invalid data found when processing input',
    ],
    ['on Windows', '[in#0 @ 00000174a] Invalid data found when processing input'],
  ])('that fails is reported without paths and addresses of memory, as ffmpeg %s says it', async (when, said) => {
    const failing = script(`failing-${when}`, `printf '%s\\n' '${said}' >&2; exit 1`);
    const run = await createFfmpeg(failing, { PATH: process.env['PATH'] }).run([], {}, never);
    expect(run).toMatchObject({ ok: false, error: { code: 'VIDEO_UNREADABLE' } });
    expect(!run.ok && run.error.detail).toMatch(/^The video cannot be read: [^@/]*Invalid data found[^@/]*$/);
  });

  const endless = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30', '-c:v', 'mpeg4', '-f', 'avi'];

  it('reports increasing progress', async () => {
    const path = await video('ten.mkv', { seconds: 10, sounds: 0, args: ['-c:v', 'mpeg4'] });
    const seen: number[] = [];
    const options = { onProgress: ({ seconds }: { readonly seconds: number }) => void seen.push(seconds) };
    const run = await ffmpeg.run([...inputOf(path), '-f', 'null', '-'], options, never);
    expect(run.ok).toBe(true);
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
    expect(seen.at(-1)).toBeGreaterThan(9.5);
  });

  it('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const onProgress = () => abort.abort();
    const run = ffmpeg.run([...endless, join(folder, 'endless.avi')], { onProgress }, abort.signal);
    expect(await run).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  itWith('programs of Linux')('is killed when it does not listen', async () => {
    const deaf = script(
      'deaf',
      'trap "" TERM INT\necho progress=continue\nwhile true; do read -r line || sleep 0.1; done',
    );
    const abort = new AbortController();
    const run = createFfmpeg(deaf, {}).run([], { onProgress: () => abort.abort() }, abort.signal);
    expect(await run).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  itWith('programs of Linux')(
    'ends with this process, and leaves nothing behind when it has ended before',
    async () => {
      const killed = spawnOnLeash('sleep', ['600'], HERE.environment);
      killed.leash.destroy();
      expect(await once(killed.child, 'exit')).toEqual([null, 'SIGKILL']);
      const ended = spawnOnLeash('true', [], HERE.environment);
      const [[code]] = await Promise.all([once(ended.child, 'exit'), once(ended.leash, 'close')]);
      expect(code).toBe(0);
    },
  );

  itWith('programs of Linux')('says that the program cannot be started', async () => {
    const run = await createFfmpeg(join(folder, 'no ffmpeg'), HERE.environment).run([], {}, never);
    expect(run).toMatchObject({ ok: false, error: { code: 'VIDEO_TOOL_MISSING' } });
  });

  it('ends at its time limit', async () => {
    const run = await ffmpeg.run([...endless, join(folder, 'long.avi')], { limitMs: 300 }, never);
    expect(run).toMatchObject({ ok: false, error: { code: 'VIDEO_FIT_FAILED' } });
  });

  itWith('devices among files')('says that the disk is full', async () => {
    const args = ['-f', 'lavfi', '-i', 'testsrc2=duration=1', '-c:v', 'mpeg4', '-f', 'avi', '/dev/full'];
    expect(await ffmpeg.run(args, {}, never)).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } });
  });
});

describe('The disk', () => {
  it('is inspected before anything is written', async () => {
    expect(await checkDisk(folder, 1_000)).toEqual({ ok: true, value: undefined });
    expect(await checkDisk(folder, 2 ** 50)).toMatchObject({ error: { code: 'DISK_FULL' } });
  });
});

describe('The program', () => {
  itWith('programs of Linux')('is the one that was named, or none', async () => {
    expect(await locateFfmpeg({ ...HERE, configured: '/nowhere/ffmpeg' }, never)).toBeNull();
    const named = script('my ffmpeg', 'exec ffmpeg "$@"');
    expect((await locateFfmpeg({ ...HERE, configured: named }, never))?.path).toBe(named);
  });

  itWith('programs of Linux')('is searched again after it was removed', async () => {
    const install = () => script('removed', 'exec ffmpeg "$@"');
    const path = install();
    const find = createFindFfmpeg({ ...HERE, configured: path });
    expect((await find(never))?.path).toBe(path);
    rmSync(path);
    expect(await find(never)).toBeNull();
    install();
    expect((await find(never))?.path).toBe(path);
  });

  itWith('programs of Linux')('is passed over when it does not run', async () => {
    const broken = script('ffmpeg', 'exit 1');
    const found = await locateFfmpeg(
      { configured: null, environment: { PATH: `${folder}:${process.env['PATH']}` } },
      never,
    );
    expect(found?.path).not.toBe(broken);
    expect(found).not.toBeNull();
  });
});

describe('An encoder', () => {
  it('in software is there, and one in hardware only where it really works', async () => {
    const tools = must(await readCapabilities(ffmpeg, never));
    expect(tools.software).toEqual({ name: 'libx264', kind: 'x264', place: 'software' });
    // Listed by this ffmpeg, without a card that could do it.
    expect(await tools.hardware(folder, never)).toBeNull();
  });

  /** An ffmpeg whose hardware encoder is a real encoder under another name, or fails after the first `works` runs. */
  const withCard = (name: string, works: number): string =>
    script(
      name,
      `count=0
for argument in "$@"; do
  shift
  case "$argument" in
    h264_nvenc) echo x >> "${folder}/${name}.runs"; argument=libx264; card=1;;
  esac
  set -- "$@" "$argument"
done
if [ -n "$card" ] && [ "$(wc -l < "${folder}/${name}.runs")" -gt ${works} ]; then echo "No capable devices found" >&2; exit 1; fi
exec ffmpeg "$@"`,
    );

  itWith('programs of Linux').each([
    ['good-card', 99, 1],
    ['bad-card', 1, 2],
  ] as const)(
    'in hardware is used for what would take long, and software where it fails after all: %s',
    async (name, works, encodes) => {
      const program = createFfmpeg(withCard(name, works), HERE.environment);
      const tools = must(await readCapabilities(program, never));
      expect(await tools.hardware(folder, never)).toEqual({ name: 'h264_nvenc', kind: 'bitrate', place: 'hardware' });
      const source = await video('card.mkv', { seconds: 2, args: ['-c:v', 'mpeg4', '-c:a', 'aac'] });
      const view = await viewAsService(source);
      const facts = view.ok ? await probeVideo(source, view.value, program, never) : view;
      if (!facts.ok) throw new Error(facts.error.detail);
      const { limits } = modelAccount('a');
      const request = {
        source,
        metadata: facts.value,
        limits: { video: limits.video, maxBytes: limits.maxVideoBytes },
      } as const;
      const deps = { ffmpeg: program, tools, clock: systemClock, folder, hardwarePixels: 0 };
      const fitted = await fitVideo({ ...request, choice: 'balanced' }, deps, () => {}, never);
      expect(fitted).toMatchObject({ ok: true, value: { encodes } });
      // The trial, and the real one.
      expect(readFileSync(join(folder, `${name}.runs`), 'utf8')).toBe('x\nx\n');
    },
  );

  itWith('programs of Linux')('in hardware is also used for a failed copy, where there is no other', async () => {
    const card = withCard('only-card', 99);
    const noCopies = `case " $* " in *" copy "*) echo "Conversion failed" >&2; exit 1;; esac`;
    const program = createFfmpeg(script('no-copies', `${noCopies}\nexec ${card} "$@"`), HERE.environment);
    const tools = { ...must(await readCapabilities(program, never)), software: null };
    const source = await video('copied.mkv', { seconds: 2, args: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'] });
    const view = await viewAsService(source);
    const facts = view.ok ? await probeVideo(source, view.value, ffmpeg, never) : view;
    if (!facts.ok) throw new Error(facts.error.detail);
    const { limits } = modelAccount('a');
    const request = { source, metadata: facts.value, choice: 'balanced' } as const;
    const fitted = await fitVideo(
      { ...request, limits: { video: limits.video, maxBytes: limits.maxVideoBytes } },
      { ffmpeg: program, tools, clock: systemClock, folder },
      () => {},
      never,
    );
    expect(fitted).toMatchObject({ ok: true, value: { plan: { way: 'encode' }, encodes: 1 } });
  });
});
