/**
 * Assets of the pages, such as style sheets and SVG images. Each is served at an address with a hash of its content, so
 * that browsers cache it for a year and never show an outdated one.
 */
import { createHash } from 'node:crypto';
import type { App } from '../http/app-type.ts';

const YEAR_SECONDS = 31_536_000;

export interface Asset {
  /** Changes with every change of the text. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

const assetOf = (name: string, ending: string, type: string, text: string): Asset => {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/assets/${name}-${hash}.${ending}`, type, text };
};

export const styleSheet = (name: string, css: string): Asset => assetOf(name, 'css', 'text/css; charset=utf-8', css);
export const drawing = (name: string, svg: string): Asset => assetOf(name, 'svg', 'image/svg+xml', svg);

export const registerAssets = (app: App, assets: readonly Asset[]): void => {
  for (const { path, type, text } of assets)
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({
          'content-type': type,
          'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
          'x-content-type-options': 'nosniff',
        })
        .send(text),
    );
};
