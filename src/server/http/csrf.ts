/** Tells requests of the service's own pages from those that another site makes a browser send (against CSRF). */
import type { FastifyRequest } from 'fastify';

/** A browser tells where a request comes from; what tells nothing is no browser and carries no cookie of another. */
export const isCrossSite = ({ headers, host, protocol }: FastifyRequest, webOrigin: string): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  return origin !== undefined && origin !== webOrigin && origin !== `${protocol}://${host}`;
};
