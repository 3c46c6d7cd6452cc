/** Starts the browser host with `npm start`: the built window, the embedded server and a ready account. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface AppProcess {
  /** The address that was printed, with the token of this run. */
  readonly url: string;
  readonly profile: string;
  readonly output: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

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
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
