/**
 * The log of a running server: one JSON object per line, `{"time", "message", ...fields}`. Secrets are never logged on
 * purpose; anything that looks like a key or a token is redacted here.
 */
import type { Clock } from '../clock-and-random.ts';

/** Keys, tokens of sessions and devices, and the master key have 43 characters of base64url or more. */
const SECRET = /[\w-]{43,}/g;
const AUTHORIZATION = /\b(bearer|basic)\s+\S+/gi;
const COOKIE = /\b((?:set-)?cookie"?\s*[:=]).*/gi;

const withoutSecrets = (text: string): string =>
  text.replace(COOKIE, '$1 [hidden]').replace(AUTHORIZATION, '$1 [hidden]').replace(SECRET, '[hidden]');

export type LogFields = Readonly<Record<string, string | number>>;

/** `write` receives whole lines without their line end. */
export const createLogLines =
  (write: (line: string) => void, clock: Clock) =>
  (message: string, facts: LogFields = {}): void => {
    const hidden = Object.entries({ message, ...facts }).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutSecrets(value) : value,
    ]);
    write(JSON.stringify({ time: new Date(clock.now()).toISOString(), ...Object.fromEntries(hidden) }));
  };
