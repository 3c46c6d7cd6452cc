/**
 * Validates the server address and the API key in the form that connects an account, and completes the address. Engine
 * and server validate them again.
 */

import type { ErrorCode } from '../../../../api/errors.ts';
import { normaliseAddress } from '../../../../api/service-address.ts';

export type ServerProblem = 'serverMissing' | 'serverMalformed' | 'serverInsecure';
export type KeyProblem = 'keyMissing' | 'keyMalformed';

/** The normalised address, or the input if it is not an address. */
export const completeServer = (typed: string): string => {
  const address = normaliseAddress(typed);
  return address.ok ? address.value : typed.trim();
};

export const checkServer = (server: string): ServerProblem | null => {
  if (server.trim() === '') return 'serverMissing';
  const address = normaliseAddress(server);
  if (address.ok) return null;
  return address.error.code === 'INSECURE_ADDRESS' ? 'serverInsecure' : 'serverMalformed';
};

export const checkKey = (key: string): KeyProblem | null => {
  if (key === '') return 'keyMissing';
  return /\s/.test(key) ? 'keyMalformed' : null;
};

const ABOUT_THE_KEY: ReadonlySet<ErrorCode> = new Set([
  'AUTH_REQUIRED',
  'API_KEY_EXPIRED',
  'API_KEY_REVOKED',
  'API_KEY_INVALID',
  'SCOPE_MISSING',
]);

const ABOUT_THE_SERVER: ReadonlySet<ErrorCode> = new Set([
  'ADDRESS_INVALID',
  'INSECURE_ADDRESS',
  'SERVER_UNREACHABLE',
  'CONNECTION_REFUSED',
  'NOT_THE_SERVICE',
  'UNSAFE_ANSWER',
  'REDIRECT_REFUSED',
  'TLS_FAILED',
]);

/** The form field that an error belongs to, which receives focus. */
export const fieldOf = (code: ErrorCode): 'server' | 'key' | null => {
  if (ABOUT_THE_KEY.has(code)) return 'key';
  return ABOUT_THE_SERVER.has(code) ? 'server' : null;
};
