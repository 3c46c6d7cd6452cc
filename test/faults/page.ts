/**
 * Generates docs/reliability.md from the fault cases and the titles of their tests, and reports mismatches between
 * them.
 */
import { resolve } from 'node:path';
import { type TestTitle, testTitles } from '../conformance/titles.ts';
import { FAULT_CASES, type FaultCase } from './cases.ts';

export const RELIABILITY_PAGE = resolve(import.meta.dirname, '../../docs/reliability.md');

const INTRODUCTION = `# Reliability

What can go wrong with an upload, what is guaranteed then, and the tests that verify it. In every case exactly one item is published
or none, the published bytes are the hashed bytes, a capture is never lost, and the queue continues.

The tests run a real engine against the real server, with a proxy between them that resets, stalls, truncates, corrupts, duplicates,
delays or answers requests (\`test/faults/fault-proxy.ts\`). The same guarantees are verified at random moments by the kill campaigns
(\`npm run test:kill\`) and, over thousands of seeds in virtual time, by the simulation (\`test/simulation\`, \`npm run test:long\`).
That no acknowledged byte is written again is verified with parts that come late, more than once and in any order, while the server
is killed (\`npm run test:late-parts\`).

A recording is not yet an upload: when the app is killed or the computer loses power, at most its last three seconds are lost.
\`test/faults/recording-kill.test.ts\` tests a few moments, \`npm run test:recording-kill\` several in each of ten seconds. For the
power cut the profile is on its own ext4 file system; the data written to that disk at the moment is copied, mounted and
recovered. Where mounting is not permitted, that test is skipped and says so. The last campaign, on two busy cores, lost at most
0.33 s in 55 kills and at most 1.76 s in 55 power cuts.

Generated from \`test/faults/cases.ts\` and the titles of the tests by \`node scripts/docs/reliability.ts\`; a test fails when a case has no
test, a test names no case, or this page is stale. \`%s\` and similar are placeholders for the cases of a table.
`;

const TITLE = /(?:^|> )fault (\d+): /;

/** The number of the fault case that a test with this title verifies; null: it verifies none. */
export const faultOf = (title: string): number | null => {
  const number = TITLE.exec(title)?.[1];
  return number === undefined ? null : Number(number);
};

export interface Reliability {
  readonly page: string;
  /** A sentence for each case without a test and each test without a case. */
  readonly faults: readonly string[];
}

export const reliability = (): Reliability => {
  const tests = Map.groupBy(
    testTitles().filter(({ title }) => faultOf(title) !== null),
    ({ title }) => faultOf(title) ?? 0,
  );
  const known = new Set(FAULT_CASES.map(({ number }) => number));
  const faults = [
    ...FAULT_CASES.filter(({ number }) => !tests.has(number)).map(
      ({ number, name }) => `Fault ${number} has no test: ${name}.`,
    ),
    ...[...tests.keys()].filter((number) => !known.has(number)).map((number) => `There is no fault ${number}.`),
  ];
  const rows = FAULT_CASES.map((known) => rowOf(known, tests.get(known.number) ?? []));
  const count = [...tests.values()].reduce((sum, those) => sum + those.length, 0);
  const summary = `${FAULT_CASES.length} cases, ${count} tests.\n`;
  const table = `| | Case | Guarantee | Tests |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  return { page: [INTRODUCTION, summary, table].join('\n'), faults };
};

const rowOf = ({ number, name, promise }: FaultCase, tests: readonly TestTitle[]): string => {
  const cells = [...Map.groupBy(tests, ({ file }) => file)].map(
    ([file, those]) =>
      `\`${file}\`: ${those.map(({ title }) => escaped(title.replace(TITLE, '> ').replace(/^> /, ''))).join('; ')}`,
  );
  return `| ${number} | ${escaped(name)} | ${escaped(promise)} | ${cells.join('<br>')} |`;
};

const escaped = (text: string): string => text.replace(/[|<>*_`]/g, '\\$&');
