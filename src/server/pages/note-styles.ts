/** The style sheet of notes and folders, over the tokens and the pages' own. Served by its hash, so browsers keep it for good. */
import { styleSheet } from './assets.ts';
import { maskOf } from './icons.ts';

const COLOURS = /* css */ `
.hljs-comment, .hljs-quote, .hljs-meta, .hljs-doctag { color: var(--code-comment); }
.hljs-comment { font-style: italic; }
.hljs-keyword, .hljs-literal, .hljs-operator, .hljs-selector-pseudo, .hljs-template-tag, .hljs-variable.language_ { color: var(--code-keyword); }
.hljs-string, .hljs-regexp, .hljs-char, .hljs-link, .hljs-code, .hljs-addition { color: var(--code-string); }
.hljs-number, .hljs-symbol, .hljs-bullet { color: var(--code-number); }
.hljs-title, .hljs-section, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: var(--code-name); }
.hljs-type, .hljs-built_in, .hljs-title.class_, .hljs-selector-tag { color: var(--code-type); }
.hljs-attr, .hljs-attribute, .hljs-property, .hljs-variable, .hljs-template-variable, .hljs-selector-attr, .hljs-deletion { color: var(--code-attribute); }
.hljs-subst, .hljs-operator, .hljs-punctuation, .hljs-params { color: inherit; }
.hljs-section, .hljs-strong { font-weight: var(--weight-strong); }
.hljs-emphasis { font-style: italic; }
.hljs-addition { background: var(--code-added); }
.hljs-deletion { background: var(--code-removed); }
`;

const TEXT = /* css */ `
.item > *, .beside > * { min-width: 0; }
.item.prose { max-width: 56rem; width: 100%; margin: 0 auto; }
.card.text { overflow: hidden; font-size: var(--size-large); }
pre { margin: 0; font: 400 0.875rem/1.6 var(--font-mono); tab-size: 4; }
pre:focus-visible, .table:focus-visible { outline-offset: -3px; }
pre.plain { white-space: pre-wrap; overflow-wrap: anywhere; }
.card.text.code { padding: 0; }
pre.code { overflow-x: auto; padding: var(--space-4) 0; }
pre.code > code { display: block; width: max-content; min-width: 100%; font: inherit; }
.text.code pre.code > code:not(:has(.line)) { padding: 0 var(--space-4); }
.line { display: block; padding-right: var(--space-6); counter-increment: line; scroll-margin-top: 30vh; }
.line::before {
  content: counter(line); position: sticky; left: 0; display: inline-block; min-width: 3.75rem; margin-right: var(--space-4);
  padding-right: var(--space-3); text-align: right; color: var(--text-quiet); background: var(--surface);
  border-right: 1px solid var(--line); user-select: none; -webkit-user-select: none; font-variant-numeric: tabular-nums;
}
pre.code > code { counter-reset: line; }
.line:target, .line:target::before { background: var(--code-target); }

.text.markdown { line-height: 1.65; overflow-wrap: anywhere; }
.markdown > :is(.bar, .name) + * { margin-top: 0; }
.markdown > :last-child { margin-bottom: 0; }
.wide .markdown > :not(.bar, .name) { max-width: 60rem; }
.markdown :is(p, ul, ol, blockquote, pre), .markdown .table { margin: 0 0 var(--space-4); }
.markdown :is(h2, h3, h4, h5, h6) { margin: 1.75em 0 0.6em; line-height: 1.3; letter-spacing: -0.01em; font-weight: var(--weight-strong); text-wrap: balance; }
.markdown h2 { font-size: clamp(1.2rem, 1rem + 0.6vw, 1.4rem); }
.markdown h3 { font-size: 1.15rem; }
.markdown h4 { font-size: 1.0625rem; }
.markdown :is(h5, h6) { font-size: 1rem; color: var(--text-quiet); }
.markdown a:not(.button) { color: var(--accent-text); text-underline-offset: 0.15em; }
.markdown ul { list-style: disc; }
.markdown ol { list-style: decimal; }
.markdown :is(ul, ol) { padding-left: 1.6em; }
.markdown li { margin: 0.3em 0; }
.markdown li > :is(ul, ol) { margin: 0.3em 0; }
.markdown li > p { margin-bottom: 0.5em; }
.markdown li.task { list-style: none; }
.markdown li.task input { width: 1.05em; height: 1.05em; min-height: 0; margin: 0 0.35em 0 -1.5em; vertical-align: -0.15em; accent-color: var(--accent); }
.markdown blockquote { padding: 0 0 0 var(--space-4); border-left: 3px solid var(--line-strong); color: var(--text-quiet); }
.markdown blockquote > :last-child { margin-bottom: 0; }
.markdown hr { height: 1px; margin: var(--space-8) 0; border: 0; background: var(--line); }
.markdown code { padding: 0.15em 0.35em; border-radius: 5px; background: var(--surface-sunken); font: 0.875em/1.5 var(--font-mono); }
.markdown pre.code { padding: var(--space-4); border-radius: var(--radius-small); background: var(--surface-sunken); overflow-wrap: normal; }
.markdown pre.code > code { padding: 0; background: none; font: inherit; }
.table { overflow-x: auto; }
.markdown table { width: max-content; max-width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.markdown :is(th, td) { min-width: 5rem; max-width: 26rem; padding: 6px 12px; border: 1px solid var(--line); text-align: left; vertical-align: top; }
.markdown th { background: var(--surface-sunken); font-weight: var(--weight-strong); }
.markdown .align-center { text-align: center; }
.markdown .align-right { text-align: right; }
`;

