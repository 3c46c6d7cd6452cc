/** What can be said about an address and a key before anyone is asked. The engine and the server judge again. */

import type { ErrorCode } from '../../contract/errors.ts';

export type ServerProblem = 'serverMissing' | 'serverMalformed' | 'serverInsecure';
export type KeyProblem = 'keyMissing' | 'keyMalformed';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address as it is sent: without spaces around it, and https where no scheme was typed. */
export const completeServer = (typed: string): string => {
  const trimmed = typed.trim();
  return trimmed === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
};

export const checkServer = (server: string): ServerProblem | null => {
  if (server === '') return 'serverMissing';
  if (!URL.canParse(server)) return 'serverMalformed';
  const { protocol, hostname } = new URL(server);
  if (protocol !== 'https:' && protocol !== 'http:') return 'serverMalformed';
  return protocol === 'http:' && !LOOPBACK.test(hostname) ? 'serverInsecure' : null;
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
  'REDIRECT_REFUSED',
  'TLS_FAILED',
]);

/** The field that a refusal is about, so that the keyboard can be brought there. */
export const fieldOf = (code: ErrorCode): 'server' | 'key' | null => {
  if (ABOUT_THE_KEY.has(code)) return 'key';
  return ABOUT_THE_SERVER.has(code) ? 'server' : null;
};
