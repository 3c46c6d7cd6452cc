/** A note's format is detected from its name or text, and is plain text when in doubt. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PASTE_LANGUAGES } from '../../../src/api/content.ts';
import { detectNoteKind } from '../../../src/common/rendering/detect-note-kind.ts';
import { CODE_SAMPLES } from '../../support/code-samples.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The language of code, else the format. */
const guess = (text: string, name: string | null = null): string => {
  const { format, language } = detectNoteKind(text, name);
  return language ?? format;
};

describe('by the text', () => {
  it.each(Object.entries(CODE_SAMPLES))('a sample of %s is detected', (language, sample) => {
    expect(guess(sample)).toBe(language === 'text' ? 'plain' : language);
  });

  it.each([
    ['markdown', '# The plan\n\n- [ ] call Ada\n- [x] buy **bread**\n'],
    ['markdown', 'See [the page](https://example.org) and [the other](https://example.org/b).'],
    ['markdown', 'Run it:\n\n```sh\nnpm ci\nnpm test\n```\n'],
    ['markdown', '| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n**Sum**: 3'],
    ['bash', '$ npm ci\n$ npm run build -- --watch\n$ git commit -m "done"\n'],
    ['bash', 'for f in *.png; do\n  convert "$f" "$f.webp"\ndone'],
    ['python', '#!/usr/bin/env python3\nprint(1)'],
    ['javascript', '#!/usr/bin/node\nrun()'],
    ['typescript', '#!/usr/bin/env ts-node\nrun()'],
    ['markdown', '# Start\n\nPut this into a file:\n\n```\n#!/bin/sh\nnpm start\n```\n'],
    ['python', 'import os\nimport sys\n\nfor name in sorted(os.listdir(".")):\n    print(name)\n'],
    ['sql', 'select u.name, count(*)\nfrom users u\nleft join notes n on n.owner = u.id\ngroup by u.name;'],
    ['json', '[1, 2, {"a": null}]'],
    ['json', '{\n  // the name\n  "name": "x",\n}'],
    ['xml', '<div class="card">\n  <p>Hello</p>\n</div>'],
    ['css', '.a{color:red;margin:0}.b:hover{padding:1px 2px}@media print{.a{display:none}}'],
    ['yaml', 'version: 2\nservices:\n  web:\n    image: nginx:1.27\n    ports:\n      - "80:80"\n'],
    ['text', 'package com.example.app;\n\nimport java.util.List;\n\npublic class Main {\n}\n'],
    ['text', 'diff --git a/x b/x\nindex 1234567..89abcde 100644\n@@ -1,2 +1,2 @@\n-a\n+b\n'],
    [
      'plain',
      'Dear Ada,\n\nthe import of the list from yesterday failed. Select a file from the list and try again.\n\nBob',
    ],
    ['plain', 'From: ada@example.org\nTo: bob@example.org\nSubject: Lunch\n\nAt noon, as always: the usual place.'],
    ['plain', '2026-11-20 12:00:01 INFO started in 12 ms\n2026-11-20 12:00:02 WARN slow: 900 ms\n'],
    ['plain', '- apples\n- bread\n- milk'],
    ['plain', 'Error: ENOENT: no such file or directory\n    at open (node:fs:573:18)\n    at run (/srv/app.js:3:9)\n'],
    ['plain', 'Привет! Вот список: хлеб, молоко.'],
    ['plain', ''],
  ])('%s: %j', (kind, text) => {
    expect(guess(text)).toBe(kind);
  });

  const shareOf = (glob: string, isRight: (kind: string) => boolean): number => {
    const files = globSync(glob, { cwd: ROOT }).filter(
      (path, index) => index % 3 === 0 && !/migrations|styles|tokens/.test(path),
    );
    const right = files.filter((path) => isRight(guess(readFileSync(join(ROOT, path), 'utf8'))));
    return right.length / files.length;
  };

  it('files of this project are detected by their text alone', () => {
    expect(
      shareOf('{src,test}/**/*.{ts,tsx}', (kind) => kind === 'typescript' || kind === 'javascript'),
    ).toBeGreaterThan(0.97);
    expect(shareOf('src/**/*.css', (kind) => kind === 'css')).toBeGreaterThan(0.9);
    expect(shareOf('{docs/*.md,*.md}', (kind) => kind === 'markdown')).toBe(1);
    expect(shareOf('*.json', (kind) => kind === 'json')).toBe(1);
  });

  it('any text gets a type that the service accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.lorem({ maxCount: 50 })), (text) => {
        const { format, language } = detectNoteKind(text, null);
        expect(language === null).toBe(format !== 'code');
        if (language !== null) expect(PASTE_LANGUAGES).toContain(language);
      }),
      { numRuns: 300 },
    );
  });

  it('the longest note takes no more looking at than its beginning', () => {
    // Patterns that backtrack would take minutes here, whatever the machine.
    for (const part of [
      'a',
      ' ',
      '(',
      '#',
      '[',
      '<a ',
      '{"',
      '--',
      'x: ',
      '$',
      '\n',
      '\\',
      '`',
      '| - ',
      '/',
      '//\n',
      '"a": ',
    ]) {
      expect(typeof guess(part.repeat(200_000))).toBe('string');
      expect(typeof guess(`{\n${part.repeat(100)}\nint x;`)).toBe('string');
    }
  });
});

describe('by the name of its file', () => {
  it.each([
    ['notes.md', 'markdown'],
    ['README.markdown', 'markdown'],
    ['todo.txt', 'plain'],
    ['main.go', 'go'],
    ['App.TSX', 'typescript'],
    ['page.htm', 'xml'],
    ['a.h', 'c'],
    ['a.hpp', 'cpp'],
    ['compose.yml', 'yaml'],
    ['/home/ada/.bashrc', 'bash'],
    ['C:\\src\\Program.cs', 'csharp'],
    ['Dockerfile', 'text'],
    ['Main.java', 'text'],
  ])('%s is %s, whatever its text', (name, kind) => {
    expect(guess('SELECT id FROM content;', name)).toBe(kind);
  });

  it.each(['clipboard', 'stdin', '.hidden', 'file.unknown', ''])('%j gives no hint, so the text decides', (name) => {
    expect(guess('SELECT id\nFROM content\nWHERE size > 1;', name)).toBe('sql');
  });
});
