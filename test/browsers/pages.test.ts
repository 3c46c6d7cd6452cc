/**
 * Every kind of share page in each browser: phone, desktop, the smallest width, 200 % zoom, light and dark, with and
 * without scripts. `PICTURES=DIR` saves a screenshot of each.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../support/browser/engines.ts';
import { inEachEngine } from '../support/browser/in-each-engine.ts';
import type { Tab } from '../support/browser/tab.ts';
import { zipOf } from '../support/folder/forge-zip.ts';
import { withChapters } from '../support/media/media.ts';
import { change, publish, ready } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';

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
const PICTURES = process.env['PICTURES'];
const SOON = { interval: 100, timeout: 60_000 };

/**
 * Of the page; of the whole screen in WebKitGTK, whose driver takes a picture by a script of its own and never answers
 * where scripts are blocked or an enlarged page has nothing new to paint.
 */
const pictureOf = async ({ name, screen }: Engine, tab: Tab): Promise<Buffer> =>
  name === 'webkit' && screen !== null ? screen.run('maim', '--hidecursor') : tab.screenshot();

let server: RunningServer;
let owner: User;
const paths = new Map<string, string>();

const note = async (body: Record<string, unknown>): Promise<string> =>
  (await ask<{ id: string }>(server.url, { method: 'POST', path: '/api/v1/pastes', key: owner.apiKey, body })).body.id;

beforeAll(async () => {
  server = await startServer({ config: { limits: { requestsPerMinute: 10_000, guestRequestsPerMinute: 10_000 } } });
  owner = await server.user({ plan: 'pro' });
  const open = { visibility: 'unlisted' } as const;
  const image = await publish(server, owner, {
    ...open,
    title: 'A picture of a meadow with a long title that has to wrap',
  });
  const video = await publish(
    server,
    owner,
    { ...open, title: 'A recording' },
    await readFile(await withChapters('mp4')),
  );
  const locked = await publish(server, owner, { ...open, password: 'open sesame' });
  const once = await publish(server, owner, { ...open, oneTime: true });
  const limited = await publish(server, owner, open);
  await change(server, owner, limited.id, { viewLimit: 5 });
  await ready(server, owner, video.id);
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
  ] as const)
    paths.set(name, path);
  if (PICTURES !== undefined) await mkdir(PICTURES, { recursive: true });
});
afterAll(() => server.stop());

const KINDS = [
  ...[
    'image',
    'video',
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
  ...['unavailable', 'sign-in'],
];

for (const colors of ['light', 'dark'] as const)
  describe(`in ${colors} colours`, () => {
    inEachEngine(
      (engine, browser) => {
        let tab: Tab;
        beforeAll(async () => {
          tab = await engine().open();
        });
        afterAll(() => tab?.close());

        it.each(KINDS)('the %s page fits into every width', async (kind) => {
          await tab.open(server.url + paths.get(kind));
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
            if (PICTURES !== undefined)
              await writeFile(
                join(PICTURES, `${kind}-${colors}-${size.width}-${browser}.png`),
                await pictureOf(engine(), tab),
              );
          }
        });
      },
      { colors },
    );
  });

describe('without scripts', () => {
  inEachEngine(
    (engine, browser) => {
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
        await tab.open(server.url + paths.get(kind));
        await expect.poll(async () => (await picture()).equals(empty), SOON).toBe(false);
        if (PICTURES !== undefined)
          await writeFile(join(PICTURES, `${kind}-no-scripts-${browser}.png`), await picture());
      });
    },
    { scripts: 'blocked' },
  );
});
