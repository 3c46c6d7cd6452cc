/** Languages of notes by file name and interpreter. Data only. */
import type { PasteLanguage } from '../../api/content.ts';

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

export const LANGUAGE_OF_ENDING = inverted(ENDINGS);
export const LANGUAGE_OF_NAME = inverted(NAMES);
export const LANGUAGE_OF_INTERPRETER = inverted(INTERPRETERS);