const FOLDERS = /* css */ `
.card.tree { padding: var(--space-2); }
.tree ul ul { margin-left: 16px; padding-left: var(--space-2); border-left: 1px solid var(--line); }
.tree summary, .tree a {
  display: flex; align-items: center; gap: var(--space-2); min-height: var(--control-small); padding: 4px var(--space-2);
  border-radius: var(--radius-small); color: var(--text); text-decoration: none; cursor: default;
}
.tree summary { list-style: none; font-weight: 500; }
.tree summary::-webkit-details-marker { display: none; }
.tree :is(summary, a):hover { background: var(--surface-hover); }
.tree a[aria-current] { background: var(--accent-soft); color: var(--accent-text); font-weight: 500; }
.tree summary:has(:target) { background: var(--code-target); }
.tree b { font: inherit; }
.tree a > span, .tree summary > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.tree small { flex: none; color: var(--text-quiet); font-size: var(--size-small); font-variant-numeric: tabular-nums; }
.tree summary::before, .tree summary > span::before, .tree .file::before { content: ""; flex: none; width: 16px; height: 16px; background: var(--text-quiet); mask: ${maskOf('file')} center / contain no-repeat; }
.tree .file::before { margin-left: 24px; }
.tree summary::before { mask-image: ${maskOf('chevron')}; }
.tree details[open] > summary::before { rotate: 90deg; }
.tree summary > span::before { display: inline-block; margin-right: var(--space-2); background: var(--accent); mask-image: ${maskOf('folder')}; vertical-align: -4px; }
.beside .tree .file::before { margin-left: 0; }
.tree .all { color: var(--accent-text); font-weight: 500; }

.text > .name { margin: 0; padding-bottom: var(--space-3); margin-bottom: var(--space-6); border-bottom: 1px solid var(--line); font-size: var(--size); font-weight: var(--weight-strong); }
.text.code > .name { padding: var(--space-3) var(--space-4); margin: 0; }
.bar { font-size: var(--size); display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--space-2) var(--space-4); padding: var(--space-3) var(--space-4); border-bottom: 1px solid var(--line); }
.bar .name { font-size: var(--size); letter-spacing: 0; }
.bar small { margin-left: var(--space-2); color: var(--text-quiet); font-weight: 400; font-size: var(--size-small); white-space: nowrap; }
.text:not(.code) > .bar { margin: calc(-1 * var(--card-space)) calc(-1 * var(--card-space)) var(--card-space); }
.text:not(.code) > .bar { padding-inline: var(--card-space); }
.bar .button { min-height: var(--control-small); padding-inline: var(--space-3); }
.bar p { color: var(--text-quiet); font-variant-numeric: tabular-nums; }
.path ol { display: flex; flex-wrap: wrap; gap: 2px var(--space-2); color: var(--text-quiet); }
.path li { overflow-wrap: anywhere; }
.path li + li::before { content: "/"; margin-right: var(--space-2); color: var(--line-strong); }
.path [aria-current] { color: var(--text); font-weight: var(--weight-strong); }
.beside { display: grid; gap: var(--space-4); align-items: start; }
@media (min-width: 1000px) {
  .beside { grid-template-columns: minmax(0, 1fr) 280px; }
  .beside .tree { position: sticky; top: var(--space-4); max-height: calc(100vh - 2 * var(--space-4)); overflow-y: auto; }
}
@media (max-width: 480px) {
  pre { font-size: var(--size-small); }
  .line::before { min-width: 2.75rem; margin-right: var(--space-3); padding-right: var(--space-2); }
}
`;

export const NOTE_SHEET = styleSheet('notes', COLOURS + TEXT + FOLDERS);
