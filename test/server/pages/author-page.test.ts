/** The page of an author with their public items, for visitors who are signed in. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { itWith, unless } from '../../support/only-on.ts';
import { change, editRow, publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { formBrowser, PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';

let server: RunningServer;
let author: User;
let reader: User;
beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } } });
  author = await server.user({ plan: 'pro' });
  reader = await userWithPassword(server);
});
afterAll(() => server.stop());

const signedIn = async () => {
  const visitor = formBrowser(server);
  await visitor.signIn(reader.username);
  return visitor;
};
const pageOf = ({ username }: Pick<User, 'username'>) => `/u/${username}`;

it('shows a guest the sign-in, and leads back to the author from there', async () => {
  const answer = await formBrowser(server).get(pageOf(author));
  expect([answer.status, answer.headers['location']]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(pageOf(author))}`,
  ]);
  const visitor = formBrowser(server);
  const after = await visitor.signIn(reader.username, PASSWORD, pageOf(author));
  expect(after.headers['location']).toBe(pageOf(author));
});

it('lists what is public and nothing else, protected items without their title', async () => {
  const fields = (title: string) => ({ title, visibility: 'public' });
  const shown = await publish(server, author, fields('An open one'));
  const limited = await publish(server, author, fields('A limited one'));
  await change(server, author, limited.id, { viewLimit: 5 });
  await publish(server, author, { ...fields('A locked one'), password: PASSWORD });
  await publish(server, author, { title: 'An unlisted one', visibility: 'unlisted' });
  await publish(server, author, { title: 'A private one', visibility: 'private' });
  await publish(server, author, { title: 'A one-time one', visibility: 'unlisted', oneTime: true });
  const held = await publish(server, author, fields('A held one'));
  await editRow(server, "UPDATE content SET moderationHold = 'review' WHERE id = ?", held.id);
  const expired = await publish(server, author, fields('An expired one'));
  await editRow(server, 'UPDATE content SET expiresAt = 1 WHERE id = ?', expired.id);
  const { body } = await (await signedIn()).get(pageOf(author));
  const titles = [...body.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, title]) => title);
  expect(titles).toEqual(['Image', 'A limited one', 'An open one']);
  expect(body).toContain(`href="/s/${shown.id}"`);
  expect(body).not.toContain(`/api/media/${limited.id}`);
});

it('leads to earlier items page by page', async () => {
  const many = await server.user({ plan: 'pro' });
  for (let count = 0; count < 27; count++)
    await publish(server, many, { title: `Item ${count}`, visibility: 'public' });
  const visitor = await signedIn();
  const first = (await visitor.get(pageOf(many))).body;
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
  const second = (await visitor.get(next)).body;
  expect(first.match(/<li>/g)).toHaveLength(25);
  expect(second.match(/<strong>Item \d+/g)).toEqual(['<strong>Item 1', '<strong>Item 0']);
  expect(second).not.toContain('rel="next"');
});

it('is the page of an unknown address for a banned account, byte for byte', async () => {
  const banned = await server.user();
  await server.server.accounts.ban(banned.username);
  const visitor = await signedIn();
  const answer = await visitor.get(pageOf(banned));
  const unknown = await visitor.get('/u/nobody-of-this-name');
  expect([answer.status, answer.body]).toEqual([404, unknown.body]);
});

it('is linked from a share page for those who are signed in alone', async () => {
  const { id } = await publish(server, author, { visibility: 'unlisted' });
  const visitor = await signedIn();
  expect((await visitor.get(`/s/${id}`)).body).toContain(`href="${pageOf(author)}"`);
  expect((await formBrowser(server).get(`/s/${id}`)).body).not.toContain(pageOf(author));
});

itWith('Chromium of Debian').each([
  [390, 'light', 'en-US'],
  [1280, 'dark', 'ru-RU'],
] as const)(`can be read at %i pixels, %s, %s${unless('Chromium of Debian')}`, async (width, colorScheme, locale) => {
  const chrome = await openBrowser();
  onTestFinished(() => chrome.close());
  const context = await chrome.newContext({ viewport: { width, height: 800 }, colorScheme, locale });
  const page = await context.newPage();
  await page.goto(`${server.url}/sign-in?next=${encodeURIComponent(pageOf(author))}`);
  await page.locator('input[name=username]').fill(reader.username);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${pageOf(author)}`);
  expect(await page.locator('.works li').count()).toBeGreaterThan(0);
  expect(await axeViolations(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
  const shots = process.env['PICTURES'];
  if (shots !== undefined) await page.screenshot({ path: `${shots}/author-${colorScheme}-${width}.png` });
  await context.close();
});
