/**
 * Detects whether a note is plain text, Markdown or code, and the language of code, from its file name first and then
 * from its text; falls back to plain text when in doubt. Pure, and fast for any text: JSON is parsed; of any other
 * text only the first lines are inspected, each truncated, and the end of JSON with comments.
 */
import type { PasteFormat, PasteLanguage } from '../../api/content.ts';
import { withoutByteOrderMark } from '../../base/common/byte-order-mark.ts';
import { PATTERNS } from './language-patterns.ts';

export interface NoteKind {
  readonly format: PasteFormat;
  /** Null for all formats but code. */
  readonly language: PasteLanguage | null;
}

const PLAIN: NoteKind = { format: 'plain', language: null };
const MARKDOWN: NoteKind = { format: 'markdown', language: null };
const code = (language: PasteLanguage): NoteKind => ({ format: 'code', language });

const LINES = 300;
const LINE_CHARACTERS = 240;
/** Maximum matches counted per pattern: a hundred imports prove no more than three. */
const COUNTED = 3;
/** Scores below this are coincidence. */
const ENOUGH = 3;
const HEADING = 1.5;

/** `name`: the name of the text's file, null where there is no file. */
export const detectNoteKind = (text: string, name: string | null): NoteKind =>
  (name === null ? null : kindOfName(name)) ?? kindOfText(text);

/** Null where the name gives no hint. */
const kindOfName = (name: string): NoteKind | null => {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase();
  const known = LANGUAGE_OF_NAME.get(base);
  if (known) return code(known);
  const dot = base.lastIndexOf('.');
  const ending = dot < 1 ? '' : base.slice(dot + 1);
  if (ending === 'md' || ending === 'markdown' || ending === 'mdown') return MARKDOWN;
  if (ending === 'txt' || ending === 'log' || ending === 'text') return PLAIN;
  const language = LANGUAGE_OF_ENDING.get(ending);
  return language ? code(language) : null;
};

const kindOfText = (text: string): NoteKind => {
  const start = withoutByteOrderMark(text).trimStart();
  const interpreter = /^#!\S*?(?:\/env\s+(?:-S\s+)?)?([a-z]+(?:-[a-z]+)?)[\d.]*(?:\s|$)/.exec(
    start.slice(0, LINE_CHARACTERS),
  )?.[1];
  const scripted = interpreter && LANGUAGE_OF_INTERPRETER.get(interpreter);
  if (scripted) return code(scripted);
  if (isJson(start)) return code('json');
  const lines = linesOf(start);
  if (isMarkup(start, lines)) return code('xml');

  const prose = withoutFences(lines);
  const fenced = prose.length < lines.length ? ENOUGH + 1 : 0;
  const markdown = fenced + scoreOf(prose, PATTERNS.markdown) + HEADING * Math.min(COUNTED, headings(prose));
  const found = bestLanguage(prose);
  // A comment in a script looks like a heading, so on equal scores code wins.
  if (found && found.score >= ENOUGH && found.score >= markdown) return code(found.language);
  if (markdown >= ENOUGH) return MARKDOWN;
  return isYaml(lines) ? code('yaml') : PLAIN;
};

const linesOf = (text: string): readonly string[] => {
  const lines = text.slice(0, LINES * LINE_CHARACTERS).split(/\r?\n/, LINES);
  // Minified code on one line is split into pieces.
  const pieces = lines.length < 4 ? lines.flatMap((line) => line.split(/(?<=[;{}])/, LINES)) : lines;
  return pieces.map((line) => line.slice(0, LINE_CHARACTERS));
};

/** Isolated lines that look like a heading: several in a row are comments of a script. */
const headings = (lines: readonly string[]): number => {
  const isMarked = (line: string | undefined) => line?.startsWith('#') ?? false;
  return lines.filter(
    (line, index) => /^#{1,6} \S.*[^{;]$/.test(line) && !isMarked(lines[index - 1]) && !isMarked(lines[index + 1]),
  ).length;
};

type Scored = { readonly language: PasteLanguage; readonly score: number };

const bestLanguage = (lines: readonly string[]): Scored | null => {
  let best: Scored | null = null;
  for (const [language, patterns] of Object.entries(PATTERNS.languages)) {
    const score = scoreOf(lines, patterns);
    if (score > (best?.score ?? 0)) best = { language: language as PasteLanguage, score };
  }
  return best && refined(best, lines);
};

/** Distinguishes two related languages by the features of the larger one. */
const refined = (best: Scored, lines: readonly string[]): Scored => {
  switch (best.language) {
    case 'javascript':
      return scoreOf(lines, PATTERNS.beyondJavascript) > 0 ? { ...best, language: 'typescript' } : best;
    case 'c':
      return scoreOf(lines, PATTERNS.beyondC) > 0 ? { ...best, language: 'cpp' } : best;
    default:
      return best;
  }
};

