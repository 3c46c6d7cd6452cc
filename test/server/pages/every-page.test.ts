/**
 * Every server page in real Chromium, in every width and theme, in Russian, and code in every language: no axe
 * violations, no third-party requests or scripts, no horizontal overflow. `PICTURES=DIR` saves a screenshot of each page.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { CODE_SAMPLES } from '../../support/code-samples.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { goodMp4 } from '../../support/media/media.ts';
import { change, editRow, keepProcessing, publish, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';

const MARKDOWN = `# Release notes\n\nA **bold** word, \`code\`, and a [link](https://example.org).\n
| Part | State |\n| --- | --- |\n| Queue | done |\n\n- [x] One\n- [ ] Two\n
> A quotation.\n\n\`\`\`rust\nfn main() { println!("hello"); }\n\`\`\`\n`;
const CODE = 'export const add = (a: number, b: number): number => a + b; // a sum\n'.repeat(12);

let server: RunningServer;
let chrome: Browser;
let owner: User;
/** The id of a video that is being prepared. */
let waiting: string;
const paths = new Map<string, string>();

const note = async (body: Record<string, unknown>): Promise<string> => {
  const answer = await ask<{ id: string }>(server.url, {
    method: 'POST',
    path: '/api/v1/pastes',
    key: owner.apiKey,
    body,
  });
  return answer.body.id;
};

beforeAll(async () => {
  chrome = await openBrowser();
  server = await startServer({ config: { limits: { requestsPerMinute: 10_000, guestRequestsPerMinute: 10_000 } } });
  owner = await userWithPassword(server, { plan: 'pro' });
  const open = { visibility: 'unlisted' } as const;
  const image = await publish(server, owner, { ...open, title: 'A picture of a meadow' });
  const video = await publish(server, owner, { ...open, title: 'A recording' }, await readFile(await goodMp4()));
  const film = await readFile(await goodMp4());
  const failed = await publish(server, owner, { ...open, title: 'A broken recording' }, film);
  waiting = (await publish(server, owner, { ...open, title: 'A new recording' }, film)).id;
  const locked = await publish(server, owner, { ...open, password: 'open sesame' });
  const once = await publish(server, owner, { ...open, oneTime: true });
  const limited = await publish(server, owner, open);
  await change(server, owner, limited.id, { viewLimit: 5 });
  for (const id of [video.id, failed.id, waiting]) await ready(server, owner, id);
  await editRow(server, "UPDATE content SET mediaStatus = 'FAILED', mediaError = 'x' WHERE id = ?", failed.id);
  const folder = await sendFile(server.url, {
    path: '/api/v1/folders',
    filename: 'project.zip',
    key: owner.apiKey,
    bytes: zipOf({
      'README.md': MARKDOWN,
      'src/add.ts': CODE,
      'src/deep/er/main.rs': 'fn main() {}\n',
      '.env': 'A=1\n',
    }),
    fields: open,
  });
  const share = (id: string): string => `/s/${id}`;
  for (const [name, path] of [
    ['home', '/'],
    ['image', share(image.id)],
    ['video', share(video.id)],
    ['failed', share(failed.id)],
    ['waiting', share(waiting)],
    ['note', share(await note({ ...open, text: 'Plain words.\nOn two lines.', format: 'plain' }))],
    ['markdown', share(await note({ ...open, text: MARKDOWN, format: 'markdown' }))],
    ['code', share(await note({ ...open, text: CODE, format: 'code', language: 'typescript' }))],
    ['folder', share(folder.body.id)],
    ['folder-file', `${share(folder.body.id)}?file=src/add.ts`],
    ['folder-no-file', `${share(folder.body.id)}?file=nothing`],
    ['lock', share(locked.id)],
    ['one-time', share(once.id)],
    ['limited', share(limited.id)],
    ['unavailable', '/s/nothing-here'],
    ['nowhere', '/nothing/here'],
    ['sign-in', '/sign-in'],
  ] as const)
    paths.set(name, path);
});
afterAll(async () => {
  await chrome.close();
  await server.stop();
});

const PICTURES = process.env['PICTURES'];

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}
const LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 1600 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1600 },
];

