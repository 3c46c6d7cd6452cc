import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HEADLINES } from './headlines.ts';
import { type BenchRecord, checkFigures, measuredLine, replaced, sectionOf, summary, withSection } from './record.ts';

const docs = (name: string): string => readFileSync(resolve(import.meta.dirname, '../../docs', name), 'utf8');
const page = docs('benchmarks.md');
const record = JSON.parse(docs('benchmarks.json')) as BenchRecord;

describe('the document of the benchmarks', () => {
  it('shows in its summary exactly the figures of benchmarks.json', () => {
    expect(sectionOf(page, 'summary')).toBe(summary(record));
  });

  it('names in every section the commit that was measured, as benchmarks.json does', () => {
    const names = [...page.matchAll(/<!-- bench:([\w-]+) start -->/g)].map(([, name = '']) => name);
    for (const name of names.filter((each) => each !== 'summary' && sectionOf(page, each) !== '')) {
      const section = record[name];
      expect(section, `benchmarks.json lacks ${name}`).toBeDefined();
      expect(sectionOf(page, name)?.split('\n')[0]).toBe(section && measuredLine(section));
    }
  });

  it('has a section for every headline', () => {
    for (const { section } of HEADLINES) expect(sectionOf(page, section), section).not.toBeNull();
  });

  it('marks a figure that was measured with uncommitted changes', () => {
    const dirty = { commit: '1234abcd', dirty: true, machine: 'Here.', figures: {} };
    expect(measuredLine(dirty)).toBe('Measured at `1234abcd` with uncommitted changes. Here.');
  });

  it('keeps the figures of each other processor, the newest of each, where a headline depends on the processor', () => {
    const of = (commit: string, hashSpeed: number) => ({ commit, dirty: false, machine: '', hashSpeed, figures: {} });
    const commits = ({ commit, otherProcessors = [] }: ReturnType<typeof replaced>) => [
      commit,
      ...otherProcessors.map((other) => other.commit),
    ];
    const fast = replaced(undefined, 'drop', of('aaaa1111', 1.8));
    const slow = replaced(fast, 'drop', of('bbbb2222', 0.9));
    const third = replaced(slow, 'drop', of('cccc3333', 1.3));
    const again = replaced(third, 'drop', of('dddd4444', 1.82));
    expect(commits(fast)).toEqual(['aaaa1111']);
    expect(commits(slow)).toEqual(['bbbb2222', 'aaaa1111']);
    expect(commits(third)).toEqual(['cccc3333', 'aaaa1111', 'bbbb2222']);
    expect(commits(again)).toEqual(['dddd4444', 'cccc3333', 'bbbb2222']);
    expect(commits(replaced(of('aaaa1111', 1.8), 'capture', of('bbbb2222', 0.9)))).toEqual(['bbbb2222']);
  });

  it('shows the figures of other processors below the others', () => {
    const other = { ...{ commit: '1234abcd', dirty: false, machine: '' }, hashSpeed: 0.9 };
    const upload = { ...other, figures: { '100 MiB: wall / tus': 2 }, otherProcessors: [] };
    expect(summary({ upload })).not.toContain('another speed');
    const figures = { '100 MiB: wall / tus': 1 };
    expect(summary({ upload: { ...upload, otherProcessors: [{ ...other, hashSpeed: 1.8, figures }] } })).toContain(
      '| upload | 100 MiB: wall / tus | 1.00 | <= 0.7 | `1234abcd` | 1.8 GB/s |',
    );
  });

  it('replaces one section and keeps every word around it', () => {
    const before =
      'a\n<!-- bench:x start -->\n\nold\n\n<!-- bench:x end -->\nb\n<!-- bench:y start -->\n<!-- bench:y end -->\n';
    const after = withSection(before, 'x', 'new');
    expect(after).toBe(before.replace('old', 'new'));
    expect(() => withSection(before, 'z', 'new')).toThrow('no markers for z');
  });

  it('takes from a benchmark exactly the figures of its headlines, as finite numbers', () => {
    const figures = { 'Start to home: wall / bare page': 3, 'Start to library: wall / bare page': 4 };
    expect(() => checkFigures('ui', figures)).not.toThrow();
    expect(() => checkFigures('ui', { ...figures, other: 1 })).toThrow('unknown [other]');
    expect(() => checkFigures('ui', { ...figures, 'Start to home: wall / bare page': Number.NaN })).toThrow(
      'missing [Start to home: wall / bare page]',
    );
  });
});
