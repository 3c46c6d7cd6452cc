/** The version of this app, from the package it came with. */
import { readFileSync } from 'node:fs';

/** From src/bridge, and from out/main where the desktop app is built to, the package is two folders up. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
export const VERSION = version;
