/** Screenshots on GNOME and KDE Plasma without a portal, and with a compositor that ends. Those on Sway are in `core.test.ts`. */
import { afterAll, beforeAll } from 'vitest';
import { failingDesktopSuite } from '../support/screen/failing-desktop.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';

let server: RunningServer;
let user: User;
beforeAll(async () => {
  server = await startServer();
  user = await server.user();
});
afterAll(() => server.stop());

failingDesktopSuite('gnome', () => ({ server, user }));
failingDesktopSuite('kwin', () => ({ server, user }));
