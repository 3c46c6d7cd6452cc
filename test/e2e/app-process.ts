/** Starts the browser host with `npm start`: the built window, the embedded server and a ready account; opens its page. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Page } from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');

export interface AppProcess {
  /** The address that was printed, with the token of this run. */
  readonly url: string;
  readonly profile: string;
  readonly output: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Opens no browser beside that of the test: `xdg-open` of this folder does nothing. */
const noBrowser = (profile: string): string => {
  const folder = `${profile}-programs`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
};

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/\S*/;

/**
 * Starts the app and waits for its address. `display`: the value of DISPLAY; without one the app has no screen, so that it
 * takes no hotkeys of the screen of another test, or of the developer. `variables`: further ones.
 */
export const startApp = async (
  profile: string,
  display: string | null = null,
  variables: Readonly<Record<string, string>> = {},
): Promise<AppProcess> => {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...environment } = process.env;
  const child: ChildProcess = spawn(
    process.execPath,
    [join(root, 'scripts/start.ts'), '--no-open', '--profile', profile],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...environment,
        ...(display !== null && { DISPLAY: display }),
        LINKSHOT_HOST: 'browser',
        LINKSHOT_CLIPBOARD: 'page',
        PATH: `${noBrowser(profile)}${delimiter}${process.env['PATH']}`,
        ...variables,
      },
    },
  );
  let output = '';
  const url = await new Promise<string>((resolveUrl, reject) => {
    const onText = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = ADDRESS.exec(output)?.[0];
      if (address) resolveUrl(address);
    };
    child.stdout?.on('data', onText);
    child.stderr?.on('data', onText);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${output}`)));
  });
  return {
    url,
    profile,
    output: () => output,
    async kill(signal) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
};

/** A fresh profile folder, and how to remove it. */
export const makeProfile = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'linkshot-e2e-'));
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  const remove = (): void => {
    for (const folder of [path, `${path}-programs`]) rmSync(folder, options);
  };
  return { path, remove };
};

/**
 * Opens the window in a new document: where it is open already, only the fragment of its address changes, and it loads
 * itself again a moment later.
 */
export const openApp = async (page: Page, { url }: Pick<AppProcess, 'url'>): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(url);
};
