/**
 * The style sheet of the sign-in page, of the account's pages and of the pages that connect a device, and the `<link>`
 * element that loads it. It adds to the common styles of all pages (`pages/styles.ts`).
 */
import { styleSheet } from '../assets.ts';
import { html } from '../html.ts';

const ACCOUNT = /* css */ `
.stage.account { display: grid; gap: var(--space-4); align-content: start; max-width: 50rem; }
.account h2 { margin-bottom: var(--space-4); }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.stack, fieldset { display: grid; gap: var(--space-4); grid-template-columns: minmax(0, 1fr); }
.stack > h2 { margin-bottom: 0; }
.stack > h1 + form, .stack > p + form { margin-top: 0; }
.person { display: flex; gap: var(--space-3) var(--space-4); align-items: center; justify-content: space-between; }
.person .by { min-width: 0; }
.person form, .keys form, form.inline { width: auto; }
.sections { display: flex; flex-wrap: wrap; gap: var(--space-1); border-bottom: 1px solid var(--line); }
.sections a { display: inline-flex; align-items: center; min-height: var(--control); padding: 0 var(--space-3); border-bottom: 2px solid transparent; border-radius: var(--radius-small) var(--radius-small) 0 0; color: var(--text-quiet); font-weight: 500; text-decoration: none; }
.sections a:hover { background: var(--surface-hover); color: var(--text); }
.sections a[aria-current] { border-color: var(--accent); color: var(--text); }
.button.danger { color: var(--bad); }
.filter { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: end; }
.filter .field { flex: 1 1 9rem; }
.filter .wide { flex: 2 1 14rem; }
.entries { display: grid; grid-template-columns: minmax(0, 1fr); }
.entry { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; padding: var(--space-3) 0; }
.entries > .entry { border-top: 1px solid var(--line); }
.pick { display: grid; place-items: center; flex: none; width: var(--control); height: var(--control); margin-left: calc((1.125rem - var(--control)) / 2); margin-right: calc((1.125rem - var(--control)) / 2 + var(--space-1)); }
.pick input { width: 1.125rem; height: 1.125rem; min-height: 0; margin: 0; accent-color: var(--accent); }
.pick:has(input:focus-visible) { outline: 2px solid var(--accent-text); border-radius: var(--radius-small); }
.pick input:focus-visible { outline: none; }
.shown { display: flex; flex: 1 1 14rem; gap: var(--space-3); align-items: center; min-width: 0; color: inherit; text-decoration: none; }
a.shown:hover strong { text-decoration: underline; }
.shown .words { display: grid; gap: 2px; min-width: 0; overflow-wrap: anywhere; }
.shown .words strong { font-weight: 500; }
.thumb { display: grid; place-items: center; flex: none; width: 3.5rem; height: 2.75rem; border: 1px solid var(--line); border-radius: var(--radius-small); overflow: hidden; background: var(--surface-sunken); color: var(--text-quiet); }
.thumb img { display: block; width: 100%; height: 100%; object-fit: cover; }
.thumb.large { width: 8rem; height: 6rem; }
.thumb.large img { object-fit: contain; }
.shown:has(.large) { flex-wrap: wrap; align-items: flex-start; }
.shown:has(.large) .words { flex: 1 1 14rem; gap: var(--space-2); }
.copied { display: flex; gap: var(--space-2); }
.copied input { flex: 1; min-width: 0; font-family: var(--font-mono); font-size: var(--size-small); text-overflow: ellipsis; }
details .stack { padding-top: var(--space-1); }
.choices { gap: var(--space-1); }
.choices legend { margin-bottom: var(--space-1); }
.choices .check { align-items: flex-start; padding-block: var(--space-1); }
.check .hint { display: inline-block; }
.mark { padding: 1px var(--space-2); border-radius: var(--radius-round); background: var(--accent-soft); color: var(--accent-text); font-size: var(--size-small); font-weight: 400; white-space: nowrap; }
table.plain th, table.plain td { padding: var(--space-2) 0; font-weight: 400; }
table.plain td { text-align: right; color: var(--text-quiet); }
table.plain th { position: static; background: none; }
table.plain tr + tr th { border-top: 1px solid var(--line); }
.back { justify-self: start; display: inline-flex; gap: var(--space-1); align-items: center; }
.back svg { transform: rotate(180deg); }
@media (pointer: coarse) {
  .back, summary, table.plain a { min-height: var(--control); }
  summary { padding: calc((var(--control) - 1lh) / 2) 0; }
  table.plain a { display: inline-flex; align-items: center; min-width: var(--control); }
  table.plain th, table.plain td { padding-block: 0; }
  .check { min-height: var(--control); }
}
@media (max-width: 30rem) {
  .entries .chips { width: 100%; padding-left: calc(1.125rem + var(--space-4)); }
  .sections a { padding: 0 var(--space-2); }
  .filter .button { flex: 1; }
  td:has(> code) { min-width: 12rem; }
}
.row { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: center; justify-content: space-between; }
.pair { display: grid; align-items: start; gap: var(--space-4); grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
textarea { min-height: 7rem; padding-block: var(--space-2); resize: vertical; }
fieldset { gap: 0; min-width: 0; margin: 0; padding: 0; border: 0; }
.check { display: flex; gap: var(--space-3); align-items: center; min-height: var(--control-small); padding-block: var(--space-1); font-weight: 400; }
.check input { flex: none; width: 1.125rem; height: 1.125rem; min-height: 0; margin: 0; accent-color: var(--accent); }
.check:has(input:focus-visible) { outline: 2px solid var(--accent-text); outline-offset: 2px; border-radius: var(--radius-small); }
.check input:focus-visible { outline: none; }
.done { padding: var(--space-3) var(--space-4); border-radius: var(--radius); background: var(--accent-soft); font-weight: 500; }
.secret { display: block; margin-top: var(--space-2); font: var(--size-small) / var(--leading) var(--font-mono); overflow-wrap: anywhere; user-select: all; }
progress { appearance: none; width: 100%; height: 0.375rem; border: 0; border-radius: var(--radius-round); overflow: hidden; background: var(--surface-hover); }
progress::-webkit-progress-bar { background: var(--surface-hover); }
progress::-webkit-progress-value { border-radius: var(--radius-round); background: var(--accent); }
progress::-moz-progress-bar { border-radius: var(--radius-round); background: var(--accent); }
.keys li { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: center; justify-content: space-between; padding: var(--space-3) 0; border-top: 1px solid var(--line); }
.keys li > div { flex: 1 1 15rem; min-width: 0; overflow-wrap: anywhere; }
summary { width: fit-content; padding: var(--space-1) 0; font-weight: 500; cursor: default; }
details[open] > summary { margin-bottom: var(--space-3); }
.scroll { max-height: 26rem; overflow: auto; border: 1px solid var(--line); border-radius: var(--radius); }
table { width: 100%; border-collapse: collapse; font-size: var(--size-small); font-variant-numeric: tabular-nums; }
th, td { padding: var(--space-2) var(--space-3); text-align: left; white-space: nowrap; }
td:has(> code) { white-space: normal; overflow-wrap: anywhere; }
th { position: sticky; top: 0; background: var(--surface-sunken); font-weight: 500; }
tr + tr td { border-top: 1px solid var(--line); }
td code { font-family: var(--font-mono); }
.asks { display: grid; grid-template-columns: auto 1fr; gap: var(--space-1) var(--space-4); width: 100%; padding: var(--space-3) var(--space-4); border-radius: var(--radius); background: var(--surface-sunken); text-align: left; }
.asks dt { color: var(--text-quiet); }
.asks dd { font-weight: 500; overflow-wrap: anywhere; }
.may { width: 100%; text-align: left; }
.may strong { font-weight: 500; }
.may ul { margin-top: var(--space-1); padding-left: 1.25rem; color: var(--text-quiet); list-style: disc; }
.choice { display: flex; flex-wrap: wrap; gap: var(--space-2); }
.notice .choice .button { flex: 1 1 8rem; width: auto; }
.typed { min-height: 3rem; font: var(--weight-strong) var(--size-title) / 1 var(--font-mono); letter-spacing: 0.12em; text-align: center; text-transform: uppercase; }
`;

export const ACCOUNT_SHEET = styleSheet('account', ACCOUNT);

export const ACCOUNT_HEAD = html`<link rel="stylesheet" href="${ACCOUNT_SHEET.path}">\n`;
