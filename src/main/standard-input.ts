/**
 * The standard input of a command line in the packed program. On Windows Electron replaces `process.stdin` with a stream
 * that ends at once, so it is opened here: what a shell redirects, else the console that the program was started in.
 */
import { createReadStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { openSync } from '../base/node/retrying-fs.ts';

type StandardInput = Readable & { readonly isTTY?: boolean };

const CONSOLE = String.raw`\\.\CONIN$`;

/** Where there is none, reading it fails with the reason. `consolePath`: of the console's keyboard. */
export const standardInput = (platform: NodeJS.Platform, consolePath = CONSOLE): StandardInput =>
  platform === 'win32' ? (redirectedInput() ?? consoleInput(consolePath) ?? missingInput()) : process.stdin;

/** Null: Node has put the null device in the place of a handle that a program without a console does not inherit. */
const redirectedInput = (): StandardInput | null => {
  if (isatty(0)) return new ReadStream(0);
  try {
    return new Socket({ fd: 0, readable: true, writable: false });
  } catch {
    // Not a pipe.
  }
  try {
    return fstatSync(0).isFile() ? createReadStream('', { fd: 0 }) : null;
  } catch {
    return null;
  }
};

/** Null: questions cannot be seen, or the program has no console. */
const consoleInput = (path: string): StandardInput | null => {
  if (!process.stderr.isTTY) return null;
  try {
    // Turning the echo off needs the right to write.
    return new ReadStream(openSync(path, 'r+'));
  } catch {
    return null;
  }
};

const missingInput = (): StandardInput =>
  new Readable({
    read() {
      this.destroy(new Error('none was passed on'));
    },
  });
