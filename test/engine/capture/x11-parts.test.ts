/** Parsers of the X protocol: pixels in any layout, monitors, cookies, display names. Pure. */
import { describe, expect, it } from 'vitest';
import { parseMonitors, scaleOf } from '../../../src/engine/capture/x11/displays.ts';
import { decodeImage, type PixelLayout } from '../../../src/engine/capture/x11/image-pixels.ts';
import { drawPointer } from '../../../src/engine/capture/x11/x11-capturer.ts';
import { findCookie, parseDisplayName } from '../../../src/engine/x11/x11-connection.ts';

const USUAL: PixelLayout = { bitsPerPixel: 32, rowBits: 32, order: 'little', masks: [0xff0000, 0xff00, 0xff] };
const decode = (bytes: readonly number[], layout: Partial<PixelLayout>, width = 1, height = 1) => [
  ...decodeImage(Uint8Array.from(bytes), width, height, { ...USUAL, ...layout }).data,
];

describe('a pixel', () => {
  it.each([
    ['32 bits, low byte first', [3, 2, 1, 9], {}],
    ['32 bits, high byte first', [9, 1, 2, 3], { order: 'big' }],
    ['red in the low byte', [1, 2, 3, 0], { masks: [0xff, 0xff00, 0xff0000] }],
    ['24 bits', [3, 2, 1, 0], { bitsPerPixel: 24 }],
  ] as const)('of %s is read', (_, bytes, layout) => {
    expect(decode(bytes, layout)).toEqual([1, 2, 3, 255]);
  });

  it('of 16 and 15 bits fills the eight, of 30 bits keeps the upper eight', () => {
    const high = { bitsPerPixel: 16, masks: [0xf800, 0x07e0, 0x001f] } as const;
    expect(decode([0xff, 0xff, 0, 0], high)).toEqual([255, 255, 255, 255]);
    expect(decode([0x00, 0x08, 0, 0], high)).toEqual([8, 0, 0, 255]);
    expect(decode([0xff, 0x7f, 0, 0], { bitsPerPixel: 16, masks: [0x7c00, 0x03e0, 0x001f] })).toEqual([
      255, 255, 255, 255,
    ]);
    const deep = { masks: [0x3ff00000, 0x000ffc00, 0x000003ff] } as const;
    const pixel = ((0xab << 2) | 1) * 2 ** 20 + (0xcd << 12) + (0xef << 2);
    expect(decode([pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255, (pixel >> 24) & 255], deep)).toEqual([
      0xab, 0xcd, 0xef, 255,
    ]);
  });

  it('at the start of a row is found behind the padding of the row before', () => {
    expect(decode([3, 2, 1, 0, 6, 5, 4, 0], { bitsPerPixel: 24 }, 1, 2)).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
  });
});

it('a pointer is mixed in by its alpha and cut off at the edges', () => {
  const pixels = { width: 2, height: 1, data: Uint8Array.from([100, 100, 100, 255, 200, 200, 200, 255]) };
  // Blue, green, red, alpha: half-transparent red, then opaque blue, of which one lies outside.
  const pointer = { x: 11, y: 20, width: 2, height: 1, data: Buffer.from([0, 0, 128, 128, 255, 0, 0, 255]) };
  drawPointer(pixels, { x: 10, y: 20, width: 2, height: 1 }, pointer);
  expect([...pixels.data]).toEqual([100, 100, 100, 255, 128 + 100, 100, 100, 255]);
  drawPointer(pixels, { x: 10, y: 20, width: 2, height: 1 }, { ...pointer, x: 9 });
  expect([...pixels.data.subarray(0, 4)]).toEqual([0, 0, 255, 255]);
});

it('monitors are read with their outputs skipped', () => {
  const monitor = (name: number, primary: number, outputs: number, area: readonly [number, number, number, number]) => {
    const bytes = Buffer.alloc(24 + outputs * 4);
    bytes.writeUInt32LE(name, 0);
    bytes[4] = primary;
    bytes.writeUInt16LE(outputs, 6);
    bytes.writeInt16LE(area[0], 8);
    bytes.writeInt16LE(area[1], 10);
    bytes.writeUInt16LE(area[2], 12);
    bytes.writeUInt16LE(area[3], 14);
    return bytes;
  };
  const header = Buffer.alloc(24);
  header.writeUInt32LE(2, 4);
  const reply = Buffer.concat([
    header,
    monitor(301, 0, 2, [-1080, -20, 1080, 1920]),
    monitor(302, 1, 1, [0, 0, 2560, 1440]),
  ]);
  expect(parseMonitors(reply)).toEqual([
    { name: 301, isPrimary: false, area: { x: -1080, y: -20, width: 1080, height: 1920 } },
    { name: 302, isPrimary: true, area: { x: 0, y: 0, width: 2560, height: 1440 } },
  ]);
});

it.each([
  ['Xft.dpi:\t120\n', 1.25],
  ['*background: #fff\nXft.dpi: 192\nXcursor.size: 24', 2],
  ['Xft.dpi: 0', 1],
  ['Xft.dpi: many', 1],
  ['', 1],
])('the resources %j mean scale %d', (resources, scale) => expect(scaleOf(resources)).toBe(scale));

it.each([
  [':0', { number: '0', screen: 0, socket: { path: '/tmp/.X11-unix/X0' } }],
  ['unix:7.1', { number: '7', screen: 1, socket: { path: '/tmp/.X11-unix/X7' } }],
  ['localhost:10.0', { number: '10', screen: 0, socket: { host: 'localhost', port: 6010 } }],
  ['', null],
  ['0', null],
  ['/tmp/socket', null],
])('DISPLAY %j', (name, address) => expect(parseDisplayName(name)).toEqual(address));

it('the cookie of this computer is preferred, then any for the display; a torn file gives none', () => {
  const text = (words: string) => {
    const bytes = Buffer.from(words, 'latin1');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const entry = (family: number, address: string, display: string, data: string) =>
    Buffer.concat([
      Buffer.from([family >> 8, family & 255]),
      ...[address, display, 'MIT-MAGIC-COOKIE-1', data].map(text),
    ]);
  const name = 'MIT-MAGIC-COOKIE-1';
  const old = entry(256, 'old-name', '0', 'old');
  const file = Buffer.concat([entry(256, 'here', '1', 'one'), old, entry(256, 'here', '0', 'mine')]);
  expect(findCookie(file, '0', 'here')).toEqual({ name, data: 'mine' });
  expect(findCookie(file, '1', 'here')).toEqual({ name, data: 'one' });
  expect(findCookie(file, '0', 'renamed')).toEqual({ name, data: 'old' });
  expect(findCookie(file, '9', 'here')).toEqual({ name: '', data: '' });
  expect(findCookie(Buffer.concat([old, entry(65_535, '', '', 'any')]), '0', 'here')).toEqual({ name, data: 'any' });
  expect(findCookie(old.subarray(0, -1), '0', 'here')).toEqual({ name: '', data: '' });
});
