/** Reads the fields of a request's form. */
import type { FastifyRequest } from 'fastify';

/** The fields of the sent form; empty without one. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();
