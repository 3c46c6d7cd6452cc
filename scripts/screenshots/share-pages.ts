/** Renders the pages of links as the real reference server shows them to visitors. */
import type { Browser } from 'playwright-core';
import { publish } from '../../test/support/server/items.ts';
import { startServer } from '../../test/support/server/server.ts';
import { ask } from '../../test/support/server/service-client.ts';

/** A note with every Markdown feature. */
export const NOTE = `# Release 4.12

The queue now says *why* it waits, and what you can do about it.

| What | Before | Now |
| --- | ---: | ---: |
| First link after a start | 1.9 s | 0.6 s |
| Memory of a long list | 210 MiB | 74 MiB |

- [x] A paused upload goes on where it stopped
- [x] Links can end on a date
- [ ] Folders of pictures

\`\`\`ts
const wait = (failures: number): number =>
  Math.min(60_000, 500 * 2 ** failures); // never longer than a minute
\`\`\`

> Old links stay as they are.
`;

interface SharePages {
  /** Name of the picture, address, theme and height of each page. */
  readonly pages: readonly {
    readonly name: string;
    readonly url: string;
    readonly theme: 'light' | 'dark';
    readonly height: number;
  }[];
  stop(): Promise<void>;
}

/** Publishes `picture` and a note on a server of its own. */
export const startSharePages = async (picture: Buffer): Promise<SharePages> => {
  const server = await startServer();
  const account = await server.server.accounts.add({ username: 'mira', plan: 'pro', passwordHash: null });
  const owner = await server.key({ accountId: account.id, username: account.username, keyId: '', apiKey: '' });
  const open = { visibility: 'unlisted' } as const;
  const shown = await publish(server, owner, { ...open, title: 'Visitors in November' }, picture);
  const note = await ask<{ id: string }>(server.url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: owner.apiKey },
    body: { ...open, title: 'Release notes', text: NOTE, format: 'markdown' },
  });
  return {
    pages: [
      { name: 'share-picture', url: `${server.url}/s/${shown.id}`, theme: 'light', height: 912 },
      { name: 'share-note', url: `${server.url}/s/${note.body.id}`, theme: 'dark', height: 800 },
    ],
    stop: () => server.stop(),
  };
};

/** A picture of each page. */
export const takeSharePages = async (
  browser: Browser,
  { pages }: SharePages,
  width: number,
): Promise<readonly { readonly name: string; readonly picture: Buffer }[]> => {
  const taken = [];
  for (const { name, url, theme, height } of pages) {
    const page = await browser.newPage({
      viewport: { width, height },
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    taken.push({ name, picture: await page.screenshot() });
    await page.close();
  }
  return taken;
};
