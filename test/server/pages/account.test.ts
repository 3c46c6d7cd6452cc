/** The pages of sign-in, the account and connecting, in real Chromium and without a script. */
import { createServer, type Server as HttpServer } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import { trialNetworkOf } from '../../../src/server/limits/address-networks.ts';
import { ITEMS_MESSAGES } from '../../../src/server/pages/account/items-messages.ts';
import { ACCOUNT_MESSAGES } from '../../../src/server/pages/account/messages.ts';
import { unaligned } from '../../support/audit/alignment.ts';
import { lowContrast, nameless, overflows, tabStops } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { isLong } from '../../support/campaign.ts';
import { editRow } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { formBrowser, PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';

let service: RunningServer;
let chrome: Browser;
let user: User;
beforeAll(async () => {
  service = await startServer({ config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 10_000 } } });
  chrome = await openBrowser();
});
beforeEach(async () => {
  user = await userWithPassword(service);
});
afterAll(async () => {
  await chrome.close();
  await service.stop();
});

/** A page that records external requests and browser errors. */
const visit = async (options: BrowserContextOptions = {}) => {
  const context = await chrome.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  return { page, faults, close: () => context.close() };
};

const signIn = async (page: Page, path = '/account', { username } = user): Promise<void> => {
  await page.goto(`${service.url}${path}`);
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in');
};

const account = async (): Promise<Account> =>
  (await ask<Account>(service.url, { path: '/api/v1/account', key: user.apiKey })).body;

describe('the account page', () => {
  it('changes every field of the profile, which the API then returns', async () => {
    const { page, faults, close } = await visit();
    await signIn(page);
    await page.getByLabel('Name', { exact: true }).fill('Ада <Лавлейс>');
    await page.getByLabel('About you').fill('First line\nsecond');
    await page.getByLabel('Colours').selectOption('forest');
    await page.getByLabel('Capture hotkey').fill('Alt+S');
    await page.getByLabel('Copy the link').uncheck();
    await page.getByLabel('New items are private').check();
    await page.getByLabel('Show unlisted items').uncheck();
    await page.getByLabel('Show your name in link previews').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.locator('.person strong').textContent()).toBe('Ада <Лавлейс>');
    expect((await account()).user).toMatchObject({
      name: 'Ада <Лавлейс>',
      bio: 'First line\nsecond',
      palette: 'forest',
      captureHotkey: 'Alt+S',
      copyLink: false,
      privateByDefault: true,
      unlistedPreviews: false,
      previewAuthor: false,
    });
    expect(faults).toEqual([]);
    await close();
  });

  it('takes a bio of 600 characters and no more, and keeps what was typed', async () => {
    const visitor = formBrowser(service);
    await visitor.signIn(user.username);
    const fields = { name: 'A', palette: 'ocean', captureHotkey: 'F9' };
    expect((await visitor.post('/account/profile', { ...fields, bio: '🙂'.repeat(600) })).status).toBe(303);
    const refused = await visitor.post('/account/profile', { ...fields, bio: '🙂'.repeat(601) });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('Use at most 600 characters.')]);
    expect(refused.body).toContain('🙂'.repeat(601));
    for (const wrong of [{ name: ' ' }, { name: 'x'.repeat(65) }, { palette: 'other' }, { captureHotkey: '' }]) {
      expect((await visitor.post('/account/profile', { ...fields, bio: '', ...wrong })).status).toBe(400);
    }
    expect((await account()).user.bio).toBe('🙂'.repeat(600));
  });

  it('makes a key with its permissions and its end, shows it once, and revokes it', async () => {
    const { page, close } = await visit();
    await signIn(page, '/account/security');
    await page.getByText('New key', { exact: true }).click();
    await page.getByLabel('Key name').fill('Camera');
    await page.getByLabel('Expires').selectOption('90');
    await page.getByLabel('See your account').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const apiKey = (await page.locator('.secret').textContent()) ?? '';
    const { body } = await ask<Account>(service.url, { path: '/api/v1/account', key: apiKey });
    expect(body.credential).toMatchObject({ name: 'Camera', scopes: ['account:read'], client: null, deviceName: null });
    const days = (Date.parse(body.credential?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(90, 2);
    await page.goto(`${service.url}/account/security`);
    expect(await page.content()).not.toContain(apiKey);
    await page.getByRole('button', { name: 'Revoke Camera' }).click();
    await page.getByText('The key was revoked.').waitFor();
    expect((await ask(service.url, { path: '/api/v1/account', key: apiKey })).problem.code).toBe('API_KEY_REVOKED');
    await close();
  });

  it('makes no key without a name or permission, and revokes none of another account', async () => {
    const visitor = formBrowser(service);
    await visitor.signIn(user.username);
    const good = { keyName: 'x', scope: ['account:read'], lifetime: 'never' };
    for (const wrong of [
      { keyName: ' ' },
      { keyName: 'x'.repeat(101) },
      { scope: [] },
      { scope: ['admin'] },
      { lifetime: '7' },
    ]) {
      expect((await visitor.post('/account/keys', { ...good, ...wrong })).status).toBe(400);
    }
    const other = await service.user();
    expect((await visitor.post(`/account/keys/${other.keyId}/revoke`)).status).toBe(404);
    expect((await ask(service.url, { path: '/api/v1/account', key: other.apiKey })).status).toBe(200);
  });

  it('shows the requests of the keys without their queries', async () => {
    await ask(service.url, { path: '/api/v1/content?q=secret', key: user.apiKey });
    const visitor = formBrowser(service);
    await visitor.signIn(user.username);
    const { body } = await visitor.get('/account/security');
    expect(body).toContain('GET /api/v1/content</code>');
    expect(body).not.toContain('secret');
  });

  it('shows the storage used and the plan, and starts the trial', async () => {
    await editRow(service, 'UPDATE accounts SET storageUsed = ? WHERE id = ?', 512 * 1024 ** 2, user.accountId);
    await editRow(service, 'DELETE FROM trialNetworks WHERE network = ?', trialNetworkOf({ ip: '127.0.0.1' }));
    const { page, close } = await visit();
    await signIn(page);
    const text = async (id: string) => (await page.locator(id).textContent()) ?? '';
    expect(await text('#plan')).toContain('512\u00a0MB of 1\u00a0GB');
    expect(await page.locator('progress').evaluate((bar: HTMLProgressElement) => bar.position)).toBe(0.5);
    await page.getByRole('button', { name: 'Try Pro for 14 days' }).click();
    await page.getByText('Pro · trial').waitFor();
    expect((await account()).entitlements.trial?.state).toBe('active');
    await editRow(service, 'UPDATE accounts SET trialEndsAt = ? WHERE id = ?', Date.now() + 3_600_000, user.accountId);
    await page.reload();
    expect(await text('#plan')).toContain('The trial ends in one day.');
    await editRow(service, 'UPDATE accounts SET trialEndsAt = ? WHERE id = ?', Date.now() - 1, user.accountId);
    await page.reload();
    expect(await text('#plan')).toContain('The trial has ended.');
    await close();
  });
});

