/**
 * Reads properties of X11 windows by name, as bytes, numbers or text. A missing property is null or an empty list, not
 * an error.
 */
import type { XConnection } from '../../x11/x11-connection.ts';

export interface XProperties {
  /** Null: the window has no such property. */
  bytes(window: number, name: string): Promise<Buffer | null>;
  /** A list of numbers or atoms; empty where the property is missing. */
  numbers(window: number, name: string): Promise<readonly number[]>;
  text(window: number, name: string): Promise<string | null>;
  atom(name: string): Promise<number>;
}

/** In units of 4 bytes; longer values are truncated. */
const LENGTH_MAX = 65_536;

export const readProperties = (x: XConnection): XProperties => {
  const atom: XProperties['atom'] = (name) => x.ask((client, answer) => client.InternAtom(false, name, answer));
  const bytes: XProperties['bytes'] = async (window, name) => {
    const property = await atom(name);
    const { type, data } = await x.ask<{ type: number; data: Buffer }>((client, answer) =>
      client.GetProperty(0, window, property, 0, 0, LENGTH_MAX, answer),
    );
    return type === 0 ? null : data;
  };
  return {
    atom,
    bytes,
    async numbers(window, name) {
      const data = await bytes(window, name);
      return Array.from({ length: data ? data.length >> 2 : 0 }, (_, index) => data?.readUInt32LE(index * 4) ?? 0);
    },
    async text(window, name) {
      const data = await bytes(window, name);
      return data?.toString('utf8', 0, data.findLastIndex((byte) => byte !== 0) + 1) ?? null;
    },
  };
};
