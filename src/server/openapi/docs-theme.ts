/** The look of the API viewer: product name, logo and font, and the theme of the system. */
import { logoSvg } from '../../common/design/logo.ts';
import { TOKENS_CSS } from '../../common/design/tokens.ts';

const CSS = /* css */ `
body, html.dark-mode, html.dark-mode .swagger-ui { background: var(--canvas); }
.swagger-ui, .swagger-ui :is(.info .title, .info p, .opblock-tag, .opblock-tag small, .opblock .opblock-summary-description, .btn, table thead tr td, .parameter__name, .model-title) { font-family: var(--font); }
.swagger-ui, .swagger-ui :is(.info .title, .info p, .opblock-tag, .opblock-tag small, .opblock .opblock-summary-description) { color: var(--text); }
.swagger-ui .info { margin: var(--space-8) 0 var(--space-4); }
.swagger-ui .info .title { font-size: var(--size-title); font-weight: var(--weight-strong); }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { margin: 0; padding: var(--space-4) 0; background: transparent; box-shadow: none; }
.swagger-ui :is(.expand-operation, .opblock-control-arrow) svg { fill: var(--text-quiet); }
.swagger-ui .opblock-tag { border-color: var(--line); font-size: var(--size-large); }
.swagger-ui .opblock { border-radius: var(--radius); box-shadow: none; }
.swagger-ui .opblock .opblock-summary-method { border-radius: var(--radius-small); }
.swagger-ui .btn { border-radius: var(--radius); box-shadow: none; }
`;

/** The viewer has both themes, but its page must choose. */
const JS = `{
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}
`;

export const DOCS_THEME = {
  title: 'Linkshot API',
  css: [{ filename: 'linkshot.css', content: TOKENS_CSS + CSS }],
  js: [{ filename: 'linkshot.js', content: JS }],
  favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: logoSvg(32) }],
};