describe('connecting in a browser', () => {
  let app: HttpServer;
  let received: string[];
  beforeEach(async () => {
    received = [];
    app = createServer((request, response) => {
      received.push(request.url ?? '');
      response.end('<title>Back in the app</title>');
    });
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => new Promise((resolve) => app.close(resolve)));

  it('leads from the sign-in over the approval back to the app', async () => {
    const { port } = app.address() as { port: number };
    const query = new URLSearchParams({
      client_id: 'desktop',
      device_name: 'Ada’s laptop',
      device_id: 'd-1',
      code_challenge: 'c'.repeat(43),
      redirect_uri: `http://127.0.0.1:${port}/callback`,
      state: 'xyz',
    });
    const { page, close } = await visit({ javaScriptEnabled: true });
    await signIn(page, `/connect?${query}`);
    expect(await page.textContent('dl')).toContain('Ada’s laptop');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.waitForURL(`http://127.0.0.1:${port}/**`);
    expect(received[0]).toMatch(/^\/callback\?code=[\w-]{43}&state=xyz$/);
    await close();
  });
});

describe('all of these pages', () => {
  const paths = ['/sign-in', '/account', '/connect/device', '/connect?client_id=x'];

  const LOOKS = [
    [390, 'dark', 'ru-RU'],
    [1280, 'light', 'en-US'],
    [390, 'light', 'en-US'],
    [1280, 'light', 'ru-RU'],
    [1280, 'dark', 'en-US'],
  ] as const;
  // `npm run test:screens` has all.
  it.each(isLong ? LOOKS : LOOKS.slice(0, 2))(
    'can be read and used at %i pixels, %s, %s',
    async (width, colorScheme, locale) => {
      const size = { viewport: { width, height: 900 }, colorScheme, locale };
      const { page, faults, close } = await visit({ ...size, javaScriptEnabled: true });
      const audit = async (path: string) => {
        expect([path, await lowContrast(page), await nameless(page), await overflows(page)]).toEqual([
          path,
          [],
          [],
          false,
        ]);
        expect((await tabStops(page)).filter(({ isSeen }) => !isSeen)).toEqual([]);
        expect([path, await unaligned(page)]).toEqual([path, []]);
        expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
      };
      for (const path of paths) {
        await page.goto(`${service.url}${path}`);
        await audit(path);
      }
      await signIn(page);
      await audit('/account, signed in');
      await page.goto(`${service.url}/account/security`);
      await page.locator('summary').click();
      await audit('/account/security');
      await page.goto(`${service.url}/connect/device`);
      await audit('/connect/device, signed in');
      const request = {
        client_id: 'desktop',
        device_name: 'A'.repeat(128),
        device_id: 'd',
        code_challenge: 'c'.repeat(43),
      };
      const query = new URLSearchParams({ ...request, redirect_uri: 'http://127.0.0.1:4567/callback' });
      await page.goto(`${service.url}/connect?${query}`);
      await audit('/connect, signed in');
      // The one error: a page with status 400.
      expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
      await close();
    },
  );

  it('have every sentence in English and Russian', () => {
    const shape = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
        : typeof value;
    expect(shape(ACCOUNT_MESSAGES.ru)).toEqual(shape(ACCOUNT_MESSAGES.en));
    expect(shape(ITEMS_MESSAGES.ru)).toEqual(shape(ITEMS_MESSAGES.en));
  });
});
