import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameOf, kindOf, noteBytes, textIssue, titleOf } from '../../../src/server/notes/note-rules.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const characters = (text: string): number => [...text].length;

describe('The text of a note', () => {
  it('may have 200,000 characters, counted as code points', () => {
    expect(textIssue('a'.repeat(200_000))).toBeNull();
    expect(textIssue('😀'.repeat(200_000))).toBeNull();
    expect(textIssue('a'.repeat(200_001))).toEqual({ path: '/text', message: 'must be at most 200,000 characters' });
    expect(textIssue('😀'.repeat(200_001))).not.toBeNull();
  });
  it('must not be empty', () => {
    expect(textIssue('')?.message).toBe('must not be empty');
    expect(textIssue(' ')).toBeNull();
  });
  it('must have a UTF-8 form', () => {
    expect(textIssue('a\ud800b')?.message).toContain('valid Unicode');
    expect(textIssue('\udc00\ud800')).not.toBeNull();
  });
  it('keeps control characters, line ends and compositions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        expect(textIssue(text)).toBeNull();
        expect(noteBytes(text).toString('utf8')).toBe(text);
      }),
    );
    expect(noteBytes('\0\r\n\ufeffe\u0301').toString('hex')).toBe('000d0aefbbbf65cc81');
  });
});

describe('The language of a note', () => {
  it('belongs to code, and is text when none is named', () => {
    expect(kindOf({ format: 'code', language: 'go' }, null)).toEqual({ format: 'code', language: 'go' });
    expect(kindOf({ format: 'code' }, null)).toEqual({ format: 'code', language: 'text' });
    expect(kindOf({ format: 'plain' }, null)).toEqual({ format: 'plain', language: null });
    expect(kindOf({ format: 'markdown', language: null }, null)).toEqual({ format: 'markdown', language: null });
  });
  it('is refused with any other format', () => {
    const issue = { path: '/language', message: 'belongs to code; leave it out for other formats' };
    expect(kindOf({ format: 'markdown', language: 'go' }, null)).toEqual(issue);
    expect(kindOf({ language: 'go' }, { format: 'plain', language: null })).toEqual(issue);
  });
  it('changes with the format and stays without a change', () => {
    const go = { format: 'code', language: 'go' } as const;
    expect(kindOf({}, go)).toEqual(go);
    expect(kindOf({ language: 'rust' }, go)).toEqual({ format: 'code', language: 'rust' });
    expect(kindOf({ language: null }, go)).toEqual({ format: 'code', language: 'text' });
    expect(kindOf({ format: 'plain', language: null }, go)).toEqual({ format: 'plain', language: null });
    expect(kindOf({ format: 'plain' }, go)).toEqual({ format: 'plain', language: null });
    expect(kindOf({ format: 'code' }, { format: 'plain', language: null })).toEqual({
      format: 'code',
      language: 'text',
    });
  });
});

describe('The title of a note that was given none', () => {
  it.each([
    ['plain', '\n\n  Buy milk  \nand bread', 'Buy milk'],
    ['plain', '# not Markdown', '# not Markdown'],
    ['plain', 'a\tb\0c', 'a b c'],
    ['plain', ' \n\t\r\n', 'Untitled note'],
    ['code', '// main.go\npackage main', '// main.go'],
    ['code', '{\n  "name": "linkshot"\n}\n', '"name": "linkshot"'],
    ['code', '[]', '[]'],
    ['markdown', '# The *big* [plan](https://example.org)\n\ntext', 'The big plan'],
    ['markdown', 'Setext\n===', 'Setext'],
    ['markdown', '\ufeff# After a byte order mark', 'After a byte order mark'],
    ['markdown', '- [ ] ~~one~~ `two`\n- three', '[ ] one two'],
    ['markdown', '> quoted **text**', 'quoted text'],
    ['markdown', '![logo](https://example.org/a.png)\n\n# Name', 'logo'],
    ['markdown', '<!-- hidden -->\n\n<h1 align="center">Name</h1>', 'Name'],
    ['markdown', '---\n\n***\n\nAfter rules', 'After rules'],
    ['markdown', '```js\nrun()\n```', 'run()'],
    ['markdown', 'a &amp; b \\* c', 'a & b * c'],
    ['markdown', '[a]: https://example.org', '[a]: https://example.org'],
    ['markdown', '\n \n', 'Untitled note'],
  ] as const)('is the first line with text (%s %j)', (format, text, title) => {
    expect(titleOf(text, format)).toBe(title);
  });
  it('has at most 180 characters, counted as code points', () => {
    expect(titleOf('a'.repeat(180), 'plain')).toBe('a'.repeat(180));
    expect(titleOf('😀'.repeat(181), 'plain')).toBe(`${'😀'.repeat(179)}…`);
  });
  it('is one well-formed line of 1 to 180 characters, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
          fc.string({ unit: 'grapheme', maxLength: 9_000 }),
        ),
        fc.constantFrom('plain', 'markdown', 'code'),
        (text, format) => {
          const title = titleOf(text, format);
          expect(title.trim()).toBe(title);
          expect(title.isWellFormed()).toBe(true);
          expect(title).not.toMatch(/[\p{Cc}\n]/u);
          expect(characters(title)).toBeGreaterThan(0);
          expect(characters(title)).toBeLessThanOrEqual(180);
        },
      ),
    );
  });
  it('is found at once in a hostile text', () => {
    const spent = cpuMs(() => {
      for (const piece of ['\n', ' ', '<', '[', '*a ', '> ', '\t\n'])
        titleOf(piece.repeat(200_000 / piece.length), 'markdown');
    });
    expect(spent).toBeLessThan(5_000);
  });
});

describe('The file name of a note', () => {
  const plain = { format: 'plain', language: null } as const;
  it.each([
    ['Shopping list', plain, 'Shopping list.txt'],
    ['Plan: a/b\\c?', { format: 'markdown', language: null }, 'Plan a b c.md'],
    ['main.go', { format: 'code', language: 'go' }, 'main.go'],
    ['a"\r\nb', plain, 'a b.txt'],
    ['...', plain, 'note.txt'],
    ['\u202efdp', { format: 'code', language: 'cpp' }, 'fdp.cpp'],
  ] as const)('is the title with an ending: %j', (title, kind, name) => {
    expect(fileNameOf(title, kind)).toBe(name);
  });
  it('has at most 180 characters', () => {
    expect(characters(fileNameOf('😀'.repeat(180), plain))).toBe(180);
  });
});
