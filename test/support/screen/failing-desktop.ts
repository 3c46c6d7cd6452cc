/**
 * The suite of a desktop that fails a screenshot: without a portal, or with a compositor that ends. Each attempt ends in words, and
 * the next one works as soon as the desktop does.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer, User } from '../server/server.ts';
import { differences, ownPicture, type Picture, pictureIn, whileStill } from './compositor-picture.ts';
import { type Ended, linkshotOn } from './linkshot-on-desktop.ts';
import {
  ALLOW_SCREENSHOTS,
  type DesktopKind,
  openWaylandDesktop,
  type WaylandDesktop,
  withoutDesktop,
} from './wayland-desktop.ts';

const SCREEN = { width: 800, height: 600 };
const NAMES = { sway: 'Sway', gnome: 'GNOME', kwin: 'KDE Plasma' } as const;

/** `service`: called by the tests. */
export const failingDesktopSuite = (
  kind: DesktopKind,
  service: () => { readonly server: RunningServer; readonly user: User },
): void => {
  const why = withoutDesktop(kind);
  describe.skipIf(why !== '')(`${NAMES[kind]}${why}`, () => {
    let desktop: WaylandDesktop;
    const allow = () => desktop.run('busctl', '--user', 'call', ...ALLOW_SCREENSHOTS);
    beforeAll(async () => {
      desktop = await openWaylandDesktop(kind, [SCREEN]);
      await allow();
    });
    afterAll(() => desktop?.close());

    const capture = (): Promise<Ended> =>
      linkshotOn(desktop, service().user.apiKey, [
        'capture',
        '--screen',
        '1',
        '--json',
        '--server',
        service().server.url,
      ]);
    const published = async ({ code, stdout, stderr }: Ended): Promise<Picture> => {
      expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('"url"') });
      const { id } = JSON.parse(stdout) as { id: string };
      const headers = { authorization: `Bearer ${service().user.apiKey}` };
      return pictureIn(
        Buffer.from(await (await fetch(`${service().server.url}/api/media/${id}`, { headers })).arrayBuffer()),
      );
    };
    const expectPicture = async (): Promise<void> => {
      const own = () => ownPicture(desktop, kind, 'HEADLESS-1');
      const [whole, picture] = await whileStill(own, async () => published(await capture()));
      expect(differences(picture, whole)).toBe(0);
    };

    it(
      kind === 'sway'
        ? 'needs no portal for a screenshot'
        : 'without a portal a screenshot ends in words that name what to install, and works once it is there',
      async () => {
        await desktop.removePortals();
        if (kind === 'sway') await expectPicture();
        else {
          expect(await capture()).toMatchObject({
            code: 1,
            stdout: expect.stringContaining(
              'only through its portal, which does not answer. Install xdg-desktop-portal',
            ),
          });
          const doctor = await linkshotOn(desktop, service().user.apiKey, ['doctor', '--json']);
          const row = doctor.stdout.split('\n').find((line) => line.includes('"check":"desktop"'));
          expect(row).toContain('xdg-desktop-portal');
        }
        await desktop.installPortals();
        await expectPicture();
      },
    );

    it('when the compositor has ended a screenshot ends in words, and the next one works when it runs again', async () => {
      await desktop.crash('compositor');
      const { code, stdout } = await capture();
      expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('"CAPTURE_UNAVAILABLE"') });
      expect(stdout).toMatch(new RegExp(`${NAMES[kind]}|compositor|desktop`));
      expect((await linkshotOn(desktop, service().user.apiKey, ['queue', '--json'])).stdout).not.toContain('"failed"');
      await desktop.restartCompositor();
      await allow();
      await expectPicture();
    });
  });
};
