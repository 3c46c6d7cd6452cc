/**
 * The programming languages of notes (label and file extension of each of the API's fifteen), and which grammar
 * highlights a note, a file or a Markdown code block. highlight.ts loads the grammars.
 */
import type { PasteLanguage } from '../../api/content.ts';

/** What `highlight.ts` can highlight: the API's languages, and those that are common in folders of code. */
export type Grammar =
  | Exclude<PasteLanguage, 'text'>
  | 'dart'
  | 'diff'
  | 'dockerfile'
  | 'ini'
  | 'java'
  | 'kotlin'
  | 'less'
  | 'lua'
  | 'makefile'
  | 'markdown'
  | 'php'
  | 'powershell'
  | 'ruby'
  | 'scss'
  | 'swift';

interface LanguageName {
  /** Shown to users. */
  readonly label: string;
  /** Extension of a file in this language, without the dot. */
  readonly extension: string;
}

export const NOTE_LANGUAGES: Readonly<Record<PasteLanguage, LanguageName>> = {
  text: { label: 'Text', extension: 'txt' },
  javascript: { label: 'JavaScript', extension: 'js' },
  typescript: { label: 'TypeScript', extension: 'ts' },
  json: { label: 'JSON', extension: 'json' },
  python: { label: 'Python', extension: 'py' },
  bash: { label: 'Bash', extension: 'sh' },
  css: { label: 'CSS', extension: 'css' },
  xml: { label: 'XML/HTML', extension: 'xml' },
  sql: { label: 'SQL', extension: 'sql' },
  rust: { label: 'Rust', extension: 'rs' },
  go: { label: 'Go', extension: 'go' },
  c: { label: 'C', extension: 'c' },
  cpp: { label: 'C++', extension: 'cpp' },
  csharp: { label: 'C#', extension: 'cs' },
  yaml: { label: 'YAML', extension: 'yaml' },
};

/** File extensions and the short names of fences, which mostly agree. */
const ALIASES: Readonly<Record<Grammar, string>> = {
  javascript: 'js mjs cjs jsx',
  typescript: 'ts mts cts tsx',
  json: 'jsonc json5 map webmanifest',
  python: 'py pyi pyw',
  bash: 'sh zsh ksh shell console',
  css: '',
  xml: 'html htm xhtml svg xsl xsd vue svelte csproj props targets xaml plist',
  sql: '',
  rust: 'rs',
  go: 'golang',
  c: 'h',
  cpp: 'cc cxx hpp hh hxx c++ ino',
  csharp: 'cs c#',
  yaml: 'yml',
  dart: '',
  diff: 'patch',
  dockerfile: 'docker',
  ini: 'toml cfg conf properties editorconfig',
  java: '',
  kotlin: 'kt kts',
  less: '',
  lua: '',
  makefile: 'mk make',
  markdown: 'md mdx',
  php: '',
  powershell: 'ps1 psm1 psd1',
  ruby: 'rb gemspec',
  scss: '',
  swift: '',
};

/** Whole file names without a telling extension, in lower case. */
const FILE_NAMES: Readonly<Record<string, Grammar>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  '.bash_profile': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
  '.gitconfig': 'ini',
  '.npmrc': 'ini',
  '.prettierrc': 'json',
  '.eslintrc': 'json',
  '.babelrc': 'json',
};

const byAlias = new Map<string, Grammar>(
  (Object.keys(ALIASES) as Grammar[]).flatMap((grammar) =>
    [grammar, ...ALIASES[grammar].split(' ').filter(Boolean)].map((alias) => [alias, grammar] as const),
  ),
);

/** The grammar of a fence's first word, such as `ts` or `C++`; null when it is unknown. */
export const grammarOfFence = (word: string): Grammar | null => byAlias.get(word.toLowerCase()) ?? null;

/** The grammar of a file, by the last part of its path; null for plain text. */
export const grammarOfFile = (path: string): Grammar | null => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = Object.hasOwn(FILE_NAMES, name) ? FILE_NAMES[name] : undefined;
  const dot = name.lastIndexOf('.');
  return known ?? (dot === -1 ? null : grammarOfFence(name.slice(dot + 1)));
};

/** The grammar of a code note; null for the language `text`. */
export const grammarOfNote = (language: PasteLanguage): Grammar | null => (language === 'text' ? null : language);

export const isMarkdownFile = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);
