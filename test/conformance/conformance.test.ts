/** docs/conformance.md keeps what it promises: every rule has tests, and they exist. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONFORMANCE_PAGE, conformance } from './page.ts';
import { testTitles } from './titles.ts';

it('every rule has a test, and every test that is named exists', () => {
  expect(conformance().faults).toEqual([]);
});

it('docs/conformance.md is what `node scripts/docs/conformance.ts` makes', () => {
  expect(readFileSync(CONFORMANCE_PAGE, 'utf8')).toBe(conformance().page);
});

it('titles are read with their groups, also those of tables', () => {
  const titles = testTitles().map(({ file, title }) => `${file}: ${title}`);
  expect(titles).toContain('conformance/conformance: titles are read with their groups, also those of tables');
  expect(titles).toContain('server/uploads/start: a start > with %s is 400 INVALID_INPUT that names the field');
  expect(titles).toContain('server/uploads/parts: a part > with index %s is 400');
});
