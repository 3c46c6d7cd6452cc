/**
 * Every kind of share page in each browser: phone, desktop, the smallest width, 200 % zoom, light and dark, with and
 * without scripts. `PICTURES=DIR` saves a screenshot of each.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEachEngine, itOnLinux } from '../support/browser/in-each-engine.ts';
import { wordsOf } from '../support/browser/pdf-words.ts';
import { keepPicture, keepSheet, pictureOf } from '../support/browser/pictures.ts';
import type { Tab } from '../support/browser/tab.ts';
import { zipOf } from '../support/folder/forge-zip.ts';
import { goodMp4, withChapters } from '../support/media/media.ts';
import { browser, change, editRow, keepProcessing, publish, ready } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { formBrowser, userWithPassword } from '../support/server/signed-in.ts';
import { sendFile } from '../support/server/single-request-upload.ts';
import { startVisitorProxy, type VisitorProxy } from '../support/server/visitor-proxy.ts';

const MARKDOWN = `# Release notes\n\nA **bold** word, \`code\`, and a [link](https://example.org).\n
| Part | State |\n| --- | --- |\n| Queue | done |\n\n- [x] One\n- [ ] Two\n\n\`\`\`rust\nfn main() { println!("hello"); }\n\`\`\`\n`;
const CODE = 'export const add = (a: number, b: number): number => a + b; // a sum\n'.repeat(12);

/** 640 × 400 is 1280 × 800 at 200 %. */
const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 800 },
  { width: 640, height: 400 },
  { width: 1280, height: 800 },
] as const;
const SOON = { interval: 100, timeout: 60_000 };

let server: RunningServer;
let owner: User;
const addresses = new Map<string, string>();
const visitors: VisitorProxy[] = [];
/** Of a video that is being processed while it is looked at. */
let waitingId: string;

const openPage = async (tab: Tab, kind: string): Promise<void> => {
  if (kind === 'waiting') await keepProcessing(server, waitingId);
  await tab.open(addresses.get(kind) ?? '');
};

const note = async (body: Record<string, unknown>): Promise<string> =>
  (await ask<{ id: string }>(server.url, { method: 'POST', path: '/api/v1/pastes', key: owner.apiKey, body })).body.id;

beforeAll(async () => {
  server = await startServer({
    config: {
      limits: {
        ...{ requestsPerMinute: 10_000, guestRequestsPerMinute: 10_000 },
        ...{ wrongPasswordsPer15Minutes: 10_000, wrongPasswordsPerItemPer15Minutes: 10_000 },
      },
      web: { reportUrl: 'https://example.org/report?link={link}' },
    },
  });
  owner = await userWithPassword(server, { plan: 'pro' });
  const visitor = async (cookie: string, forms?: Parameters<typeof startVisitorProxy>[2]): Promise<string> => {
    const proxy = await startVisitorProxy(server.url, cookie, forms);
    visitors.push(proxy);
    return proxy.url;
  };
  const open = { visibility: 'unlisted' } as const;
  const image = await publish(server, owner, {
    ...open,
    title: 'A picture of a meadow with a long title that has to wrap',
  });
  const recording = async (container: 'mp4' | 'webm') =>
    publish(server, owner, { ...open, title: 'A recording' }, await readFile(await withChapters(container)));
  const video = await recording('mp4');
  const webm = await recording('webm');
  const locked = await publish(server, owner, { ...open, password: 'open sesame' });
  const once = await publish(server, owner, { ...open, oneTime: true });
  const opened = await publish(server, owner, { ...open, oneTime: true, title: 'A picture for one' });
  const unlocked = await publish(server, owner, {
    ...open,
    password: 'open sesame',
    title: 'A picture behind a password',
  });
  const own = await publish(server, owner, { visibility: 'private', title: 'A picture of nobody else' });
  await publish(server, owner, { visibility: 'public', title: 'A picture for all' });
  const first = browser(server);
  await first.open(opened.id);
  const reader = browser(server);
  await reader.open(unlocked.id, 'open sesame');
  const signedIn = formBrowser(server);
  await signedIn.signIn(owner.username);
  const asOwner = await visitor(signedIn.cookie());
  const wrong = await visitor(
    '',
    new Map([[`/s/${locked.id}`, { action: `/s/${locked.id}/open`, fields: { password: 'open, please' } }]]),
  );
  const limited = await publish(server, owner, open);
  await change(server, owner, limited.id, { viewLimit: 5 });
  for (const { id } of [video, webm]) await ready(server, owner, id);
  const failed = await publish(
    server,
    owner,
    { ...open, title: 'A broken recording' },
    await readFile(await goodMp4()),
  );
  const waiting = await publish(server, owner, { ...open, title: 'A new recording' }, await readFile(await goodMp4()));
  for (const { id } of [failed, waiting]) await ready(server, owner, id);
  await editRow(server, "UPDATE content SET mediaStatus = 'FAILED', mediaError = 'x' WHERE id = ?", failed.id);
  waitingId = waiting.id;
  const folder = await sendFile(server.url, {
    path: '/api/v1/folders',
    filename: 'project.zip',
    key: owner.apiKey,
    bytes: zipOf({ 'README.md': MARKDOWN, 'src/add.ts': CODE, 'src/deep/er/main.rs': 'fn main() {}\n' }),
    fields: open,
  });
  for (const [name, path] of [
    ['image', `/s/${image.id}`],
    ['video', `/s/${video.id}`],
    ['webm', `/s/${webm.id}`],
    ['failed', `/s/${failed.id}`],
    ['waiting', `/s/${waiting.id}`],
    ['plain', `/s/${await note({ ...open, text: 'Plain words.\nOn two lines.', format: 'plain' })}`],
    ['markdown', `/s/${await note({ ...open, text: MARKDOWN, format: 'markdown' })}`],
    ['source', `/s/${await note({ ...open, text: MARKDOWN, format: 'markdown' })}?view=source`],
    ['code', `/s/${await note({ ...open, text: CODE, format: 'code', language: 'typescript' })}`],
    ['folder', `/s/${folder.body.id}`],
    ['folder-search', `/s/${folder.body.id}?q=add`],
    ['folder-file', `/s/${folder.body.id}?file=src/add.ts`],
    ['lock', `/s/${locked.id}`],
    ['one-time', `/s/${once.id}`],
    ['limited', `/s/${limited.id}`],
    ['unavailable', '/s/nothing-here'],
    ['sign-in', '/sign-in'],
    ['home', '/'],
  ] as const)
    addresses.set(name, server.url + path);
  for (const [name, address] of [
    ['wrong-password', `${wrong}/s/${locked.id}`],
    ['unlocked', `${await visitor(reader.cookie())}/s/${unlocked.id}`],
    ['one-time-opened', `${await visitor(first.cookie())}/s/${opened.id}`],
    ['own', `${asOwner}/s/${own.id}`],
    ['author', `${asOwner}/u/${owner.username}`],
    ['account', `${asOwner}/account`],
    ['account-items', `${asOwner}/account/items`],
    ['account-item', `${asOwner}/account/items/${own.id}`],
    ['account-security', `${asOwner}/account/security`],
    ['connect', `${asOwner}/connect/device`],
  ] as const)
    addresses.set(name, address);
});
afterAll(async () => {
  for (const proxy of visitors) await proxy.close();
  await server.stop();
});

