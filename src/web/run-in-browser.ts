/**
 * Runs Linkshot in the browser: prints the address of the page, opens the page if requested, and closes everything on
 * Ctrl+C.
 */
import { resolve } from 'node:path';
import { browserOpener } from '../engine/open-browser.ts';
import { openSystemKeyStore } from '../engine/profile/system-key-store.ts';
import { shutDownOnSignals } from '../host/shutdown.ts';
import { type BrowserHostRequest, startBrowserHost } from './start-browser-host.ts';

export interface BrowserRun extends Pick<BrowserHostRequest, 'profileDir' | 'port' | 'service' | 'origin'> {
  /** The address is printed in both cases. */
  readonly open: 'browser' | 'nothing';
}

/** Resolves when the address is printed; the process then runs until a signal. Returns false if it could not start. */
export const runInBrowser = async ({ open, ...run }: BrowserRun): Promise<boolean> => {
  const opener = browserOpener(process.platform);
  const started = await startBrowserHost({
    ...run,
    opener,
    environment: process.env,
    rendererDir: resolve(import.meta.dirname, '../../out/renderer'),
    secrets: openSystemKeyStore,
    log: (line) => console.error(line),
  });
  if (!started.ok) {
    console.error(started.error.detail);
    return false;
  }
  const host = started.value;
  shutDownOnSignals(host.close);
  console.log('Open this address in your browser:');
  console.log(`  ${host.address}`);
  if (host.service === 'try-out')
    console.log('You’re trying Linkshot out: links only work on this computer while Linkshot is running.');
  console.log('Press Ctrl+C to stop.');
  if (open !== 'browser') return true;
  const opened = await opener.open(host.address);
  if (!opened.ok) console.error(opened.error.detail);
  return true;
};
