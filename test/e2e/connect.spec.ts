/** Connects an account: enter the server address, approve in the browser, see the account. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { PASSWORD, userWithPassword } from '../support/server/signed-in.ts';
import { type AppProcess, makeProfile, startApp } from './app-process.ts';

const place = makeProfile();
const opened = join(place.path, 'opened');
let app: AppProcess;
let service: RunningServer;
let user: User;

test.beforeAll(async () => {
  // The app opens the browser through the system's opener; here it writes down what it was to open.
  const programs = join(place.path, 'programs');
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'xdg-open'),
    `#!/bin/sh\necho "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`,
  );
  chmodSync(join(programs, 'xdg-open'), 0o755);
  service = await startServer();
  user = await userWithPassword(service);
  const path = `${programs}${delimiter}${process.env['PATH']}`;
  app = await startApp(join(place.path, 'profile'), null, { PATH: path });
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  await service.stop();
  place.remove();
});

test('the account that approves in the browser is connected, and no key is ever typed', async ({ page, browser }) => {
  await page.goto(app.url);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Connect to another server').click();
  await page.getByLabel('Server address').fill(service.url);
  await page.getByRole('button', { name: 'Connect in the browser' }).click();
  await expect(page.getByText('Approve the connection')).toBeVisible();

  const address = () => (existsSync(opened) ? readFileSync(opened, 'utf8').trim() : '');
  await expect.poll(() => address().startsWith(`${service.url}/connect?`)).toBe(true);
  const visitor = await browser.newPage();
  await visitor.goto(address());
  await visitor.locator('[name=username]').fill(user.username);
  await visitor.locator('[name=password]').fill(PASSWORD);
  await visitor.locator('[name=password]').press('Enter');
  await visitor.getByRole('button', { name: 'Approve' }).click();
  await expect(visitor.getByText('Linkshot is connected')).toBeVisible();

  await expect(page.getByText(`@${user.username}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use the account try-out' })).toBeVisible();
});
