/** The style sheet of notes and folders, over the tokens and the pages' own. Served by its hash, so browsers keep it for good. */
import { createHash } from 'node:crypto';

const COLOURS = /* css */ `
:root {
  --link: var(--accent);
  --code-comment: oklch(0.5 0.015 265);
  --code-keyword: oklch(0.48 0.21 300);
  --code-string: oklch(0.46 0.12 150);
  --code-number: oklch(0.5 0.13 50);
  --code-name: oklch(0.48 0.19 262);
  --code-type: oklch(0.47 0.09 205);
  --code-attribute: oklch(0.5 0.15 20);
  --code-added: oklch(0.95 0.05 150);
  --code-removed: oklch(0.95 0.035 20);
  --line-target: oklch(0.95 0.05 95);
}
@media (prefers-color-scheme: dark) {
  :root {
    --link: oklch(0.76 0.12 265);
    --code-comment: oklch(0.7 0.015 265);
    --code-keyword: oklch(0.78 0.13 305);
    --code-string: oklch(0.8 0.12 150);
    --code-number: oklch(0.8 0.11 65);
    --code-name: oklch(0.78 0.11 255);
    --code-type: oklch(0.8 0.09 200);
    --code-attribute: oklch(0.78 0.11 25);
    --code-added: oklch(0.3 0.05 150);
    --code-removed: oklch(0.3 0.06 20);
    --line-target: oklch(0.32 0.05 95);
  }
}
.hljs-comment, .hljs-quote, .hljs-meta, .hljs-doctag { color: var(--code-comment); }
.hljs-comment { font-style: italic; }
.hljs-keyword, .hljs-literal, .hljs-operator, .hljs-selector-pseudo, .hljs-template-tag, .hljs-variable.language_ { color: var(--code-keyword); }
.hljs-string, .hljs-regexp, .hljs-char, .hljs-link, .hljs-code, .hljs-addition { color: var(--code-string); }
.hljs-number, .hljs-symbol, .hljs-bullet { color: var(--code-number); }
.hljs-title, .hljs-section, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: var(--code-name); }
.hljs-type, .hljs-built_in, .hljs-title.class_, .hljs-selector-tag { color: var(--code-type); }
.hljs-attr, .hljs-attribute, .hljs-property, .hljs-variable, .hljs-template-variable, .hljs-selector-attr, .hljs-deletion { color: var(--code-attribute); }
.hljs-subst, .hljs-operator, .hljs-punctuation, .hljs-params { color: inherit; }
.hljs-section, .hljs-strong { font-weight: 650; }
.hljs-emphasis { font-style: italic; }
.hljs-addition { background: var(--code-added); }
.hljs-deletion { background: var(--code-removed); }
`;

const TEXT = /* css */ `
.item > *, .beside > * { min-width: 0; }
.item.prose { max-width: 56rem; width: 100%; margin: 0 auto; }
.text p { color: inherit; }
.card.text { overflow: hidden; }
.card { --card-space: clamp(var(--space-4), 3vw, var(--space-5)); }
pre { margin: 0; font: 400 0.875rem/1.6 var(--font-mono); tab-size: 4; }
pre:focus-visible, .table:focus-visible { outline-offset: -3px; }
pre.plain { white-space: pre-wrap; overflow-wrap: anywhere; }
.card.text.code { padding: 0; }
pre.code { overflow-x: auto; padding: var(--space-4) 0; }
pre.code > code { display: block; width: max-content; min-width: 100%; font: inherit; }
.text.code pre.code > code:not(:has(.line)) { padding: 0 var(--space-4); }
.line { display: block; padding-right: var(--space-5); counter-increment: line; scroll-margin-top: 30vh; }
.line::before {
  content: counter(line); position: sticky; left: 0; display: inline-block; min-width: 3.75rem; margin-right: var(--space-4);
  padding-right: var(--space-3); text-align: right; color: var(--text-soft); background: var(--surface);
  border-right: 1px solid var(--border); user-select: none; -webkit-user-select: none; font-variant-numeric: tabular-nums;
}
pre.code > code { counter-reset: line; }
.line:target, .line:target::before { background: var(--line-target); }

.text.markdown { line-height: 1.65; overflow-wrap: anywhere; }
.markdown > :is(.bar, .name) + * { margin-top: 0; }
.markdown > :last-child { margin-bottom: 0; }
.wide .markdown > :not(.bar, .name) { max-width: 60rem; }
.markdown :is(p, ul, ol, blockquote, pre), .markdown .table { margin: 0 0 var(--space-4); }
.markdown :is(h2, h3, h4, h5, h6) { margin: 1.75em 0 0.6em; line-height: 1.3; letter-spacing: -0.01em; font-weight: 650; text-wrap: balance; }
.markdown h2 { font-size: clamp(1.2rem, 1rem + 0.6vw, 1.4rem); }
.markdown h3 { font-size: 1.15rem; }
.markdown h4 { font-size: 1.0625rem; }
.markdown :is(h5, h6) { font-size: 1rem; color: var(--text-soft); }
.markdown a { color: var(--link); text-underline-offset: 0.15em; }
.markdown :is(ul, ol) { padding-left: 1.6em; }
.markdown li { margin: 0.3em 0; }
.markdown li > :is(ul, ol) { margin: 0.3em 0; }
.markdown li > p { margin-bottom: 0.5em; }
.markdown li.task { list-style: none; }
.markdown li.task input { width: 1.05em; height: 1.05em; min-height: 0; margin: 0 0.35em 0 -1.5em; vertical-align: -0.15em; accent-color: var(--accent); }
.markdown blockquote { padding: 0 0 0 var(--space-4); border-left: 3px solid var(--border-strong); color: var(--text-soft); }
.markdown blockquote > :last-child { margin-bottom: 0; }
.markdown hr { height: 1px; margin: var(--space-6) 0; border: 0; background: var(--border); }
.markdown code { padding: 0.15em 0.35em; border-radius: 5px; background: var(--sunken); font: 0.875em/1.5 var(--font-mono); }
.markdown pre.code { padding: var(--space-4); border-radius: var(--radius-small); background: var(--sunken); overflow-wrap: normal; }
.markdown pre.code > code { padding: 0; background: none; font: inherit; }
.table { overflow-x: auto; }
.markdown table { width: max-content; max-width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.markdown :is(th, td) { min-width: 5rem; max-width: 26rem; padding: 6px 12px; border: 1px solid var(--border); text-align: left; vertical-align: top; }
.markdown th { background: var(--sunken); font-weight: 600; }
.markdown .align-center { text-align: center; }
.markdown .align-right { text-align: right; }
`;

