/** The two ways that docs/architecture.md tells exist: each station names a file and a function in it. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const MOST = 25;
const page = readFileSync('docs/architecture.md', 'utf8');
const ways = page.split(/^## /m).filter((section) => section.startsWith('The way of one'));

it('exist for a file and for a capture', () => {
  expect(ways.map((way) => way.split(':')[0])).toEqual(['The way of one file', 'The way of one capture']);
});

describe.each(ways.map((way) => [way.split('\n')[0], way] as const))('%s', (_, way) => {
  const stations = [...way.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, text = '']) => ({ number, text }));

  it('has few stations, numbered in order', () => {
    expect(stations.length).toBeGreaterThan(15);
    expect(stations.length).toBeLessThanOrEqual(MOST);
    expect(stations.map(({ number }) => Number(number))).toEqual(stations.map((_, index) => index + 1));
  });

  it.each(stations)('$number: $text', ({ text }) => {
    const named = [...text.matchAll(/`(src\/[^`]+)` `([^`]+)`/g)];
    expect(named).not.toEqual([]);
    for (const [, file = '', name = ''] of named) {
      expect(existsSync(file), file).toBe(true);
      expect(readFileSync(file, 'utf8'), `${name} in ${file}`).toMatch(new RegExp(`(?<![\\w.])${name}\\b`));
    }
  });
});
