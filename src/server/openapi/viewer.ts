/** The viewer page of the API document; loaded only where the files of its package exist. */
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { DOCS_THEME } from './docs-theme.ts';
import type { RegisterViewer } from './document.ts';

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
