/** Reads from a request the browser and the address that a sign-in comes from. */
import type { FastifyRequest } from 'fastify';
import { browserName } from '../../accounts/browser-name.ts';
import type { SignInOrigin } from '../../accounts/sessions.ts';
import { addressToShow } from '../../limits/address-networks.ts';

export const originOfSignIn = (request: FastifyRequest): SignInOrigin => ({
  browser: browserName(request.headers['user-agent'] ?? ''),
  ip: addressToShow(request),
});
