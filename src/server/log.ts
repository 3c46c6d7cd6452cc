/**
 * Writes the operator's log: one JSON object per line, in which everything that looks like a key, a token or a cookie
 * is hidden.
 */
import type { Clock } from './clock-and-random.ts';

/**
 * Diagnostics for the operator: a sentence, and searchable fields; `level` is `info` unless given. Never pass a key, a
 * password, a request header, the id of an item, or an address that a client has sent: links are secrets too.
 */
export type Log = (line: string, facts?: Readonly<Record<string, string | number>>) => void;

/** Keys, tokens of sessions and devices, and the master key have 43 characters of base64url or more. */
const SECRET = /[\w-]{43,}/g;
const AUTHORIZATION = /\b(bearer|basic)\s+\S+/gi;
const COOKIE = /\b((?:set-)?cookie"?\s*[:=]).*/gi;

const withoutSecrets = (text: string): string =>
  text.replace(COOKIE, '$1 [hidden]').replace(AUTHORIZATION, '$1 [hidden]').replace(SECRET, '[hidden]');

/**
 * The log of the node `node`: one JSON object per line, `{"time", "level", "node", "message", ...fields}`, where `level` is
 * `info`, `warn` or `error`. Secrets are never logged on purpose; anything that looks like a key or a token is redacted here.
 * `write` receives whole lines without their line end.
 */
export const createLogLines =
  (write: (line: string) => void, clock: Clock, node: string): Log =>
  (message, facts = {}) => {
    const hidden = Object.entries({ message, ...facts }).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutSecrets(value) : value,
    ]);
    const time = new Date(clock.now()).toISOString();
    write(JSON.stringify({ time, level: 'info', node, ...Object.fromEntries(hidden) }));
  };
