/** The style sheet of the server's pages, over the design tokens. It is served by its hash, so browsers keep it for good. */
import { createHash } from 'node:crypto';
import { TOKENS_CSS } from './tokens.ts';

const PAGE_CSS = /* css */ `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text);
  font: 400 var(--text-body)/1.5 var(--font);
}
a { color: inherit; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: var(--radius-small); }
h1, p { margin: 0; }

.top { padding: var(--space-4) clamp(var(--space-4), 4vw, var(--space-6)); }
.brand { display: inline-flex; align-items: center; gap: var(--space-2); font-weight: 650; letter-spacing: -0.01em; text-decoration: none; }
.brand svg { color: var(--accent); }

.stage { flex: 1; width: 100%; max-width: 1280px; margin: 0 auto; padding: 0 clamp(var(--space-3), 4vw, var(--space-6)) var(--space-7); }
.stage.center { display: grid; place-items: center; padding-bottom: 12vh; }

.item { display: grid; gap: var(--space-4); }
.frame {
  display: grid; place-items: center; overflow: hidden; min-height: 180px;
  background: var(--sunken); border: 1px solid var(--border); border-radius: var(--radius);
}
.media { display: block; height: auto; background: transparent; }
video.media { background: #000; }
.waiting { display: grid; gap: var(--space-3); justify-items: center; padding: var(--space-7) var(--space-4); text-align: center; color: var(--text-soft); }

.card {
  background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); box-shadow: var(--shadow);
  padding: clamp(var(--space-4), 3vw, var(--space-5));
}
.about { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-5); align-items: center; justify-content: space-between; }
.about > div:first-child { flex: 1 1 320px; min-width: 0; }
h1 { font-size: var(--text-title); line-height: 1.25; letter-spacing: -0.015em; font-weight: 650; overflow-wrap: anywhere; text-wrap: balance; }
.by { display: flex; align-items: center; gap: var(--space-3); margin-top: var(--space-3); color: var(--text-soft); font-size: var(--text-small); line-height: 1.4; overflow-wrap: anywhere; }
.by strong { color: var(--text); font-weight: 600; }
.initial {
  display: grid; place-items: center; width: 36px; height: 36px; border-radius: 50%; flex: none;
  background: var(--accent); color: var(--on-accent); font-size: 0.9375rem; font-weight: 650;
}
.facts { display: flex; flex-wrap: wrap; gap: var(--space-2); margin: var(--space-4) 0 0; padding: 0; list-style: none; }
.facts li { padding: 3px 10px; border: 1px solid var(--border); border-radius: 999px; font-size: 0.8125rem; color: var(--text-soft); white-space: nowrap; font-variant-numeric: tabular-nums; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.facts .tag { background: var(--sunken); border-color: transparent; }
.actions { display: flex; flex-wrap: wrap; gap: var(--space-3); }

.button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--space-2); min-height: 44px; padding: 0 20px;
  border: 1px solid transparent; border-radius: 10px; background: var(--accent); color: var(--on-accent);
  font: 600 var(--text-body)/1 var(--font); text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--accent-hover); }
.button.quiet { background: var(--surface); color: var(--text); border-color: var(--border-strong); }
.button.quiet:hover { background: var(--sunken); }

.notice { width: min(100%, 26rem); text-align: center; display: grid; gap: var(--space-4); justify-items: center; padding: var(--space-6) clamp(var(--space-4), 5vw, var(--space-6)); }
.notice p { color: var(--text-soft); text-wrap: pretty; }
.symbol { display: grid; place-items: center; width: 56px; height: 56px; border-radius: 50%; background: var(--sunken); color: var(--accent); }
form { width: 100%; display: grid; gap: var(--space-3); text-align: left; }
label { font-size: var(--text-small); font-weight: 600; }
input {
  width: 100%; min-height: 44px; padding: 0 var(--space-3); border: 1px solid var(--border-strong); border-radius: 10px;
  background: var(--surface); color: var(--text); font: inherit;
}
.wrong { color: var(--danger) !important; font-size: var(--text-small); font-weight: 600; }
input[aria-invalid="true"] { border-color: var(--danger); }

.prose { display: grid; gap: var(--space-4); max-width: 40rem; }
.prose p { color: var(--text-soft); }
@media (max-width: 480px) {
  .actions { width: 100%; flex-direction: column-reverse; }
  .actions .button { width: 100%; }
  .stage { padding-inline: var(--space-3); }
}
@media (prefers-reduced-motion: no-preference) {
  .button { transition: background-color 120ms; }
  .spinner { animation: turn 1.2s linear infinite; }
}
@keyframes turn { to { transform: rotate(1turn); } }
`;

export const STYLE_SHEET = TOKENS_CSS + PAGE_CSS;

const hash = createHash('sha256').update(STYLE_SHEET).digest('base64url').slice(0, 16);

/** Changes with every change of the sheet. */
export const STYLE_SHEET_PATH = `/assets/pages-${hash}.css`;
