/**
 * `GET /oembed?url=…`: describes an item for programs that embed links (oembed.com). Returns the title, author and
 * picture of the link preview, and the same 404 for every item without a preview.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { ServerDeps } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { robotsHeader } from '../../media/download-headers.ts';
import { ProblemError } from '../../problem-details.ts';
import { mayPreview } from '../../sharing/access-rules.ts';
import { createRequestAccess } from '../../sharing/requester-access.ts';
import { oEmbedOf } from './link-preview.ts';

const Query = Type.Object({
  url: Type.String({ maxLength: 2_048 }),
  format: Type.Optional(Type.String()),
  maxwidth: Type.Optional(Type.Integer({ minimum: 1 })),
  maxheight: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** The id of the item at an address of this server; null: another address. */
const idOf = (address: string, origin: string): string | null => {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.origin === origin ? (/^\/s\/([^/]+)$/.exec(url.pathname)?.[1] ?? null) : null;
};

export const registerOEmbed = (app: App, deps: ServerDeps): void => {
  const visits = createRequestAccess(deps);
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: ['GET', 'HEAD'],
    url: '/oembed',
    schema: { hide: true, querystring: Query },
    handler: async (request, reply) => {
      const { url, format = 'json', maxwidth = Infinity, maxheight = Infinity } = request.query;
      if (format !== 'json') return reply.code(501).send();
      const origin = new URL(deps.webOrigin()).origin;
      const id = idOf(url, origin);
      const { row, standing } = id === null ? { standing: 'unknown' as const } : await visits.look(request, id);
      if (row === undefined || row.objectId === null || !mayPreview(standing, row))
        throw new ProblemError('NOT_FOUND', 'There is no item to describe at this address.');
      return reply
        .headers({ ...robotsHeader(standing), 'cache-control': 'no-store' })
        .send(oEmbedOf(row, deps.webOrigin(), ({ width, height }) => width <= maxwidth && height <= maxheight));
    },
  });
};
