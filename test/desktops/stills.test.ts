/**
 * `linkshot capture` on real Wayland desktops, against a real server: behind the link is what the compositor itself shows,
 * pixel for pixel.
 */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { CLI } from '../support/programs.ts';
import {
  differences,
  ownPicture,
  type Picture,
  part,
  pictureIn,
  whileStill,
} from '../support/screen/compositor-picture.ts';
import { askShell, SYSTEM_MODAL } from '../support/screen/gnome-shell.ts';
import { clipboardOf } from '../support/screen/linkshot-on-desktop.ts';
import {
  ALLOW_SCREENSHOTS,
  type DesktopKind,
  HELPERS,
  openWaylandDesktop,
  type WaylandDesktop,
  withoutDesktop,
} from '../support/screen/wayland-desktop.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';

let server: RunningServer;
let user: User;
beforeAll(async () => {
  server = await startServer();
  user = await server.user();
});
afterAll(() => server.stop());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** As the user of the desktop: its portal answers no other. */
const linkshot = async (
  desktop: WaylandDesktop,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  const place = ['--profile', join(desktop.folder, 'home', 'profile')];
  const child = desktop.start([process.execPath, CLI, ...words, ...place], {
    LINKSHOT_KEY: user.apiKey,
    ...environment,
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...texts };
};
const capture = (desktop: WaylandDesktop, ...words: readonly string[]): Promise<Ended> =>
  linkshot(desktop, ['capture', ...words, '--json', '--server', server.url]);

const published = async ({ code, stdout, stderr }: Ended): Promise<Picture> => {
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('"url"') });
  const { id } = JSON.parse(stdout) as { id: string };
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const answer = await fetch(`${server.url}/api/media/${id}`, { headers });
  return pictureIn(Buffer.from(await answer.arrayBuffer()));
};

const SMALL = { width: 800, height: 600 };
const withPortal = (kind: DesktopKind) => withoutDesktop(kind) !== '';

describe.skipIf(withPortal('sway'))(`Sway${withoutDesktop('sway')}`, () => {
  /** Physical pixels of the second one: 1920 x 1080 on 1280 x 720 logical ones. */
  const second = { width: 1920, height: 1080, scale: 1.5 };
  let desktop: WaylandDesktop;
  let noise: Buffer;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('sway', [SMALL, second]);
    const random = seededRandom(3);
    noise = Buffer.from(Array.from({ length: SMALL.width * SMALL.height * 3 }, () => Math.floor(random() * 256)));
    const path = join(desktop.folder, 'noise.png');
    await writeFile(
      path,
      await sharp(noise, { raw: { ...SMALL, channels: 3 } })
        .png()
        .toBuffer(),
    );
    await desktop.run('swaymsg', `output HEADLESS-1 bg ${path} fill`);
    await desktop.run('swaymsg', 'output HEADLESS-2 bg #a04060 solid_color');
    // The backgrounds are drawn by a program of their own.
    await eventually(async () => {
      const first = await published(await capture(desktop, '--screen', '1'));
      expect(first.pixels.equals(noise)).toBe(true);
    });
  });
  afterAll(() => desktop?.close());

  it('publishes each output in its own physical pixels, at scales 1 and 1.5', async () => {
    const one = await published(await capture(desktop, '--screen', '1'));
    expect(differences(one, { ...SMALL, pixels: noise })).toBe(0);
    const two = await published(await capture(desktop, '--screen', '2'));
    const colour = Buffer.alloc(second.width * second.height * 3, Buffer.from([0xa0, 0x40, 0x60]));
    expect(differences(two, { ...second, pixels: colour })).toBe(0);
  });

  it('publishes all outputs side by side, and a region across the seam', async () => {
    const all = await published(await capture(desktop));
    expect([all.width, all.height]).toEqual([SMALL.width + second.width, second.height]);
    expect(differences(part(all, 0, 0, SMALL), { ...SMALL, pixels: noise })).toBe(0);
    const seam = await published(await capture(desktop, '--region', '790,10,20,30'));
    expect(differences(seam, part(all, 790, 10, { width: 20, height: 30 }))).toBe(0);
  });

  it('publishes the focused window with exactly its pixels', async () => {
    // Sway gives a window the size that its program drew last, so the program is the one that chooses it.
    await desktop.run('swaymsg', 'for_window [app_id=foot] floating enable');
    const words = 'exec foot --window-size-pixels=300x200 -o colors.background=204080 sleep 1000';
    await desktop.run('swaymsg', `workspace number 1; ${words}`);
    const foot = async () => windowOf(JSON.parse((await desktop.run('swaymsg', '-t', 'get_tree')).toString()), 'foot');
    await expect.poll(foot).toMatchObject({ rect: { width: 300, height: 200 }, visible: true });
    await desktop.run('swaymsg', '[app_id=foot] move position 40 px 50 px');
    const window = await published(await capture(desktop, '--window'));
    const [left, top] = [window.width === 450 ? SMALL.width + 60 : 40, window.width === 450 ? 75 : 50];
    const all = await published(await capture(desktop));
    expect([
      [300, 200],
      [450, 300],
    ]).toContainEqual([window.width, window.height]);
    expect(differences(window, part(all, left, top, window))).toBe(0);
    await desktop.run('swaymsg', '[app_id=foot] kill');
  });

  it('--copy puts the link on the clipboard, where another program reads it', async () => {
    const { stdout } = await capture(desktop, '--screen', '1', '--copy');
    const { url } = JSON.parse(stdout) as { url: string };
    await expect.poll(() => clipboardOf(desktop)).toBe(url);
  });
});

