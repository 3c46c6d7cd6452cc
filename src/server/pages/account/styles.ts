/** The style sheet of sign-in, the account page and connecting, over the tokens and the common styles. */
import { styleSheet } from '../assets.ts';
import { html } from '../html.ts';

const ACCOUNT = /* css */ `
.stage.account { display: grid; gap: var(--space-4); align-content: start; max-width: 50rem; }
.account h2 { margin-bottom: var(--space-4); }
.stack, fieldset { display: grid; gap: var(--space-4); }
.person { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: center; justify-content: space-between; }
.person h1 { color: var(--text); font-size: var(--size-large); }
.person form, .keys form { width: auto; }
.row { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: center; justify-content: space-between; }
.pair { display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
textarea { min-height: 7rem; padding-block: var(--space-2); resize: vertical; }
fieldset { gap: 0; min-width: 0; margin: 0; padding: 0; border: 0; }
.check { display: flex; gap: var(--space-3); align-items: center; min-height: var(--control-small); font-weight: 400; }
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
