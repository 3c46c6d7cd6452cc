/** docs/reliability.md is up to date, and every fault case has its tests. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testTitles } from '../conformance/titles.ts';
import { isOnNodes, NOT_ON_NODES } from '../on-engines.ts';
import { FAULT_CASES } from './cases.ts';
import { faultOf, RELIABILITY_PAGE, reliability } from './page.ts';

it('every fault case has a test that carries its number, and no test another number', () => {
  expect(reliability().faults).toEqual([]);
  expect(FAULT_CASES.map(({ number }) => number)).toEqual(
    Array.from({ length: FAULT_CASES.length }, (_, at) => at + 1),
  );
});

it('docs/reliability.md is what `node scripts/docs/reliability.ts` makes', () => {
  expect(readFileSync(RELIABILITY_PAGE, 'utf8')).toBe(reliability().page);
});

it('every fault case has a test that also runs on three nodes, or a reason why none does', () => {
  const onNodes = testTitles().flatMap(({ file, title }) => {
    const number = faultOf(title);
    return number !== null && isOnNodes(`test/${file}.test.ts`) ? [number] : [];
  });
  const numbers = FAULT_CASES.map(({ number }) => number);
  expect(numbers.filter((number) => !onNodes.includes(number))).toEqual([...NOT_ON_NODES.keys()]);
});