interface SwayNode {
  readonly app_id?: string;
  readonly nodes: readonly SwayNode[];
  readonly floating_nodes: readonly SwayNode[];
}

/** Of a program in a tree of Sway; undefined: it has none. */
const windowOf = (node: SwayNode, program: string): SwayNode | undefined =>
  node.app_id === program
    ? node
    : [...node.nodes, ...node.floating_nodes].map((child) => windowOf(child, program)).find((found) => found);

describe.skipIf(withPortal('gnome'))(`GNOME${withoutDesktop('gnome')}`, () => {
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('gnome', [SMALL, { width: 640, height: 480 }]);
  });
  afterAll(() => desktop?.close());
  const own = () => ownPicture(desktop, 'gnome');
  const pressUntilEnded = async (running: Promise<Ended>, keys: readonly number[]): Promise<Ended> => {
    let isOver = false;
    void running.finally(() => {
      isOver = true;
    });
    // The keys are for the question alone: before it has the keyboard, the first of them would be lost.
    const isAsked = async (): Promise<boolean> => (await askShell(desktop.run, 'Main.actionMode')) === SYSTEM_MODAL;
    const press = async (): Promise<boolean> => {
      if (!isOver && (await isAsked()))
        await desktop.run(process.execPath, join(HELPERS, 'gnome-input-process.ts'), ...keys.map(String));
      return isOver;
    };
    await expect.poll(press).toBe(true);
    return running;
  };
  const RIGHT = 0xff53;
  const ENTER = 0xff0d;

  it('names no windows, and says what to do instead, before it asks anything', async () => {
    const { code, stdout } = await capture(desktop, '--window');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('GNOME tells no program which windows are open'),
    });
  });

  it('tells the question beforehand; a no ends in words, and the words lead to the next attempt', async () => {
    const words = ['capture', '--screen', '1', '--server', server.url];
    const refused = await pressUntilEnded(linkshot(desktop, words), [ENTER]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('GNOME now asks whether programs may take screenshots'),
    });
    expect(refused.stderr).toMatch(/its question was answered with no.*run: busctl --user call/s);
    const command = /run: (busctl .*)$/m.exec(refused.stderr)?.[1] ?? '';
    await desktop.run('sh', '-c', command);
    const allowed = await pressUntilEnded(linkshot(desktop, words), [RIGHT, ENTER]);
    expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining('http') });
    expect((await linkshot(desktop, words)).stderr).not.toContain('now asks');
  });

  it('publishes the pixels of the compositor: both outputs, and each by its number', async () => {
    const [whole, all] = await whileStill(own, async () => published(await capture(desktop)));
    expect(differences(all, whole)).toBe(0);
    const [seen, second] = await whileStill(own, async () => published(await capture(desktop, '--screen', '2')));
    expect(differences(second, part(seen, SMALL.width, 0, { width: 640, height: 480 }))).toBe(0);
    // The desktop's own copies are gone.
    expect(readdirSync(join(desktop.folder, 'home', 'Pictures'))).toEqual([]);
  });

  it('captures again after its portal has crashed', async () => {
    await desktop.crash('own-portal');
    await desktop.crash('portal');
    const { code } = await capture(desktop, '--screen', '1');
    // D-Bus starts the portal again.
    expect(code).toBe(0);
  });
});

describe.skipIf(withPortal('gnome'))(`GNOME at scale 1.5${withoutDesktop('gnome')}`, () => {
  const screen = { width: 1200, height: 900, scale: 1.5 };
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('gnome', [screen, screen]);
    await desktop.run('busctl', '--user', 'call', ...ALLOW_SCREENSHOTS);
  });
  afterAll(() => desktop?.close());
  const own = () => ownPicture(desktop, 'gnome');

  it('publishes the pixels of the compositor: both outputs, and each by its number', async () => {
    const [whole, all] = await whileStill(own, async () => published(await capture(desktop)));
    expect([whole.width, whole.height]).toEqual([2 * screen.width, screen.height]);
    expect(differences(all, whole)).toBe(0);
    const [seen, second] = await whileStill(own, async () => published(await capture(desktop, '--screen', '2')));
    expect(differences(second, part(seen, screen.width, 0, screen))).toBe(0);
  });
});

describe.skipIf(withPortal('kwin'))(`KDE Plasma${withoutDesktop('kwin')}`, () => {
  const screen = { width: 900, height: 600, scale: 1.5 };
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('kwin', [screen, screen]);
  });
  afterAll(() => desktop?.close());
  const own = () => ownPicture(desktop, 'kwin');

  it('publishes the pixels of the compositor: both outputs, and each by its number, at scale 1.5', async () => {
    const [whole, all] = await whileStill(own, async () => published(await capture(desktop)));
    expect(differences(all, whole)).toBe(0);
    const [seen, second] = await whileStill(own, async () => published(await capture(desktop, '--screen', '2')));
    expect(differences(second, part(seen, seen.width - second.width, 0, second))).toBe(0);
    expect(second.width).toBe(seen.width / 2);
    expect(readdirSync(join(desktop.folder, 'home', 'Pictures'))).toEqual([]);
  });

  it('is described by the doctor, with its portals', async () => {
    const { stdout } = await linkshot(desktop, ['doctor', '--json']);
    const row = stdout.split('\n').find((line) => line.includes('"desktop"')) ?? '{}';
    expect(JSON.parse(row)).toMatchObject({
      check: 'desktop',
      message: expect.stringMatching(
        /^KDE Plasma on Wayland: screenshots through its portal; no recordings; portals: Screenshot 2, /,
      ),
    });
  });
});
