/**
 * Colours code as HTML: spans with classes, every character of the code escaped, nothing else. The time highlight.js
 * takes grows with the square of some texts, so whoever serves requests calls this in `renderer.ts`'s thread.
 */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import less from 'highlight.js/lib/languages/less';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Grammar } from './languages.ts';

const GRAMMARS = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  less,
  lua,
  makefile,
  markdown,
  php,
  powershell,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
} satisfies Record<Grammar, unknown>;

for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

/** UTF-16 units; more is shown without colours. */
const TEXT_MAX = 400_000;
/** A line longer than this was made by a machine, and its colours would help nobody. */
const LINE_MAX = 1_000;
/** Spans within spans: every line repeats those that are open, so their number is bounded. */
const DEPTH_MAX = 16;

/** The code as HTML, or null when it is too long, has too long a line, or nests too deep; then show it plain. */
export const highlight = (code: string, grammar: Grammar): string | null => {
  if (code.length > TEXT_MAX || longestLine(code) > LINE_MAX) return null;
  const html = hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value;
  return depthOf(html) > DEPTH_MAX ? null : html;
};

const longestLine = (text: string): number => {
  let longest = 0;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    longest = Math.max(longest, stop - start);
    start = stop + 1;
  }
  return longest;
};

const depthOf = (html: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of html.matchAll(/<\/?s/g)) {
    depth += tag === '<s' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};
