/** The count of the parts of a form, beside the parser of forms. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFormPartCounter } from '../../../src/server/uploads/form-part-counter.ts';

const HEAD = 'Content-Disposition: form-data; name="a"\r\n\r\n';
const count = (chunks: readonly string[], contentType = 'multipart/form-data; boundary=x-y') => {
  const counter = createFormPartCounter(contentType);
  for (const chunk of chunks) counter.see(Buffer.from(chunk));
  return counter.count();
};

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
    fc.property(fc.array(fc.nat(body.length)), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), body.length];
      expect(count(at.slice(1).map((end, index) => body.slice(at[index], end)))).toBe(parts);
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
