/**
 * The style sheet of the share pages of notes and folders, added to the styles common to all pages, and the `<link>`
 * element that loads it. Its address contains a hash of its content, so that browsers can cache it.
 */
import { PROSE_CSS } from '../../../../common/design/prose-css.ts';
import { styleSheet } from '../../assets.ts';
import { html } from '../../html.ts';
import { maskOf } from '../../icons.ts';
import type { ShareFrame } from '../share-layout.ts';

const TEXT = /* css */ `
.item > *, .beside > * { min-width: 0; }
.item.prose { max-width: 56rem; width: 100%; margin: 0 auto; }
.card.text { overflow: hidden; font-size: var(--size-large); }
pre.plain { white-space: pre-wrap; overflow-wrap: anywhere; }
.card.text.code { padding: 0; }
.text.code pre.code > code:not(:has(.line)) { padding: 0 var(--space-4); }
.line { display: block; padding-right: var(--space-6); counter-increment: line; scroll-margin-top: 30vh; }
.line > a[href^="#L"] {
  position: sticky; left: 0; display: inline-block; min-width: 3.75rem; margin-right: var(--space-4);
  padding-right: var(--space-3); text-align: right; text-indent: 0; text-decoration: none; color: var(--text-quiet); background: var(--surface);
  border-right: 1px solid var(--line); user-select: none; -webkit-user-select: none; font-variant-numeric: tabular-nums;
}
.line > a[href^="#L"]::before { content: counter(line); }
.line > a[href^="#L"]:hover { color: var(--accent-text); }
pre.code > code { counter-reset: line; }
.line:is(:target, .marked), .line:is(:target, .marked) > a { background: var(--code-target); }
.wrap { min-height: var(--control-small); display: inline-flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-2); font-weight: 500; white-space: nowrap; }
.wrap input { width: 1rem; height: 1rem; min-height: 0; margin: 0; accent-color: var(--accent); }
.text:has(.wrap :checked) pre.code > code { width: auto; }
.text:has(.wrap :checked) .line { padding: 0 var(--space-4) 0 4.75rem; text-indent: -4.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }

.markdown > :is(.bar, .name) + * { margin-top: 0; }
.wide .markdown > :not(.bar, .name) { max-width: 60rem; }
`;

const FOLDERS = /* css */ `
.search { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); }
.search input { flex: 0 1 20rem; width: auto; min-width: 8rem; }
.search.live .button { display: none; }
.search p { color: var(--text-quiet); font-variant-numeric: tabular-nums; }
.card.tree { padding: var(--space-2); }
.tree .found .file::before { margin-left: 0; }
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
.bar p { margin: 0; color: var(--text-quiet); font-variant-numeric: tabular-nums; }
.path ol { display: flex; flex-wrap: wrap; gap: 2px var(--space-2); color: var(--text-quiet); }
.path li { overflow-wrap: anywhere; }
.path li + li::before { content: "/"; margin-right: var(--space-2); color: var(--line-strong); }
.path [aria-current] { color: var(--text); font-weight: var(--weight-strong); }
@media (pointer: coarse) {
  .path a, .search a { display: inline-flex; align-items: center; justify-content: center; min-width: var(--control); min-height: var(--control); }
}
.within { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--space-3) var(--space-6); }
.within .by { flex-wrap: wrap; }
.beside { display: grid; gap: var(--space-4); align-items: start; }
@media (min-width: 1000px) {
  .beside { grid-template-columns: minmax(0, 1fr) 280px; }
  .beside .tree { position: sticky; top: var(--space-4); max-height: calc(100vh - 2 * var(--space-4)); overflow-y: auto; }
}
@media (max-width: 480px) {
  .bar > p + .actions { width: 100%; }
  .bar > p + .actions .button { flex: 1 1 auto; padding-inline: var(--space-2); }
  pre { font-size: var(--size-small); }
  .line > a[href^="#L"] { min-width: 2.75rem; margin-right: var(--space-3); padding-right: var(--space-2); }
  .text:has(.wrap :checked) .line { padding-left: 3.5rem; text-indent: -3.5rem; }
}
`;

const PRINT = /* css */ `
@media print {
  .card.text { overflow: visible; font-size: var(--size); }
  .beside { display: block; }
  .beside .tree { display: none; }
  .text pre.code { overflow: visible; }
  .text pre.code > code { display: block; width: auto; min-width: 0; }
  .line { padding: 0 0 0 4.5rem; text-indent: -4.5rem; }
  .line > a[href^="#L"] { position: static; min-width: 3.5rem; background: none; }
}
`;

export const TEXT_STYLE_SHEET = styleSheet('notes', PROSE_CSS + TEXT + FOLDERS + PRINT);

/** The layout of pages that show text: their style sheet. */
export const TEXT_FRAME = {
  head: html`<link rel="stylesheet" href="${TEXT_STYLE_SHEET.path}">\n`,
} as const satisfies Partial<ShareFrame>;
