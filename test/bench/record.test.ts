import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summary } from './headlines/headline-record.ts';
import { HEADLINES } from './headlines/headlines.ts';
import { type BenchRecord, measuredLine, recordText, sectionOf, withSection } from './record.ts';

const docs = (name: string): string => readFileSync(resolve(import.meta.dirname, '../../docs', name), 'utf8');
const page = docs('benchmarks.md');
const record = JSON.parse(docs('benchmarks.json')) as BenchRecord;

describe('the document of the benchmarks', () => {
  it('is written as the formatter leaves it', () => {
    expect(docs('benchmarks.json')).toBe(recordText(record));
  });

  it('shows in its summary exactly the figures of benchmarks.json', () => {
    expect(sectionOf(page, 'summary')).toBe(summary(record.headlines));
  });

  it('names in every section the commit that was measured, as benchmarks.json does', () => {
    const names = [...page.matchAll(/<!-- bench:([\w-]+) start -->/g)].map(([, name = '']) => name);
    for (const name of names.filter((each) => each !== 'summary' && sectionOf(page, each) !== '')) {
      const section = record.sections[name];
      expect(section, `benchmarks.json lacks ${name}`).toBeDefined();
      expect(sectionOf(page, name)?.split('\n')[0]).toBe(section && measuredLine(section));
    }
  });

  it('has a section for every headline', () => {
    for (const { section } of HEADLINES) expect(sectionOf(page, section), section).not.toBeNull();
  });

  it('marks a figure that was measured with uncommitted changes', () => {
    const dirty = { commit: '1234abcd', dirty: true, machine: 'Here.' };
    expect(measuredLine(dirty)).toBe('Measured at `1234abcd` with uncommitted changes. Here.');
  });

  it('replaces one section and keeps every word around it', () => {
    const before =
      'a\n<!-- bench:x start -->\n\nold\n\n<!-- bench:x end -->\nb\n<!-- bench:y start -->\n<!-- bench:y end -->\n';
    const after = withSection(before, 'x', 'new');
    expect(after).toBe(before.replace('old', 'new'));
    expect(() => withSection(before, 'z', 'new')).toThrow('no markers for z');
  });
});