const KINDS = [
  ...[
    'image',
    'video',
    'webm',
    'failed',
    'waiting',
    'plain',
    'markdown',
    'source',
    'code',
    'folder',
    'folder-search',
    'folder-file',
    'lock',
    'one-time',
    'limited',
  ],
  ...['unavailable', 'sign-in', 'home'],
  ...['wrong-password', 'unlocked', 'one-time-opened', 'own', 'author'],
  ...['account', 'account-items', 'account-item', 'account-security', 'connect'],
];

afterAll(async () => {
  for (const colors of ['light', 'dark']) for (const { width } of SIZES) await keepSheet(KINDS, `${colors}-${width}`);
  await keepSheet(KINDS, 'no-scripts');
});

for (const colors of ['light', 'dark'] as const)
  describe(`in ${colors} colours`, () => {
    inEachEngine(
      (engine) => {
        let tab: Tab;
        beforeAll(async () => {
          tab = await engine().open();
        });
        afterAll(() => tab?.close());

        it.each(KINDS)('the %s page fits into every width', async (kind) => {
          await openPage(tab, kind);
          for (const size of SIZES) {
            await tab.resize(size);
            const seen = await tab.evaluate(
              () => ({
                // An enlarged page of WebKit is a fraction of a pixel wider than it says.
                overflow:
                  document.documentElement.scrollWidth -
                  Math.ceil(document.documentElement.getBoundingClientRect().width),
                heading: document.querySelector('h1')?.getClientRects().length ?? 0,
                isDark: matchMedia('(prefers-color-scheme: dark)').matches,
              }),
              null,
            );
            expect({ ...seen, at: size.width }).toEqual({
              overflow: expect.toSatisfy((pixels: number) => pixels <= 0),
              heading: 1,
              isDark: colors === 'dark',
              at: size.width,
            });
            await keepPicture(engine(), tab, `${kind}-${colors}-${size.width}`);
          }
        });
      },
      { colors },
    );
  });

describe('on paper', () => {
  inEachEngine((engine) => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await engine().open();
    });
    afterAll(() => tab?.close());

    for (const kind of KINDS)
      itOnLinux(`the ${kind} page has its title, and no buttons that act on the page`, async () => {
        await openPage(tab, kind);
        const title = await tab.textOf({ css: 'h1' });
        const words = await wordsOf(await tab.print());
        expect(words.replaceAll(' ', '')).toContain(title.replace(/\s/g, ''));
        for (const button of ['Copy link', 'Copy text', 'Copy image', 'Wrap lines', 'Download all'])
          expect(words).not.toContain(button);
      });
  });
});

describe('without scripts', () => {
  inEachEngine(
    (engine) => {
      let tab: Tab;
      beforeAll(async () => {
        tab = await engine().open();
      });
      afterAll(() => tab?.close());

      const picture = () => pictureOf(engine(), tab);

      // A page without scripts cannot be asked: what it shows is compared with an empty one.
      it.each(KINDS)('the %s page shows its content', async (kind) => {
        await tab.open('about:blank');
        const empty = await picture();
        await openPage(tab, kind);
        await expect.poll(async () => (await picture()).equals(empty), SOON).toBe(false);
        if (process.platform === 'linux') {
          const sent = await (await fetch(addresses.get(kind) ?? '')).text();
          const title = /<h1[^>]*>([^<]+)/.exec(sent)?.[1]?.replaceAll('&gt;', '>') ?? '';
          expect(title).not.toBe('');
          expect((await wordsOf(await tab.print())).replaceAll(' ', '')).toContain(title.replace(/\s/g, ''));
        }
        await keepPicture(engine(), tab, `${kind}-no-scripts`);
      });
    },
    { scripts: 'blocked' },
  );
});
