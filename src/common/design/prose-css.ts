/**
 * Styles for prose, based on the tokens: Markdown in an element of the class `markdown`, and the colours of code. The
 * share pages and the previews of notes and files in the app share them.
 */
export const PROSE_CSS = /* css */ `
.hljs-comment, .hljs-quote, .hljs-meta, .hljs-doctag { color: var(--code-comment); }
.hljs-comment { font-style: italic; }
.hljs-keyword, .hljs-literal, .hljs-selector-pseudo, .hljs-template-tag, .hljs-variable.language_ { color: var(--code-keyword); }
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

pre { margin: 0; font: 400 0.875rem/1.6 var(--font-mono); tab-size: 4; }
pre:focus-visible, .table:focus-visible { outline-offset: -3px; }
pre.code { overflow-x: auto; padding: var(--space-4) 0; }
pre.code > code { display: block; width: max-content; min-width: 100%; font: inherit; }
.markdown { line-height: 1.65; overflow-wrap: anywhere; }
.markdown > :last-child { margin-bottom: 0; }
.markdown :is(p, ul, ol, blockquote, pre), .markdown .table { margin: 0 0 var(--space-4); }
.markdown :is(h2, h3, h4, h5, h6) { margin: 1.75em 0 0.6em; line-height: 1.3; letter-spacing: -0.01em; font-weight: var(--weight-strong); text-wrap: balance; }
.markdown > span + * { margin-top: 0; }
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
.markdown li.task input { width: 1.05em; height: 1.05em; min-height: 0; margin: 0 0.17em 0 -1.5em; vertical-align: -0.15em; accent-color: var(--accent); }
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