/** Checks one page in each look. */
const examine = async (page: Page, name: string, looks: readonly Look[] = LOOKS): Promise<void> => {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const where = `${name} ${colorScheme} ${width}`;
    if (PICTURES !== undefined)
      await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(width);
    // Nothing but contrast depends on the colours.
    expect(await axeViolations(page, colorScheme === 'light' ? 'all' : 'contrast'), where).toEqual([]);
  }
};

/** Follows a page's requests and policy from before it is opened. */
const watch = (page: Page): { readonly foreign: string[]; readonly complaints: string[] } => {
  const seen = { foreign: [] as string[], complaints: [] as string[] };
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) seen.foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) seen.complaints.push(message.text());
  });
  return seen;
};

const NAMES = [
  ...['home', 'image', 'video', 'failed', 'waiting', 'note', 'markdown', 'code', 'folder', 'folder-file'],
  ...['folder-no-file', 'lock', 'one-time', 'limited', 'unavailable', 'nowhere', 'sign-in'],
];
// Russian words are longer: looked at where space is smallest.
const isSmall = ({ width }: Look): boolean => width === 390;

describe.each([['en-GB', LOOKS] as const, ['ru-RU', LOOKS.filter(isSmall)] as const])(
  'to a visitor with the locale %s',
  (locale, looks) => {
    let page: Page;
    beforeAll(async () => {
      page = await chrome.newPage({ locale });
    });
    afterAll(() => page.context().close());

    it.each(NAMES)('the %s page is usable by everyone and contacts no other server', async (name) => {
      const seen = watch(page);
      if (name === 'waiting') await keepProcessing(server, waiting);
      const answer = await page.goto(`${server.url}${paths.get(name)}`);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      expect(policy).not.toBe('');
      expect(/script-src[^;]*/.exec(policy)?.[0] ?? '').not.toContain('unsafe-inline');
      await page.waitForLoadState('load');
      // It has looked at the first answer before it asks a second time.
      if (name === 'waiting')
        for (let asked = 0; asked < 2; asked += 1) await page.waitForRequest((request) => request.url() === page.url());
      expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      expect(seen).toEqual({ foreign: [], complaints: [] });
      await examine(page, `${name}-${locale.slice(0, 2)}`, looks);
      expect(seen).toEqual({ foreign: [], complaints: [] });
    });
  },
);

describe('a note of code', () => {
  let page: Page;
  beforeAll(async () => {
    page = await chrome.newPage();
  });
  afterAll(() => page.context().close());

  it.each(Object.entries(CODE_SAMPLES))('in %s is usable by everyone', async (language, text) => {
    const seen = watch(page);
    const id = await note({ visibility: 'unlisted', text, format: 'code', language });
    await page.goto(`${server.url}/s/${id}`);
    // Its own are the colours, and the words that may not widen a phone.
    await examine(page, `code-${language}`, LOOKS.filter(isSmall));
    expect(seen).toEqual({ foreign: [], complaints: [] });
  });
});

it('a user signs in and approves an app; each page is accessible', async () => {
  const page = await chrome.newPage();
  const seen = watch(page);
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel('User name').fill(owner.username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/account/);
  await examine(page, 'account');
  for (const [name, path] of [
    ['items', '/account/items'],
    ['no-items', '/account/items?q=nothing+like+this'],
    ['item', `/account/items/${waiting}`],
    ['security', '/account/security'],
  ] as const) {
    await page.goto(`${server.url}${path}`);
    await examine(page, name);
  }
  const connect = new URLSearchParams({
    client_id: 'desktop',
    device_name: 'Ada’s laptop',
    device_id: 'device-0001',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    redirect_uri: 'http://127.0.0.1:49152/callback',
    state: 'state-0001',
  });
  await page.goto(`${server.url}/connect?${connect}`);
  await page.getByText('Ada’s laptop').first().waitFor();
  await examine(page, 'approval');
  await page.goto(`${server.url}/connect/device`);
  await examine(page, 'typed-code');
  expect(seen).toEqual({ foreign: [], complaints: [] });
  await page.context().close();
});
