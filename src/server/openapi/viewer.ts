/**
 * The API viewer at `/docs` (Swagger UI), with the product's design. The built-in server of the desktop app leaves it
 * out, because its bundle has no Swagger UI.
 */

import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { logoSvg } from '../../common/design/logo.ts';
import { TOKENS_CSS } from '../../common/design/tokens.ts';
import type { RegisterViewer } from './document.ts';

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

/** The look of the API viewer: product name, logo and font, and the theme of the system. */
const DOCS_THEME = {
  title: 'Linkshot API',
  css: [{ filename: 'linkshot.css', content: TOKENS_CSS + CSS }],
  js: [{ filename: 'linkshot.js', content: JS }],
  favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: logoSvg(32) }],
};

/**
 * Allows the viewer's own files, and the one style sheet that it writes into its page (the hash is of swagger-ui's
 * text).
 */
const VIEWER_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const registerViewer: RegisterViewer = (app, document) => {
  app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } });
  app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    theme: DOCS_THEME,
    staticCSP: true,
    transformStaticCSP: () => VIEWER_POLICY,
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      deepLinking: true,
      tryItOutEnabled: false,
      validatorUrl: null,
    },
  });
};
