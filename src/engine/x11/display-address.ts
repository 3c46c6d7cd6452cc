/** Parses `DISPLAY` to the address of an X server, and finds the cookie for its authentication. */
import { readFile } from 'node:fs/promises';
import type { NetConnectOpts } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';

export interface XAddress {
  readonly number: string;
  readonly screen: number;
  readonly socket: NetConnectOpts;
}

/** `:0`, `:1.0`, `unix:0`, `host:10.0`; null: invalid. */
export const parseDisplayName = (display: string): XAddress | null => {
  const [, host = '', number, screen] = /^([^/:]*):(\d{1,5})(?:\.(\d{1,3}))?$/.exec(display) ?? [];
  if (number === undefined) return null;
  const socket =
    host === '' || host === 'unix' ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: 6000 + Number(number) };
  return { number, screen: Number(screen ?? 0), socket };
};

export interface Cookie {
  readonly name: string;
  readonly data: string;
}

const NO_COOKIE: Cookie = { name: '', data: '' };
const FAMILY_WILD = 65_535;

/** The cookie for display `number`: of this host, else any for this number, because the host name may have changed. */
export const findCookie = (authority: Buffer, number: string, host: string): Cookie => {
  let offset = 0;
  const short = (): number => {
    const value = offset + 2 <= authority.length ? authority.readUInt16BE(offset) : 0;
    offset += 2;
    return value;
  };
  const text = (): string => {
    const length = short();
    offset += length;
    return authority.toString('latin1', offset - length, offset);
  };
  let other: Cookie | null = null;
  while (offset < authority.length) {
    const family = short();
    const [address, display, name, data] = [text(), text(), text(), text()];
    // Ignores a truncated last entry.
    if (offset > authority.length) break;
    if (display !== '' && display !== number) continue;
    if (family === FAMILY_WILD || address === host) return { name, data };
    other ??= { name, data };
  }
  return other ?? NO_COOKIE;
};

/** Empty without a file or an entry: many servers admit their own user without a cookie. */
export const readCookie = async (
  number: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Cookie> => {
  const { XAUTHORITY, HOME } = environment;
  const path = XAUTHORITY || (HOME && join(HOME, '.Xauthority'));
  if (!path) return NO_COOKIE;
  return readFile(path).then(
    (authority) => findCookie(authority, number, hostname()),
    () => NO_COOKIE,
  );
};
