/** Returns from a request the fields of its form, and the browser and address of a sign-in. */
import type { FastifyRequest } from 'fastify';
import { browserName } from '../../accounts/browser-name.ts';
import type { SignInOrigin } from '../../accounts/sessions.ts';
import { addressToShow } from '../../limits/address-networks.ts';

/** The fields of the sent form; empty without one. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

export const originOfSignIn = (request: FastifyRequest): SignInOrigin => ({
  browser: browserName(request.headers['user-agent'] ?? ''),
  ip: addressToShow(request),
});
