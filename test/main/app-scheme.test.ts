/** What `app://linkshot/` serves beside the page: frozen pixels, screenshots, recordings with seeking. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { err, failure, ok } from '../../src/api/errors.ts';
import type { RecordingId } from '../../src/api/ids.ts';
import { serveAppScheme } from '../../src/main/app-scheme.ts';
import { desktop, resetDesktop } from '../support/electron/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { itemId } from '../support/window/app-state.ts';
import { CAPTURE } from '../support/window/frozen-desktop.ts';

const root = temporaryFolder('protocol');
const RECORDING = '00000000-0000-4000-8000-00000000d001' as RecordingId;
const PIN = '00000000-0000-4000-8000-00000000e001';
const pinned = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
const film = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
const pixels = new Uint8Array([1, 2, 3, 255, 4, 5, 6, 255]);

const file = (name: string, content: Uint8Array): string => {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
};

const get = async (path: string, range?: string) => {
  const handler = desktop.protocols.get('app');
  const request = new Request(`app://linkshot${path}`, range ? { headers: { range } } : {});
  const reply = await handler?.(request as unknown as Parameters<typeof handler>[0]);
  if (!reply) throw new Error('no reply');
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};

beforeEach(() => {
  resetDesktop();
  const picture = file('picture.png', Buffer.from('a picture'));
  const recording = file('recording.mp4', film);
  serveAppScheme({
    rendererDir: join(root, 'renderer'),
    pins: { png: (id) => (id === PIN ? pinned : null) },
    engine: {
      capture: {
        frame: (id, display) => (id === CAPTURE && display === 2 ? pixels : null),
        picture: (id) => (id === CAPTURE ? picture : null),
        clipboardPicture: (id) => (id === CAPTURE ? recording : null),
      },
      recording: { file: (id) => (id === RECORDING ? recording : null) },
      library: {
        thumbnail: (id) => (id === itemId(1) ? picture : null),
        media: async (id, kind, range) =>
          id === itemId(3)
            ? ok({
                status: range === null ? 200 : 206,
                type: kind === 'preview' ? 'text/html' : 'image/png',
                length: film.length,
                range: range && `bytes 0-9/${film.length}`,
                body: Readable.from([film]),
              })
            : err(failure('SHARE_UNAVAILABLE', 'gone')),
      },
    },
  });
});

describe('a pinned image', () => {
  it('is answered from memory and never cached, until it is closed', async () => {
    const image = await get(`/pins/${PIN}`);
    expect([image.status, image.bytes]).toEqual([200, Buffer.from(pinned)]);
    expect([image.headers.get('content-type'), image.headers.get('cache-control')]).toEqual(['image/png', 'no-store']);
    for (const path of [`/pins/${PIN.replace('e001', 'e002')}`, '/pins/', '/pins/..%2findex.html'])
      expect((await get(path)).status).toBe(404);
  });
});

describe('a capture', () => {
  it('is answered pixel by pixel, and never cached', async () => {
    const frame = await get(`/captures/${CAPTURE}/2`);
    expect([frame.status, frame.bytes]).toEqual([200, Buffer.from(pixels)]);
    expect(frame.headers.get('cache-control')).toBe('no-store');
    expect(frame.headers.get('content-security-policy')).toContain("default-src 'none'");
    const picture = await get(`/captures/${CAPTURE}/picture`);
    expect([picture.bytes.toString(), picture.headers.get('content-type')]).toEqual(['a picture', 'image/png']);
  });

  it('of an ended session, or one that matches no schema, is not found', async () => {
    for (const path of [
      ...[`/captures/${CAPTURE}/1`, `/captures/${RECORDING}/picture`, '/captures/../2', '/captures/x/2'],
      ...['/recordings/..%2f..%2fetc%2fpasswd', `/recordings/${CAPTURE}`, `/thumbnails/${itemId(2)}`],
    ])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe('a published item', () => {
  it('comes from the service as a picture that nothing keeps and that can do nothing', async () => {
    const whole = await get(`/media/${itemId(3)}`);
    expect([whole.status, whole.bytes]).toEqual([200, film]);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('cache-control')).toBe('no-store');
    expect(whole.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const part = await get(`/media/${itemId(3)}`, 'bytes=0-9');
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-9/${film.length}`]);
    // A page sent by a service instead of a picture is not displayed.
    expect((await get(`/media/${itemId(3)}/preview`)).headers.get('content-type')).toBe('application/octet-stream');
    for (const path of [`/media/${itemId(4)}`, '/media/..%2fqueue', `/media/${itemId(3)}/else`])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe('a recording', () => {
  const address = `/recordings/${RECORDING}`;

  it('is sent completely, with the header that allows a player to seek', async () => {
    const { status, headers, bytes } = await get(address);
    expect([status, headers.get('content-type'), headers.get('accept-ranges')]).toEqual([200, 'video/mp4', 'bytes']);
    expect(headers.get('content-length')).toBe('5000');
    expect(bytes).toEqual(film);
  });

  it('is sent in the part that is asked for', async () => {
    for (const [range, first, last] of [
      ['bytes=0-', 0, 4999],
      ['bytes=100-199', 100, 199],
      ['bytes=-10', 4990, 4999],
      ['bytes=4900-9999', 4900, 4999],
    ] as const) {
      const { status, headers, bytes } = await get(address, range);
      expect([status, headers.get('content-range')], range).toEqual([206, `bytes ${first}-${last}/5000`]);
      expect(bytes).toEqual(film.subarray(first, last + 1));
    }
    const beyond = await get(address, 'bytes=5000-');
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */5000']);
  });
});
