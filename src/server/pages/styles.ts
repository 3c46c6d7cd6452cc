/**
 * The style sheet that all pages of the server but `/docs` share: design tokens, base rules, components that look as in
 * the app's window, and the layout of the public pages.
 */
import { TOKENS_CSS } from '../../common/design/tokens.ts';
import { styleSheet } from './assets.ts';

const BASE = /* css */ `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--canvas); color: var(--text);
  font: var(--size) / var(--leading) var(--font); -webkit-font-smoothing: antialiased;
}
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: var(--size-title); font-weight: var(--weight-strong); line-height: 1.25; letter-spacing: -0.01em; overflow-wrap: anywhere; text-wrap: balance; }
p, li, dd, label { text-wrap: pretty; }
time { white-space: nowrap; }
h2 { font-size: var(--size-large); font-weight: var(--weight-strong); line-height: 1.3; }
h3 { font-size: var(--size); font-weight: var(--weight-strong); }
svg { display: block; flex: none; }
a { color: var(--accent-text); }
:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; border-radius: var(--radius-small); }
`;

/** Equal to src/renderer/components; test/renderer/quality/one-product.test.ts compares them. */
const PARTS = /* css */ `
:root { --card-space: var(--space-5); }
.card { padding: var(--card-space); border: 1px solid var(--line); border-radius: var(--radius-card); background: var(--surface); box-shadow: var(--shadow-raised); }

.button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--space-2);
  min-height: var(--control); padding: var(--space-1) var(--space-4); border: 1px solid var(--line); border-radius: var(--radius);
  background: var(--surface); color: var(--text); box-shadow: var(--shadow-raised);
  font: inherit; font-weight: 500; white-space: nowrap; text-decoration: none; cursor: default; user-select: none;
  transition: background var(--motion-fast) var(--ease), border-color var(--motion-fast) var(--ease);
}
.button:hover { background: linear-gradient(var(--surface-hover), var(--surface-hover)), var(--surface); }
.button:active { background: linear-gradient(var(--surface-pressed), var(--surface-pressed)), var(--surface); }
.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); box-shadow: none; }
.button.primary:hover { background: var(--accent-hover); }
.button:disabled { opacity: 0.6; cursor: progress; }
.button.small { min-height: var(--control-small); padding-inline: var(--space-3); }
.actions { display: flex; flex-wrap: wrap; gap: var(--space-2); }

form { display: grid; gap: var(--space-4); width: 100%; text-align: left; }
.field { display: grid; gap: var(--space-1); min-width: 0; }
label, legend { padding: 0; font-weight: 500; }
input, textarea, select {
  width: 100%; min-height: var(--control); padding: 0 var(--space-3); border: 1px solid var(--line-strong); border-radius: var(--radius);
  background: var(--surface); color: var(--text); font: inherit;
}
:is(input, textarea, select):focus-visible { border-color: var(--accent-text); border-radius: var(--radius); outline-width: 1px; outline-offset: 0; }
:is(input, textarea, select)[aria-invalid="true"] { border-color: var(--bad); outline-color: var(--bad); }
::placeholder { color: var(--text-quiet); opacity: 1; }
.wrong { color: var(--bad); font-size: var(--size-small); }
.hint { color: var(--text-quiet); font-size: var(--size-small); }

.chips { display: flex; flex-wrap: wrap; gap: var(--space-1); }
.chips li {
  max-width: 100%; padding: 1px var(--space-2); border: 1px solid var(--line); border-radius: var(--radius-round); color: var(--text-quiet);
  font-size: var(--size-small); font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
.chips .tag { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-color: transparent; background: var(--accent-soft); color: var(--accent-text); }

.initial {
  display: grid; place-items: center; flex: none; width: 2.25rem; height: 2.25rem; border-radius: 50%;
  background: var(--accent); color: var(--on-accent); font-weight: var(--weight-strong);
}
.symbol { display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: 50%; background: var(--accent-soft); color: var(--accent-text); }
.symbol.bad { background: var(--bad-soft); color: var(--bad); }
.symbol.warn { background: var(--warn-soft); color: var(--warn); }

@media (forced-colors: active) {
  .button, .button.primary { border-color: ButtonText; }
}
`;

