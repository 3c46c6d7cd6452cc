/**
 * What a running server tells its operator: one JSON object a line, `{"time", "message", ...facts}`. Nothing is ever
 * logged on purpose that opens something; whatever looks like a key or a token all the same is blotted out here.
 */
import type { Clock } from '../clock-and-random.ts';

/** Keys, tokens of sessions and devices, and the master key have 43 characters of base64url or more. */
const SECRET = /[\w-]{43,}/g;
const AUTHORIZATION = /\b(bearer|basic)\s+\S+/gi;
const COOKIE = /\b((?:set-)?cookie"?\s*[:=]).*/gi;

const withoutSecrets = (text: string): string =>
  text.replace(COOKIE, '$1 [hidden]').replace(AUTHORIZATION, '$1 [hidden]').replace(SECRET, '[hidden]');

export type Facts = Readonly<Record<string, string | number>>;

/** `write` is given whole lines without their end. */
export const createLogLines =
  (write: (line: string) => void, clock: Clock) =>
  (message: string, facts: Facts = {}): void => {
    const hidden = Object.entries({ message, ...facts }).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutSecrets(value) : value,
    ]);
    write(JSON.stringify({ time: new Date(clock.now()).toISOString(), ...Object.fromEntries(hidden) }));
  };
