/** The count of the parts of a form and the charsets that they name, beside the parser of forms. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFormPartCounter } from '../../../src/server/uploads/form-part-counter.ts';

const HEAD = 'Content-Disposition: form-data; name="a"\r\n\r\n';
const TYPE = 'Content-Type: text/plain; charset=a';
const seen = (chunks: readonly string[], contentType = 'multipart/form-data; boundary=x-y') => {
  const counter = createFormPartCounter(contentType);
  for (const chunk of chunks) counter.see(Buffer.from(chunk));
  return counter;
};
const count = (chunks: readonly string[], contentType?: string) => seen(chunks, contentType).count();
/** The body in chunks, however it is cut. */
const cut = (body: string) =>
  fc.array(fc.nat(body.length)).map((cuts) => {
    const at = [0, ...cuts.sort((a, b) => a - b), body.length];
    return at.slice(1).map((end, index) => body.slice(at[index], end));
  });

it.each<[what: string, body: string, parts: number]>([
  ['an empty form', '--x-y--\r\n', 0],
  ['no form', 'text', 0],
  ['two parts', `--x-y\r\n${HEAD}1\r\n--x-y\r\n${HEAD}2\r\n--x-y--\r\n`, 2],
  ['parts without a head', '--x-y\r\n--x-y\r\n\r\n--x-y--', 2],
  ['blanks after the boundary', `--x-y \t\r\n${HEAD}1\r\n--x-y--`, 1],
  ['text before and after the parts', `before\r\n--x-y\r\n${HEAD}1\r\n--x-y--\r\nafter\r\n--x-y\r\n${HEAD}2`, 1],
  ['what is no delimiter', `--x-y\r\n${HEAD}1--x-y\n--x-y \r\n-x-y\r\n--x-\r--x-y\r\n--x-y--`, 1],
  ['line breaks before delimiters', `\r\n\r\n--x-y\r\n${HEAD}\r\n\r\r\n--x-y\r\n${HEAD}\r\n--x-y-\r\n`, 3],
])('%s: the same count however the body is cut into chunks', (_, body, parts) => {
  expect(count([body])).toBe(parts);
  expect(count([...body])).toBe(parts);
  fc.assert(
    fc.property(cut(body), (chunks) => {
      expect(count(chunks)).toBe(parts);
    }),
    { seed: 1, numRuns: 50 },
  );
});

it.each([
  'multipart/form-data; charset=utf-8; boundary=x-y',
  'Multipart/Form-Data;BOUNDARY="x-y"',
  'multipart/form-data; boundary="x\\-y"; boundary=other',
])('the boundary is that of %s', (contentType) => {
  expect(count([`--x-y\r\n${HEAD}1\r\n--x-y--`], contentType)).toBe(1);
});

it('a type without a boundary has no parts', () => {
  expect(count(['--null\r\n--\r\n--undefined\r\n'], 'multipart/form-data')).toBe(0);
});

it('each part names the charset of its own first type, however the body is cut into chunks', () => {
  const types: readonly [head: string, charset: string | null][] = [
    ['Content-Type: text/plain; charset=windows-1252', 'windows-1252'],
    ['Content-Type: text/plain', null],
    ['content-type:text/plain;format=flowed;CHARSET="UTF-8"', 'UTF-8'],
    ['Content-Type: text/plain;\r\n\tcharset = koi8-r ; a=b', 'koi8-r'],
    ['Content-Type: text/plain; charset=a\r\nContent-Type: text/plain; charset=b', 'a'],
    ['X-Content-Type: text/plain; charset=a', null],
    ['Content-Type: text/plain; charset=', null],
    [`Content-Type: text/plain; charset=${'x'.repeat(100)}`, 'x'.repeat(64)],
  ];
  const value = 'Content-Type: text/plain; charset=a\r\n\r\nContent-Type: text/plain; charset=b';
  const disposition = 'Content-Disposition: form-data; name="a"';
  const body = `${types.map(([head]) => `--x-y\r\n${disposition}\r\n${head}\r\n\r\n${value}\r\n`).join('')}--x-y--\r\n`;
  const named = types.map(([, charset]) => charset);
  fc.assert(
    fc.property(cut(body), (chunks) => {
      const { charsetOf } = seen(chunks);
      expect(types.map((_, part) => charsetOf(part))).toEqual(named);
    }),
    { seed: 1, numRuns: 50 },
  );
  const { charsetOf } = seen([...body]);
  expect(types.map((_, part) => charsetOf(part))).toEqual(named);
});

it('of many parts and long ones it remembers no more than a form may have', () => {
  const long = `--x-y\r\nContent-Disposition: form-data; name="a"; x="${'x'.repeat(100_000)}"\r\nContent-Type: text/plain; charset=a`;
  const { count, charsetOf } = seen([
    `${long}\r\n\r\n`,
    ...Array.from({ length: 1_000 }, () => `\r\n--x-y\r\n${TYPE}\r\n`),
  ]);
  expect([count(), charsetOf(0), charsetOf(1), charsetOf(63), charsetOf(64)]).toEqual([1_001, null, 'a', 'a', null]);
});
