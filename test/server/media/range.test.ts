import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ifRangeMatches,
  isAsRequired,
  isUnchanged,
  type Validators,
} from '../../../src/server/media/conditional-requests.ts';
import { contentDisposition, downloadName } from '../../../src/server/media/download-headers.ts';

describe('Validators', () => {
  const validators: Validators = { etag: '"abc"', lastModified: new Date('2026-11-20T12:00:00.500Z') };
  it.each([
    [undefined, true],
    ['"abc"', true],
    ['W/"abc"', false],
    ['"other"', false],
    ['Fri, 20 Nov 2026 12:00:00 GMT', true],
    ['Fri, 20 Nov 2026 12:00:01 GMT', false],
    ['Fri, 20 Nov 2026 11:59:59 GMT', false],
    ['nonsense', false],
  ])('If-Range %s', (header, expected) => {
    expect(ifRangeMatches(header, validators)).toBe(expected);
  });
  it.each([
    [{ 'if-none-match': '"abc"' }, true],
    [{ 'if-none-match': 'W/"abc"' }, true],
    [{ 'if-none-match': '"x", "abc"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"x"', 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, false],
    [{ 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, true],
    [{ 'if-modified-since': 'Fri, 20 Nov 2026 11:59:59 GMT' }, false],
    [{}, false],
  ])('%j', (headers, expected) => {
    expect(isUnchanged(headers, validators)).toBe(expected);
  });
});

describe('What a client insists on', () => {
  const validators: Validators = { etag: '"abc"', lastModified: new Date('2026-11-20T12:00:00.500Z') };
  it.each([
    [{ 'if-match': '"abc"' }, true],
    [{ 'if-match': '"x", "abc"' }, true],
    [{ 'if-match': '*' }, true],
    [{ 'if-match': 'W/"abc"' }, false],
    [{ 'if-match': '"x"' }, false],
    [{ 'if-match': '"abc"', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, true],
    [{ 'if-unmodified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, true],
    [{ 'if-unmodified-since': 'Fri, 20 Nov 2026 11:59:59 GMT' }, false],
    [{ 'if-unmodified-since': 'nonsense' }, true],
    [{}, true],
  ])('%j', (headers, expected) => {
    expect(isAsRequired(headers, validators)).toBe(expected);
  });
  it('is never met by a date where the bytes are later than any date that a client may have', () => {
    const edited: Validators = { ...validators, lastModified: 'edited' };
    const [now, later] = ['Fri, 20 Nov 2026 12:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'];
    for (const date of [now, later]) {
      expect(isAsRequired({ 'if-unmodified-since': date }, edited)).toBe(false);
      expect(ifRangeMatches(date, edited)).toBe(false);
      expect(isUnchanged({ 'if-modified-since': date }, edited)).toBe(false);
    }
    expect(isAsRequired({ 'if-unmodified-since': 'nonsense' }, edited)).toBe(true);
    expect(isAsRequired({ 'if-match': '"abc"', 'if-unmodified-since': now }, edited)).toBe(true);
  });
  it('is not validated by a date where the date of the bytes is unknown', () => {
    const undated = { ...validators, lastModified: null };
    expect(isAsRequired({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, undated)).toBe(true);
  });
});

describe('Content-Disposition', () => {
  it.each([
    ['photo.png', 'attachment; filename="photo.png"'],
    ['two words.png', 'attachment; filename="two words.png"'],
    ['"quoted"; x.png', `attachment; filename="_quoted_; x.png"; filename*=UTF-8''%22quoted%22%3B%20x.png`],
    ['фото.png', `attachment; filename="____.png"; filename*=UTF-8''%D1%84%D0%BE%D1%82%D0%BE.png`],
    ["it's (1)*.png", `attachment; filename="it's (1)*.png"`],
    ['100%.png', `attachment; filename="100_.png"; filename*=UTF-8''100%25.png`],
  ])('%s', (name, expected) => {
    expect(contentDisposition('attachment', name)).toBe(expected);
  });
  it('stays one header with one name, whatever the name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        const header = contentDisposition('inline', name);
        expect(header).toMatch(/^inline; filename="[^"\\\r\n]*"(; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]*)?$/);
        const encoded = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
        if (encoded !== undefined) expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
      }),
    );
  });
  it('gives a file an extension that fits its bytes', () => {
    expect(downloadName('page.html', 'image/png')).toBe('page.html.png');
    expect(downloadName('photo', 'image/jpeg')).toBe('photo.jpg');
    expect(downloadName('photo.JPEG', 'image/jpeg')).toBe('photo.JPEG');
    expect(downloadName('clip.mp4', 'video/mp4')).toBe('clip.mp4');
  });
});
