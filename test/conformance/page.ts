/** Makes docs/conformance.md from the rules and the titles of the tests, and tells what does not fit together. */
import { resolve } from 'node:path';
import type { Rule } from './rules/rule.ts';
import { RULES } from './rules.ts';
import { type TestTitle, testTitles } from './titles.ts';

export const CONFORMANCE_PAGE = resolve(import.meta.dirname, '../../docs/conformance.md');

const INTRODUCTION = `# Conformance

Every rule of the API document, and of the decisions where it is silent (*decided*), with the tests that prove it. Made from the
rules in \`test/conformance/rules/\` and the titles of the tests by \`node scripts/docs/conformance.ts\`; a test fails when a rule has no
test, a named test is gone, or this page is stale. \`%s\` and the like stand for the cases of a table.
`;

export interface Conformance {
  readonly page: string;
  /** A sentence for each rule without a test, each test that does not exist, and each id that is there twice. */
  readonly faults: readonly string[];
}

export const conformance = (): Conformance => {
  const titles = testTitles();
  const faults: string[] = [];
  const ids = new Set<string>();
  const proved = RULES.map((rule) => {
    if (ids.has(rule.id)) faults.push(`Two rules have the id ${rule.id}.`);
    ids.add(rule.id);
    if (rule.tests.length === 0) faults.push(`${rule.id} has no test: ${rule.sentence}`);
    return { rule, tests: rule.tests.flatMap((reference) => find(reference, titles, rule, faults)) };
  });
  const sections = [...new Set(RULES.map(({ section }) => section))].map((section) => {
    const rows = proved.filter(({ rule }) => rule.section === section).map(({ rule, tests }) => rowOf(rule, tests));
    return `## ${section}\n\n| | Rule | Tests |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  const named = new Set(proved.flatMap(({ tests }) => tests)).size;
  const summary = `${RULES.length} rules (${RULES.filter(({ decided }) => decided).length} decided), ${named} tests.\n`;
  return { page: [INTRODUCTION, summary, ...sections].join('\n'), faults };
};

const find = (
  reference: string,
  titles: readonly TestTitle[],
  { id }: Rule,
  faults: string[],
): readonly TestTitle[] => {
  const [path = '', text = ''] = reference.split(/: (.*)/s);
  const ofFile = titles.filter(({ file }) => file === path || file.endsWith(`/${path}`));
  const found = ofFile.filter(({ title }) => title.includes(text));
  if (new Set(ofFile.map(({ file }) => file)).size > 1) faults.push(`${id}: more than one file is ${path}.`);
  if (found.length === 0) faults.push(`${id}: there is no test "${reference}".`);
  return found;
};

const rowOf = ({ id, sentence, decided }: Rule, tests: readonly TestTitle[]): string => {
  const byFile = Map.groupBy(new Set(tests), ({ file }) => file);
  const cells = [...byFile].map(
    ([file, those]) => `\`${file}\`: ${those.map(({ title }) => escaped(title)).join('; ')}`,
  );
  return `| ${id} | ${escaped(sentence)}${decided ? ' *(decided)*' : ''} | ${cells.join('<br>')} |`;
};

const escaped = (text: string): string => text.replace(/[|<>*_`]/g, '\\$&');
