/** The style sheet of signing in, the account page and connecting, over the tokens and the pages' own. */
import { createHash } from 'node:crypto';
import { html } from './html.ts';

export const ACCOUNT_SHEET = /* css */ `
.stage.account { max-width: 820px; display: grid; gap: var(--space-4); align-content: start; }
.account h2 { margin: 0 0 var(--space-4); font-size: 1.125rem; font-weight: 650; letter-spacing: -0.01em; }
.account h3 { margin: 0; font-size: var(--text-body); font-weight: 650; }
.person { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: center; justify-content: space-between; }
.person .by { margin: 0; }
.person h1 { font-size: 1.25rem; color: var(--text); }
.person form, .keys form { width: auto; }
.notice .symbol svg { width: 26px; height: 26px; }
.form, .stack { display: grid; gap: var(--space-4); }
.field { display: grid; gap: var(--space-2); min-width: 0; }
.field > label, legend { font-size: var(--text-small); font-weight: 600; padding: 0; }
.pair { display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr)); }
textarea, select {
  width: 100%; min-height: 44px; padding: 10px var(--space-3); border: 1px solid var(--border-strong); border-radius: 10px;
  background: var(--surface); color: var(--text); font: inherit;
}
textarea { min-height: 112px; resize: vertical; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; display: grid; gap: var(--space-1); }
.check { display: flex; gap: var(--space-3); align-items: center; min-height: 36px; font-size: var(--text-body); font-weight: 400; cursor: pointer; }
.check input { width: 20px; min-height: 20px; height: 20px; margin: 0; flex: none; accent-color: var(--accent); }
.check:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: var(--radius-small); }
.check input:focus-visible { outline: none; }
.hint, .soft { color: var(--text-soft); font-size: var(--text-small); }
.done { padding: var(--space-3) var(--space-4); border: 1px solid var(--border); border-radius: 10px; background: var(--sunken); font-weight: 600; }
.secret { display: block; margin-top: var(--space-2); font-family: var(--font-mono); font-size: var(--text-small); font-weight: 400; overflow-wrap: anywhere; user-select: all; }
.row { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: center; justify-content: space-between; }
progress { appearance: none; width: 100%; height: 10px; border: 0; border-radius: 999px; overflow: hidden; background: var(--sunken); }
progress::-webkit-progress-bar { background: var(--sunken); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 999px; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 999px; }
.keys { margin: 0; padding: 0; list-style: none; }
.keys li { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: center; justify-content: space-between; padding: var(--space-3) 0; border-top: 1px solid var(--border); }
.keys li > div { min-width: 0; flex: 1 1 240px; overflow-wrap: anywhere; }
.keys .button { min-height: 36px; padding: 0 14px; font-size: var(--text-small); }
details > summary { cursor: pointer; font-weight: 600; padding: var(--space-2) 0; }
details[open] > summary { margin-bottom: var(--space-3); }
.scroll { overflow-x: auto; max-height: 420px; border: 1px solid var(--border); border-radius: var(--radius-small); }
table { width: 100%; border-collapse: collapse; font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 12px; text-align: left; white-space: nowrap; }
th { position: sticky; top: 0; background: var(--sunken); font-weight: 600; }
tr + tr td { border-top: 1px solid var(--border); }
td code { font-family: var(--font-mono); }
.notice .form { width: 100%; text-align: left; }
.notice .form > .button { width: 100%; }
.facts-of { display: grid; grid-template-columns: auto 1fr; gap: var(--space-2) var(--space-4); width: 100%; margin: 0; padding: var(--space-4); border-radius: 10px; background: var(--sunken); text-align: left; }
.facts-of dt { color: var(--text-soft); }
.facts-of dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.may { width: 100%; margin: 0; text-align: left; }
.may ul { margin: var(--space-2) 0 0; padding-left: 1.25rem; }
.choice { display: flex; flex-wrap: wrap; gap: var(--space-3); width: 100%; }
.choice .button { flex: 1 1 8rem; }
.typed { text-align: center; font: 600 1.375rem/1 var(--font-mono); letter-spacing: 0.12em; text-transform: uppercase; }
`;

const hash = createHash('sha256').update(ACCOUNT_SHEET).digest('base64url').slice(0, 16);

export const ACCOUNT_SHEET_PATH = `/assets/account-${hash}.css`;

export const ACCOUNT_HEAD = html`<link rel="stylesheet" href="${ACCOUNT_SHEET_PATH}">\n`;