const mask = (paths: string): string =>
  `url("data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`,
  )}")`;

const FILE = mask('<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4"/>');
const FOLDER = mask('<path d="M3 6h6l2 2h10v11H3z"/>');
const CHEVRON = mask('<path d="m9 6 6 6-6 6"/>');

const FOLDERS = /* css */ `
.card.tree { padding: var(--space-3); font-size: 0.9375rem; }
.tree ul { margin: 0; padding: 0; list-style: none; }
.tree ul ul { margin-left: 19px; padding-left: var(--space-2); border-left: 1px solid var(--border); }
.tree summary, .tree a {
  display: flex; align-items: center; gap: var(--space-2); min-height: 36px; padding: 4px var(--space-2);
  border-radius: var(--radius-small); text-decoration: none; cursor: pointer;
}
.tree summary { list-style: none; font-weight: 550; }
.tree summary::-webkit-details-marker { display: none; }
.tree :is(summary, a):hover, .tree a[aria-current] { background: var(--sunken); }
.tree summary:has(:target) { background: var(--line-target); }
.tree b { font: inherit; }
.tree a[aria-current] { font-weight: 600; }
.tree a > span, .tree summary > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.tree small { flex: none; color: var(--text-soft); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.tree summary::before, .tree summary > span::before, .tree .file::before { content: ""; flex: none; width: 18px; height: 18px; background: var(--text-soft); mask: ${FILE} center / contain no-repeat; }
.tree .file::before { margin-left: 26px; }
.tree summary::before { mask-image: ${CHEVRON}; }
.tree details[open] > summary::before { rotate: 90deg; }
.tree summary > span::before { display: inline-block; margin-right: var(--space-2); background: var(--accent); mask-image: ${FOLDER}; vertical-align: -4px; }
.beside .tree .file::before { margin-left: 0; }
.tree .all { color: var(--link); font-weight: 600; }

.text > .name { margin: 0; padding-bottom: var(--space-3); margin-bottom: var(--space-5); border-bottom: 1px solid var(--border); font-size: 1rem; font-weight: 600; }
.text.code > .name { padding: var(--space-3) var(--space-4); margin: 0; }
.bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--space-2) var(--space-4); padding: var(--space-3) var(--space-4); border-bottom: 1px solid var(--border); }
.bar .name { font-size: 1rem; letter-spacing: 0; }
.bar small { margin-left: var(--space-2); color: var(--text-soft); font-weight: 400; font-size: 0.8125rem; white-space: nowrap; }
.bar .button { min-height: 36px; padding: 0 12px; font-size: 0.8125rem; }
.bar .actions { width: auto; flex-direction: row; gap: var(--space-2); }
.text:not(.code) > .bar { margin: calc(-1 * var(--card-space)) calc(-1 * var(--card-space)) var(--card-space); }
.text:not(.code) > .bar { padding-inline: var(--card-space); }
.bar p { margin: 0; color: var(--text-soft); font-size: var(--text-small); font-variant-numeric: tabular-nums; }
.path ol { display: flex; flex-wrap: wrap; gap: 2px var(--space-2); margin: 0; padding: 0; list-style: none; font-size: var(--text-small); color: var(--text-soft); }
.path li { overflow-wrap: anywhere; }
.path li + li::before { content: "/"; margin-right: var(--space-2); color: var(--border-strong); }
.path [aria-current] { color: var(--text); font-weight: 600; }
.beside { display: grid; gap: var(--space-4); align-items: start; }
@media (min-width: 1000px) {
  .beside { grid-template-columns: minmax(0, 1fr) 280px; }
  .beside .tree { position: sticky; top: var(--space-4); max-height: calc(100vh - 2 * var(--space-4)); overflow-y: auto; }
}
@media (pointer: coarse) {
  .tree summary, .tree a { min-height: 44px; }
}
@media (max-width: 480px) {
  pre { font-size: 0.8125rem; }
  .line::before { min-width: 2.75rem; margin-right: var(--space-3); padding-right: var(--space-2); }
  .bar .actions { gap: 6px; }
  .bar .actions .button { width: auto; padding: 0 9px; gap: 6px; }
}
`;

export const NOTE_SHEET = COLOURS + TEXT + FOLDERS;

/** Changes with every change of the sheet. */
export const NOTE_SHEET_PATH = `/assets/notes-${createHash('sha256').update(NOTE_SHEET).digest('base64url').slice(0, 16)}.css`;
