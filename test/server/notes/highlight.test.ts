import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASTE_LANGUAGES } from '../../../src/api/content.ts';
import {
  codeBlock,
  escapeHtml,
  numberedLines,
  plainBlock,
  readableCode,
} from '../../../src/common/rendering/code-html.ts';
import {
  type Grammar,
  grammarOfFence,
  grammarOfFile,
  grammarOfNote,
} from '../../../src/common/rendering/code-languages.ts';
import { highlight } from '../../../src/common/rendering/highlight.ts';
import { type HtmlParser, openHtmlParser } from '../../support/audit/html-parser.ts';
import { dangersIn } from '../../support/audit/safe-html.ts';

let parser: HtmlParser;
beforeAll(async () => {
  parser = await openHtmlParser();
});
afterAll(() => parser.close());

/** A line of each language with a word that its grammar knows. */
const SAMPLES: Readonly<Record<Grammar & (typeof PASTE_LANGUAGES)[number], readonly [code: string, word: string]>> = {
  javascript: ['const a = () => 1;', 'const'],
  typescript: ['interface A { b: string }', 'interface'],
  json: ['{"a": true}', 'true'],
  python: ['def f(): return None', 'def'],
  bash: ['if [ -f a ]; then echo b; fi', 'then'],
  css: ['a { color: red }', 'color'],
  xml: ['<a href="b">c</a>', 'href'],
  sql: ['SELECT a FROM b;', 'SELECT'],
  rust: ['fn main() {}', 'fn'],
  go: ['func main() {}', 'func'],
  c: ['int main(void) { return 0; }', 'return'],
  cpp: ['class A { virtual void f(); };', 'virtual'],
  csharp: ['namespace A { }', 'namespace'],
  yaml: ['a: true', 'true'],
};

const grammars = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[];
const page = (code: string, grammar: Grammar): string =>
  codeBlock(numberedLines(highlight(readableCode(code), grammar) ?? escapeHtml(readableCode(code))));

describe('Code is coloured', () => {
  it('in each language of the API but text', () => {
    expect(PASTE_LANGUAGES.map(grammarOfNote)).toEqual([null, ...grammars]);
  });
  it.each(grammars)('%s', (grammar) => {
    const [code, word] = SAMPLES[grammar];
    expect(highlight(code, grammar)).toMatch(new RegExp(`<span class="hljs-[a-z_ -]+">${word}</span>`));
  });
  it.each([
    ['src/index.ts', 'typescript'],
    ['a/b.d/App.TSX', 'typescript'],
    ['page.html', 'xml'],
    ['Cargo.toml', 'ini'],
    ['Dockerfile', 'dockerfile'],
    ['sub/Makefile', 'makefile'],
    ['.bashrc', 'bash'],
    ['README.md', 'markdown'],
    ['LICENSE', null],
    ['notes.unknown', null],
    ['constructor', null],
    ['a.constructor', null],
    ['a.', null],
    ['', null],
  ])('in a folder by the name of the file: %s is %s', (path, grammar) => {
    expect(grammarOfFile(path)).toBe(grammar);
  });
  it('in a fence by its first word', () => {
    expect(['ts', 'C++', 'sh', 'HTML', 'klingon'].map(grammarOfFence)).toEqual([
      'typescript',
      'cpp',
      'bash',
      'xml',
      null,
    ]);
  });
});

describe('Highlighted code is the code', () => {
  it('character by character and nothing that acts, whatever the code', async () => {
    const pieces = fc.oneof(
      fc.constantFrom(...grammars.flatMap((grammar) => SAMPLES[grammar])),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\t',
        '  ',
        '"',
        "'",
        '`',
        '${',
        '}',
        '/*',
        '*/',
        '//',
        '<!--',
        '<?php',
        '<%',
        '<script>',
      ),
      fc.constantFrom(
        '</span>',
        '<span class="x">',
        '</code></pre>',
        '&lt;',
        '&amp;',
        '" onclick="',
        '\0',
        '\u202e',
        '😀',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const codes = fc.sample(
      fc.array(pieces, { maxLength: 30 }).map((some) => some.join('')),
      { numRuns: 150, seed: 3 },
    );
    const all = codes.flatMap((code) => grammars.map((grammar) => ({ code, html: page(code, grammar) })));
    const parsed = await parser.parse(...all.map(({ html }) => html));
    const bad = parsed.filter(
      (elements, index) =>
        dangersIn(elements).length > 0 || elements[0]?.text !== readableCode(all[index]?.code ?? '').toWellFormed(),
    );
    expect(bad).toEqual([]);
    expect(parsed).toHaveLength(150 * grammars.length);
  });
  it('with invisible and reordering characters made visible', () => {
    expect(readableCode('a\0\x1b[31m\x7f\u202eb\u2066\r\nc\rd\te')).toBe('a␀␛[31m\ufffd\ufffdb\ufffd\nc\nd\te');
  });
  it('without a byte order mark at its beginning, as plain text too', () => {
    expect(readableCode('\ufeffa\ufeff')).toBe('a\ufeff');
    expect(plainBlock('\ufeff\na')).toBe(plainBlock('\na'));
  });
});

describe('Lines are numbered', () => {
  it('and a comment over several lines is coloured on each', () => {
    expect(numberedLines(highlight('/* a\nb */\n', 'css') ?? '')).toBe(
      '<span class="line" id="L1"><span class="hljs-comment">/* a\n</span></span>' +
        '<span class="line" id="L2"><span class="hljs-comment">b */</span>\n</span>',
    );
  });
  it('also when the last has no end, or all are empty', () => {
    const count = (text: string) => numberedLines(escapeHtml(text)).match(/class="line"/g)?.length;
    expect(['a', 'a\n', 'a\nb', '\n\n', ''].map(count)).toEqual([1, 1, 2, 2, 1]);
  });
  it('up to 20,000; more are one block', () => {
    expect(numberedLines('\n'.repeat(20_000))).toContain('id="L20000"');
    expect(numberedLines('\n'.repeat(20_001))).toBe('\n'.repeat(20_001));
  });
  it('and plain text keeps its first empty line', async () => {
    const [elements] = await parser.parse(plainBlock('\n<b>\n'));
    expect(elements?.map(({ tag, text }) => [tag, text])).toEqual([['pre', '\n<b>\n']]);
  });
});

describe('Code that would cost too much is shown plain', () => {
  it.each([
    ['a line made by a machine', `a${'+1'.repeat(6_000)}`],
    ['a text beyond the limit', 'a;\n'.repeat(140_000)],
    ['templates in templates', '`${'.repeat(100)],
  ])('%s', (_, code) => {
    expect(highlight(code, 'javascript')).toBeNull();
  });
  it('but 200,000 characters of ordinary code are coloured', () => {
    expect(highlight('const answer: number = 42; // so\n'.repeat(6_000), 'typescript')).toContain('hljs-keyword');
  });
});
