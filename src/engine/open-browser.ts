/** Opens web addresses in the user's browser with the system's opener, never through a shell. */

import { err, failure, ok, type Result } from '../api/errors.ts';
import { isSafeAddress } from '../api/service-address.ts';
import { spawn, windowsProgram } from '../base/node/run-program.ts';
import type { Opener } from './ports.ts';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: [windowsProgram('rundll32.exe', process.env), 'url.dll,FileProtocolHandler'],
};

/** An opener that takes longer is the browser itself, which some desktops run in its place. */
const OPENER_MS = 3_000;

export const notOpened = (reason: string, { href }: URL): Result<never> =>
  err(
    failure('APP_FAILED', `The browser could not be started (${reason}). Open ${href} yourself.`, {
      params: { address: href },
    }),
  );

/** Opens https addresses, and http ones of this machine; others are refused with ADDRESS_INVALID. */
export const browserOpener = (platform: NodeJS.Platform): Opener => ({
  open(address) {
    const url = URL.parse(address);
    if (!url || !isSafeAddress(url)) {
      return Promise.resolve(err(failure('ADDRESS_INVALID', 'Only web addresses can be opened.')));
    }
    const [command, ...fixed] = COMMANDS[platform] ?? ['xdg-open'];
    return new Promise<Result<void>>((resolve) => {
      const child = spawn(command, [...fixed, url.href], { stdio: 'ignore', detached: true });
      let timer: NodeJS.Timeout | undefined;
      const end = (isOpen: boolean): void => {
        clearTimeout(timer);
        resolve(isOpen ? ok(undefined) : notOpened(command, url));
      };
      child.once('error', () => end(false));
      child.once('exit', (code) => end(code === 0));
      child.once('spawn', () => {
        child.unref();
        // The exit code of Windows' opener says nothing.
        if (platform === 'win32') end(true);
        else timer = setTimeout(end, OPENER_MS, true);
      });
    });
  },
});
