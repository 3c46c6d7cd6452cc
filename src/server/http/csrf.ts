/** Distinguishes requests of the service's own pages from cross-site requests (against CSRF). */
import type { FastifyRequest } from 'fastify';

/**
 * Browsers send the origin of a request; a client that sends none is not a browser and has no cookie of another site.
 */
export const isCrossSite = ({ headers, host, protocol }: FastifyRequest, webOrigin: string): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  return origin !== undefined && origin !== webOrigin && origin !== `${protocol}://${host}`;
};
