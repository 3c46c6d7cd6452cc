/** Linkshot on a real Wayland desktop: its command line and its browser host, as the user of that desktop. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { CLI } from '../programs.ts';
import { type Picture, pictureIn } from './compositor-picture.ts';
import type { WaylandDesktop } from './wayland-desktop.ts';

const HERE = import.meta.dirname;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Which server, and by which key. */
export interface Place {
  readonly server: string;
  readonly key: string;
}

export const profileOf = (desktop: WaylandDesktop): string => join(desktop.folder, 'home', 'profile');

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts a command of the command line. */
export const startLinkshotOn = (
  desktop: WaylandDesktop,
  key: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningCommand => {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = ['env', ...variables, process.execPath, CLI, ...words, '--profile', profileOf(desktop)];
  const child = desktop.start(command, { LINKSHOT_KEY: key });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...texts })) };
};

/** Runs a command of the command line. */
export const linkshotOn = (...started: Parameters<typeof startLinkshotOn>): Promise<Ended> =>
  startLinkshotOn(...started).ended;

export interface RunningHost {
  stop(): Promise<void>;
}

/** Starts the browser host on the profile of this desktop. */
export const openHostOn = async (desktop: WaylandDesktop, { server, key }: Place): Promise<RunningHost> => {
  const words = [process.execPath, join(HERE, 'browser-host-process.ts'), profileOf(desktop)];
  const child = desktop.start(words, {
    LINKSHOT_SERVER: server,
    LINKSHOT_KEY: key,
    TMPDIR: join(desktop.folder, 'home'),
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const failed = once(child, 'close').then(() => {
    throw new Error(`The browser host ended: ${errors}`);
  });
  failed.catch(() => {});
  await Promise.race([once(child.stdout ?? child, 'data'), failed]);
  return {
    stop: async () => {
      const gone = once(child, 'close');
      child.kill();
      await gone;
    },
  };
};

export const LINK = /^http:\/\/127\.0\.0\.1:\d+\/s\/\w+$/;
/** Empty: nothing that is text, or no answer in time. */
export const clipboardOf = async (desktop: WaylandDesktop): Promise<string> =>
  (await desktop.run('timeout', '5', 'wl-paste', '--no-newline').catch(() => Buffer.of())).toString();
/** The link on the clipboard, once one is there: the next look may find nothing, where its owner is busy. */
export const linkOn = async (desktop: WaylandDesktop): Promise<string> => {
  let text = '';
  const look = async (): Promise<string> => {
    text = await clipboardOf(desktop);
    return text;
  };
  await expect.poll(look).toMatch(LINK);
  return text;
};
/** Its background half holds no pipe of ours open. */
export const emptyClipboard = (desktop: WaylandDesktop) =>
  desktop.run('sh', '-c', 'wl-copy something else >/dev/null 2>&1');

/** Of a link to a picture. */
export const pictureBehind = async (link: string): Promise<Picture> => {
  const { origin, pathname } = new URL(link);
  const answer = await fetch(`${origin}/api/media/${pathname.split('/').at(-1)}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  return pictureIn(Buffer.from(await answer.arrayBuffer()));
};

const LAUNCHER = resolve(import.meta.dirname, '../../../bin/linkshot');
/** For a key of the desktop; the host that runs carries it out. */
export const commandOn = (desktop: WaylandDesktop, screen = 1): string =>
  `${LAUNCHER} capture --screen ${screen} --copy --profile ${join(desktop.folder, 'home/profile')}`;
