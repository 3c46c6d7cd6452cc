/** The app in the browser host, with its window in one of the browsers, and its try-out server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../../src/api/errors.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { type BrowserHost, type BrowserHostRequest, startBrowserHost } from '../../../src/web/start-browser-host.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { buildRenderer } from '../window/renderer-build.ts';
import type { Engine } from './engines.ts';
import type { Tab } from './tab.ts';

export interface AppInEngine {
  /** That of the last start. */
  readonly host: BrowserHost;
  readonly tab: Tab;
  /** Addresses that the host opened in the user's browser. */
  readonly opened: readonly string[];
  /** Ends the host and starts it again with the same profile; the tab stays as it is. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface AppOptions {
  /** `desktop`: the host runs on the browser's screen. `elsewhere`: it has no screen, as on another computer. */
  readonly host?: 'desktop' | 'elsewhere';
}

/** Starts the host with a new profile and opens its window, ready for files. */
export const openApp = async (engine: Engine, { host: where = 'desktop' }: AppOptions = {}): Promise<AppInEngine> => {
  const opened: string[] = [];
  const profileDir = temporaryFolder(`app-in-${engine.name}`);
  // A host that is started again must get its port back, which a neighbour could have taken meanwhile.
  writeFileSync(join(profileDir, 'browser-port'), `${await freePort()}`);
  const request: BrowserHostRequest = {
    profileDir,
    rendererDir: await buildRenderer('shipped'),
    ...{ port: 0, service: 'try-out', secrets: async () => createMemoryKeyStore() },
    environment: {
      PATH: process.env['PATH'],
      ...(where === 'desktop' ? (engine.screen?.environment ?? process.env) : { LINKSHOT_CLIPBOARD: 'page' }),
    },
    // A busy machine draws late.
    pagePatienceMs: 60_000,
    opener: {
      open: async (url) => {
        opened.push(url);
        return ok(undefined);
      },
    },
    log: (line) => console.error(line),
  };
  const start = async (): Promise<BrowserHost> => {
    const started = await startBrowserHost(request);
    if (!started.ok) throw new Error(started.error.detail);
    return started.value;
  };
  let host = await start();
  try {
    const tab = await engine.open();
    await tab.open(host.address);
    await tab.textOf({ css: 'main h1, main h2' });
    return {
      get host() {
        return host;
      },
      tab,
      opened,
      async restart() {
        await host.close();
        host = await start();
      },
      async close() {
        await tab.close();
        await host.close();
      },
    };
  } catch (error) {
    await host.close();
    throw error;
  }
};
