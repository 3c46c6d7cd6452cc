/** The app in the browser host, with its window in one of the browsers, and its try-out server. */
import { ok } from '../../../src/api/errors.ts';
import { sessionSecrets } from '../../../src/engine/node-adapters.ts';
import { startWebHost, type WebHost } from '../../../src/web/browser-host.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { buildRenderer } from '../window/renderer-build.ts';
import type { Engine } from './engines.ts';
import type { Tab } from './tab.ts';

export interface AppInEngine {
  readonly host: WebHost;
  readonly tab: Tab;
  /** Addresses that the host opened in the user's browser. */
  readonly opened: readonly string[];
  close(): Promise<void>;
}

interface AppOptions {
  /** `desktop`: the host runs on the browser's screen. `elsewhere`: it has no screen, as on another computer. */
  readonly host?: 'desktop' | 'elsewhere';
}

/** Starts the host with a new profile and opens its window, ready for files. */
export const openApp = async (engine: Engine, { host: where = 'desktop' }: AppOptions = {}): Promise<AppInEngine> => {
  const opened: string[] = [];
  const started = await startWebHost({
    profileDir: temporaryFolder(`app-in-${engine.name}`),
    rendererDir: await buildRenderer('shipped'),
    ...{ port: 0, service: 'try-out', secrets: sessionSecrets() },
    environment: {
      PATH: process.env['PATH'],
      ...(where === 'desktop' ? (engine.screen?.environment ?? process.env) : { LINKSHOT_CLIPBOARD: 'page' }),
    },
    opener: {
      open: async (url) => {
        opened.push(url);
        return ok(undefined);
      },
    },
    log: (line) => console.error(line),
  });
  if (!started.ok) throw new Error(started.error.detail);
  const host = started.value;
  try {
    const tab = await engine.open();
    await tab.open(host.address);
    await tab.textOf({ css: 'main h1, main h2' });
    return {
      host,
      tab,
      opened,
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