type Patterns = readonly (readonly [RegExp, number])[];

const scoreOf = (lines: readonly string[], patterns: Patterns): number => {
  let score = 0;
  for (const [pattern, weight] of patterns) {
    let count = 0;
    for (const line of lines) if (count < COUNTED && pattern.test(line)) count++;
    score += count * weight;
  }
  return score;
};

const isJson = (text: string): boolean => {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Something else in brackets, or JSON with comments: decided by its lines.
    return /^\{\s*(?:\/\/[^\n]*\n\s*)*"[^"\n]*"\s*:/.test(text.slice(0, 400)) && /[\]}]\s*$/.test(text.slice(-50));
  }
};

const isMarkup = (text: string, lines: readonly string[]): boolean => {
  if (/^<(?:\?xml|!doctype|html|svg)\b/i.test(text)) return true;
  if (!/^<(?:!--|[a-z][\w:-]*(?:\s[^<>]*)?\/?>)/i.test(text.slice(0, 500))) return false;
  const tagged = lines.filter((line) => /<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/i.test(line)).length;
  return tagged * 2 >= lines.filter((line) => line.trim() !== '').length;
};

const withoutFences = (lines: readonly string[]): readonly string[] => {
  let fence = '';
  return lines.filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = '';
      return false;
    }
    fence = mark ?? '';
    return mark === undefined;
  });
};

/**
 * Every line must fit, and most keys must be in lower case: lines of "Name: value" alone are more often a letter than a
 * file.
 */
const isYaml = (lines: readonly string[]): boolean => {
  const filled = lines.filter((line) => line.trim() !== '');
  const keys = filled.filter((line) => /^\s*(?:- )*["']?[\w./-]+["']?:(?:\s|$)/.test(line)).length;
  const rest = filled.filter((line) => /^\s*(?:#|- |---|\.\.\.)|^\s+\S/.test(line)).length;
  const fits = filled.every((line) => /^\s*(?:#|- |-$|---|\.\.\.|["']?[\w./-]+["']?:(?:\s|$))|^\s+\S/.test(line));
  const small = filled.filter((line) => /^["']?[a-z.]/.test(line)).length;
  const outer = filled.filter((line) => /^["']?\w/.test(line)).length;
  return fits && keys >= 2 && small * 2 >= outer && (rest > 0 || keys >= 3);
};

// Languages of notes by file name and interpreter. Data only.

/** File extensions in lower case. `text`: code in languages that the service cannot highlight. */
const ENDINGS: Readonly<Record<PasteLanguage, string>> = {
  text: 'java kt kts swift rb php lua pl pm r dart scala clj ex exs erl hs ml fs vb ps1 psm1 bat cmd vbs asm s ini toml cfg conf properties env diff patch tex mk cmake gradle groovy proto graphql gql tf nix zig v sol less scss sass styl diz csv tsv',
  javascript: 'js mjs cjs jsx',
  typescript: 'ts mts cts tsx',
  json: 'json jsonc json5 jsonl ndjson geojson webmanifest map ipynb har',
  python: 'py pyi pyw',
  bash: 'sh bash zsh ksh fish',
  css: 'css',
  xml: 'xml html htm xhtml svg xsl xsd vue svelte csproj props targets xaml plist rss atom',
  sql: 'sql',
  rust: 'rs',
  go: 'go',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh hxx ino',
  csharp: 'cs csx',
  yaml: 'yaml yml',
};

const NAMES: Readonly<Partial<Record<PasteLanguage, string>>> = {
  text: 'makefile gnumakefile dockerfile containerfile gemfile rakefile .gitconfig .gitignore .npmrc .editorconfig cmakelists.txt',
  bash: '.bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv',
  json: '.prettierrc .eslintrc .babelrc',
};

const INTERPRETERS: Readonly<Partial<Record<PasteLanguage, string>>> = {
  bash: 'sh bash zsh ksh dash ash fish',
  python: 'python pypy',
  javascript: 'node',
  typescript: 'deno bun tsx ts-node',
  text: 'perl ruby php lua awk make',
};

const inverted = (table: Readonly<Partial<Record<PasteLanguage, string>>>): ReadonlyMap<string, PasteLanguage> =>
  new Map(
    Object.entries(table).flatMap(([language, words]) =>
      words.split(' ').map((word): [string, PasteLanguage] => [word, language as PasteLanguage]),
    ),
  );

const LANGUAGE_OF_ENDING = inverted(ENDINGS);
const LANGUAGE_OF_NAME = inverted(NAMES);
const LANGUAGE_OF_INTERPRETER = inverted(INTERPRETERS);
