/**
 * Sway, which starts in a second: an injected key ends with the link on the clipboard, also at a fractional scale, and a
 * compositor that ends costs nothing but the attempt.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { differences, ownPicture, whileStill } from '../support/screen/compositor-picture.ts';
import { failingDesktopSuite } from '../support/screen/failing-desktop.ts';
import { commandOn, emptyClipboard, linkOn, openHostOn, pictureBehind } from '../support/screen/linkshot-on-desktop.ts';
import { openWaylandDesktop, type WaylandDesktop, withoutDesktop } from '../support/screen/wayland-desktop.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';

let server: RunningServer;
let user: User;
beforeAll(async () => {
  server = await startServer();
  user = await server.user();
});
afterAll(() => server.stop());

failingDesktopSuite('sway', () => ({ server, user }));

describe.skipIf(withoutDesktop('sway') !== '')(`Sway with two outputs${withoutDesktop('sway')}`, () => {
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('sway', [
      { width: 800, height: 600 },
      { width: 1920, height: 1080, scale: 1.5 },
    ]);
  });
  afterAll(() => desktop?.close());

  it.each([
    [1, 1, 'y'],
    [2, 1.5, 'u'],
  ])(
    'a pressed key ends with the link on the clipboard, and the picture is screen %i at scale %d',
    async (screen, _, key) => {
      const host = await openHostOn(desktop, { server: server.url, key: user.apiKey });
      onTestFinished(() => host.stop());
      await desktop.run('swaymsg', `bindsym Ctrl+Shift+${key} exec ${commandOn(desktop, screen)}`);
      const press = async () => {
        await emptyClipboard(desktop);
        await desktop.run('wtype', '-M', 'ctrl', '-M', 'shift', '-k', key, '-m', 'shift', '-m', 'ctrl');
        return pictureBehind(await linkOn(desktop));
      };
      const [own, picture] = await whileStill(() => ownPicture(desktop, 'sway', `HEADLESS-${screen}`), press);
      expect(differences(picture, own)).toBe(0);
    },
  );
});
