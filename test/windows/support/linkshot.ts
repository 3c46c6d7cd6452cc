/** Runs Linkshot on Windows or under Wine: the server, the command line and the checks of what they published. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import {
  type Outcome,
  type StartOptions,
  startNode,
  type WindowsProcess,
  windowsPath,
} from '../../../scripts/windows/windows-process.ts';
import { windowsFolder } from '../../../scripts/windows/windows-test-paths.ts';
import type { Content } from '../../../src/api/content.ts';

export const folder = windowsFolder(process.env);
/** The output folder of scenarios, as a path of this computer. */
export const work = folder.work;

/** The Windows path of a file of the project. */
export const inProject = (path: string): string => windowsPath(join(folder.project, path));

/** A folder on drive C: with letters and blanks that many programs mishandle, and its path on this computer. */
export const onDriveC = (name: string): { readonly windows: string; readonly here: string } => {
  const parts = ['Анна Петрова', 'Мои данные', name];
  return { windows: ['C:', 'Linkshot tests', ...parts].join('\\'), here: join(folder.driveWork, ...parts) };
};

/** A program of `test/windows/programs`, run by node.exe. */
export const startProgram = (name: string, words: readonly string[], options: StartOptions = {}): WindowsProcess =>
  startNode([inProject(`test/windows/programs/${name}.ts`), ...words], options);

export const textFile = (name: string, text: string | Uint8Array): string => {
  const path = join(work, name);
  writeFileSync(path, text);
  return path;
};

/** A single-colour picture in one of 2^24 colours. */
export const picture = async (name: string, colour: number): Promise<string> => {
  const { default: sharp } = await import('sharp');
  const background = { r: colour >> 16, g: (colour >> 8) & 255, b: colour & 255 };
  const path = join(work, name);
  await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toFile(path);
  return path;
};

const SCOPES = 'content:read,content:write,content:delete,account:read';
const UNLIMITED = { requestsPerMinute: 100_000, uploadRequestsPerMinute: 100_000, partsPerMinute: 100_000 };

/** A padded video of one second has the bitrate of its padding. */
const ANY_BITRATE = { bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1e9, max: 1e9 } };

export interface WindowsServer {
  readonly url: string;
  readonly key: string;
  readonly process: WindowsProcess;
  /** All published items. */
  published(): Promise<readonly Content[]>;
  media(id: string): Promise<Buffer>;
  text(id: string): Promise<string>;
  remove(id: string): Promise<void>;
}

export interface ServerPlace {
  /** The Windows path of its data folder. */
  readonly data: string;
  /** A Linux path. */
  readonly cwd?: string;
  readonly key?: string;
  readonly port?: number;
}

const admin = async (data: string, words: readonly string[]): Promise<Record<string, string>> => {
  const { code, stdout, stderr } = await startNode([inProject('src/server/cli.ts'), ...words, '--data', data]).done;
  if (code !== 0) throw new Error(`linkshot-server ${words.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, string>;
};

/** Starts the server, the first time with a new account; it ends with the test file. */
export const startServer = async ({ data, cwd, key: known, port = 0 }: ServerPlace): Promise<WindowsServer> => {
  const config = join(work, 'server.json');
  writeFileSync(config, JSON.stringify({ limits: UNLIMITED, video: ANY_BITRATE }));
  if (known === undefined) await admin(data, ['account', 'add', 'anna', '--plan', 'pro']);
  const key = known ?? (await admin(data, ['key', 'add', '--account', 'anna', '--scopes', SCOPES]))['apiKey'] ?? '';
  const words = ['serve', '--port', String(port), '--data', data, '--config', windowsPath(config)];
  const server = startNode([inProject('src/server/cli.ts'), ...words], cwd === undefined ? {} : { cwd });
  running.add(server);
  await says(server, /\n/);
  const { url } = JSON.parse(server.stdout()) as { readonly url: string };
  const ask = async (path: string, method = 'GET'): Promise<Response> => {
    const response = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    url,
    key,
    process: server,
    published: async () => {
      const items: Content[] = [];
      let cursor: string | null = null;
      do {
        const page = (await (await ask(`/api/v1/content${cursor === null ? '' : `?cursor=${cursor}`}`)).json()) as {
          readonly items: readonly Content[];
          readonly nextCursor?: string | null;
        };
        items.push(...page.items);
        cursor = page.nextCursor ?? null;
      } while (cursor !== null);
      return items;
    },
    media: async (id) => Buffer.from(await (await ask(`/api/media/${id}?download=1`)).arrayBuffer()),
    text: async (id) => ((await (await ask(`/api/v1/content/${id}/text`)).json()) as { readonly text: string }).text,
    remove: async (id) => void (await ask(`/api/v1/content/${id}`, 'DELETE')),
  };
};

const running = new Set<WindowsProcess>();

/** For `afterAll`. */
export const endAll = async (): Promise<void> => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all([...running].map(({ done }) => done));
  running.clear();
};

const PATIENCE_MS = 120_000;

/** Resolves when its standard output contains the words; rejects with its whole output if it exits first. */
export const says = async (process: WindowsProcess, words: RegExp): Promise<void> => {
  const end = Date.now() + PATIENCE_MS;
  while (!words.test(process.stdout())) {
    if (process.child.exitCode !== null || process.child.signalCode !== null || Date.now() > end)
      throw new Error(`It has not said ${words}: ${process.stdout()}${process.stderr()}`);
    await sleep(50);
  }
};

/** Stopped by `endAll`. */
export const kept = (process: WindowsProcess): WindowsProcess => {
  running.add(process);
  return process;
};

export interface CommandPlace {
  readonly profile: string;
  readonly url?: string;
  readonly key?: string;
}

/** `linkshot WORDS... --json` for the user with this profile. */
export const startLinkshot = (
  words: readonly string[],
  { profile, url, key }: CommandPlace,
  options: StartOptions = {},
): WindowsProcess =>
  startNode(
    [inProject('src/cli/cli.ts'), ...words, '--json', '--profile', profile, ...(url ? ['--server', url] : [])],
    { ...options, env: { ...(key ? { LINKSHOT_KEY: key } : {}), ...options.env } },
  );

export const linkshot = (...call: Parameters<typeof startLinkshot>): Promise<Outcome> => startLinkshot(...call).done;

/** Fails with the whole output unless the command succeeds. */
export const linkshotSucceeds = async (...call: Parameters<typeof startLinkshot>): Promise<Outcome> => {
  const outcome = await linkshot(...call);
  expect(outcome.code, `linkshot ${call[0].join(' ')}: ${outcome.stdout}${outcome.stderr}`).toBe(0);
  return outcome;
};

/** Removes a folder after the test, whether or not the test created it. */
export const removedAfterwards = (path: string): string => {
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