const PAGES = /* css */ `
.top { padding: var(--space-4) clamp(var(--space-4), 4vw, var(--space-8)); }
.brand {
  display: inline-flex; align-items: center; gap: var(--space-2); border-radius: var(--radius-small); color: var(--text);
  font-size: var(--size-large); font-weight: var(--weight-strong); letter-spacing: -0.01em; text-decoration: none;
}

.stage { flex: 1; width: 100%; max-width: 80rem; margin: 0 auto; padding: 0 clamp(var(--space-3), 4vw, var(--space-8)) var(--space-12); }
.stage.center { display: grid; place-items: center; padding-bottom: 12vh; }

.item { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
.frame {
  display: grid; place-items: center; min-height: 11rem; overflow: hidden;
  border: 1px solid var(--line); border-radius: var(--radius-card); background: var(--surface-sunken);
}
.media { display: block; height: auto; background: transparent; }
video.media { background: #000; }
.waiting { display: grid; gap: var(--space-2); justify-items: center; padding: var(--space-12) var(--space-4); color: var(--text-quiet); text-align: center; }
.waiting > strong { margin-top: var(--space-2); color: var(--text); font-size: var(--size-large); font-weight: var(--weight-strong); }

.about { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-6); align-items: flex-start; justify-content: space-between; }
.about > div:first-child { flex: 1 1 20rem; min-width: 0; }
.original { display: grid; place-items: center; width: 100%; cursor: zoom-in; }
.original:focus-visible { outline-offset: -2px; }
.by { display: flex; align-items: center; gap: var(--space-3); color: var(--text-quiet); overflow-wrap: anywhere; }
/* WebKit narrows a shrinking box to its balanced lines, and wraps what would fit. */
.by p { text-wrap: wrap; }
.by strong { color: var(--text); font-weight: 500; }
.about .by, .about .chips { margin-top: var(--space-3); }

.about .actions { justify-content: flex-end; }
.speed { display: inline-flex; align-items: center; gap: var(--space-2); white-space: nowrap; }
.speed select { width: auto; padding: 0 var(--space-2); }

.chapters ol { display: grid; margin: var(--space-2) calc(-1 * var(--space-3)) 0; padding: 0; list-style: none; }
.chapters a { display: flex; gap: var(--space-4); padding: var(--space-2) var(--space-3); border-radius: var(--radius-small); color: var(--text); text-decoration: none; }
.chapters a:hover, .chapters [aria-current] { background: var(--surface-sunken); }
.chapters time { min-width: 3.5rem; color: var(--accent-text); font-variant-numeric: tabular-nums; }
.chapters span { min-width: 0; overflow-wrap: anywhere; }

.works { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: var(--space-4); }
.works a { display: block; height: 100%; overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius-card); background: var(--surface); color: var(--text); text-decoration: none; }
.works a:hover { border-color: var(--line-strong); }
.works .seen { display: grid; place-items: center; aspect-ratio: 16 / 10; background: var(--surface-sunken); color: var(--text-quiet); }
.works img { width: 100%; height: 100%; object-fit: cover; }
.works strong, .works small { display: block; padding: 0 var(--space-3); overflow-wrap: anywhere; }
.works strong { padding-top: var(--space-2); font-weight: 500; }
.works small { padding-bottom: var(--space-3); color: var(--text-quiet); font-size: var(--size-small); }

.report { font-size: var(--size-small); text-align: right; }

.notice { display: grid; justify-items: center; gap: var(--space-4); width: min(100%, 25rem); padding: var(--space-8) var(--space-6); text-align: center; }
.notice p { color: var(--text-quiet); }
.notice .wrong { color: var(--bad); }
.notice form .button { width: 100%; }

.welcome { display: grid; gap: var(--space-4); max-width: 36rem; padding: var(--space-8); }
.welcome p { color: var(--text-quiet); font-size: var(--size-large); }

@media (pointer: coarse) {
  .chapters a { align-items: center; min-height: var(--control); }
  .brand { min-height: var(--control); margin-block: calc((1.625rem - var(--control)) / 2); }
}
@media (max-width: 30rem) {
  .about .actions { width: 100%; }
  .about .actions .button { flex: 1 1 auto; padding-inline: var(--space-3); white-space: normal; }
  /* Alone in its row where the browser has no picture in picture. */
  .about .actions .speed { margin-right: auto; }
  :root { --card-space: var(--space-4); }
  .notice, .welcome { padding: var(--space-6) var(--space-5); }
}
@media print {
  body { min-height: 0; background: none; }
  .top, .actions, .copy, video { display: none !important; }
  .stage { max-width: none; padding: 0; }
  .card, .frame { border: 0; box-shadow: none; background: none; padding: 0; overflow: visible; }
  .frame { min-height: 0; break-inside: avoid; }
  pre, code { overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; }
}
@media (prefers-reduced-motion: no-preference) {
  .spinner { animation: turn 1.2s linear infinite; }
}
@keyframes turn { to { transform: rotate(1turn); } }
`;

export const PAGE_SHEET = styleSheet('pages', TOKENS_CSS + BASE + PARTS + PAGES);
