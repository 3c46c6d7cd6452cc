/** Range headers with one range, as the server and the hosts parse them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../src/base/common/http-range.ts';

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', { kind: 'part', start: 0, end: 0 }],
    ['bytes=-1', { kind: 'part', start: 99, end: 99 }],
    ['bytes=-100', { kind: 'part', start: 0, end: 99 }],
    ['bytes=-1000', { kind: 'part', start: 0, end: 99 }],
    ['bytes=5-', { kind: 'part', start: 5, end: 99 }],
    ['bytes=5-9', { kind: 'part', start: 5, end: 9 }],
    ['bytes=90-1000', { kind: 'part', start: 90, end: 99 }],
    ['Bytes=0-1', { kind: 'part', start: 0, end: 1 }],
    ['bytes= \t0-1 ', { kind: 'part', start: 0, end: 1 }],
    ['bytes=0 -1', { kind: 'whole' }],
    ['bytes =0-1', { kind: 'whole' }],
    [null, { kind: 'whole' }],
    ['bytes=100-', { kind: 'unsatisfiable' }],
    ['bytes=100-200', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    [`bytes=${'9'.repeat(400)}-`, { kind: 'unsatisfiable' }],
    ['bytes=0-1,3-4', { kind: 'whole' }],
    ['bytes=9-5', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['bytes=a-b', { kind: 'whole' }],
    ['items=0-1', { kind: 'whole' }],
    ['', { kind: 'whole' }],
    [undefined, { kind: 'whole' }],
  ] as const)('%s of 100 bytes', (header, expected) => {
    expect(parseRange(header, 100)).toEqual(expected);
  });
  it('never exceeds the file, whatever it contains', () => {
    const end = fc.oneof(fc.constant(''), fc.nat(300).map(String), fc.nat().map(String));
    const header = fc.oneof(
      fc.string(),
      fc.tuple(end, end).map(([first, last]) => `bytes=${first}-${last}`),
    );
    fc.assert(
      fc.property(header, fc.oneof(fc.nat(200), fc.nat(2 ** 40)), (text, size) => {
        const range = parseRange(text, size);
        if (range.kind !== 'part') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});
