/** Scenes of item pages: each kind of item and each state of a link. */
import type { Page } from 'playwright-core';
import type { Content } from '../../../src/api/content.ts';
import type { LibraryItem } from '../../../src/ipc/protocol/library-item.ts';
import { withLongPatience } from './long-patience.ts';
import { PICTURE_CONTENT } from './picture-words.ts';

/** Shows the page of an item that the library then has. `number`: of its id. */
const showItem = async (
  page: Page,
  number: number,
  content: Partial<Content>,
  own: Partial<LibraryItem> = {},
): Promise<void> => {
  await page.evaluate(
    ([itemNumber, itemContent, rest]) => {
      const { make, double } = window;
      const account = make.makeAccount();
      const features = ['link_expiry', 'view_limit', 'view_stats'] as const;
      const entitlements = { ...account.entitlements, features: [...features] };
      double.set({ connection: { ...make.connected(), account: { ...account, entitlements } } as never });
      const item = { ...make.makeLibraryItem(itemNumber, itemContent), ...rest };
      double.setLibrary([item]);
      const many = (itemContent.views ?? 0) > 100;
      double.answer('library.views', () => ({
        days: Array.from({ length: 30 }, (_, day) => ({
          date: new Date(make.NOON - (29 - day) * 86_400_000).toISOString().slice(0, 10),
          views: many ? (day % 7 === 0 ? 0 : (day * 13) % 9) : day === 28 ? (itemContent.views ?? 0) : 0,
        })),
      }));
      location.hash = '#library';
    },
    [number, content, own] as const,
  );
  await page.evaluate(
    (id) => {
      location.hash = `#item/${id}`;
    },
    await page.evaluate((itemNumber) => window.make.itemId(itemNumber), number),
  );
  await page.getByRole('heading', { level: 1 }).waitFor();
};

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const MARKDOWN = `# Release 2.4

Everything that changed since **2.3**, see [the list](https://example.com/list).

- [x] Faster start
- [ ] Signed installers

| Step | Before | After |
| --- | ---: | ---: |
| Start | 1.9 s | 0.7 s |
| Link | 2.4 s | 1.1 s |

\`\`\`ts
export const answer = (question: string): number => question.length * 42; // always
\`\`\`
`;

export const ITEM_SCENES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'a picture': (page) =>
    showItem(page, 2, {
      title: 'Dashboard of the spring release',
      originalName: 'dashboard.png',
      width: 1280,
      height: 800,
      views: 128,
      viewLimit: 200,
      accessVersion: 3,
      tags: ['release', 'design'],
      expiresAt: day(3),
    }),

  'the text of a picture': async (page) => {
    await page.evaluate(
      (content) => window.double.answer('vision.readItem', () => content as never),
      PICTURE_CONTENT as unknown,
    );
    await page.locator('[role=toolbar] button[aria-pressed]').click();
    await page.getByText('1284').first().waitFor();
  },

  'a note': async (page) => {
    await page.evaluate((text) => {
      window.double.answer('note.read', () => ({
        note: { text, format: 'markdown', language: null, revision: 4 },
        draft: null,
        unread: null,
      }));
    }, MARKDOWN);
    // Otherwise the plain text is shown for good.
    await withLongPatience(page, async () => {
      await showItem(page, 4, {
        type: 'PASTE',
        mime: 'text/markdown',
        title: 'Release 2.4',
        pasteFormat: 'markdown',
        revision: 4,
        size: 812,
        visibility: 'public',
      });
      await page.getByRole('table').first().waitFor();
    });
  },

  'a folder': async (page) => {
    await page.evaluate(() => {
      const files = [
        'README.md',
        'package.json',
        'src/main.ts',
        'src/parts/button.tsx',
        'src/parts/menu.tsx',
        'docs/a/b.md',
      ];
      window.double.answer('library.folder', () => ({
        files: files.map((path, index) => ({ path, size: 700 * (index + 1) ** 2 })),
      }));
      window.double.answer('library.folderFile', ({ path }) => ({
        text: `/** ${path} */\nexport const answer = 42;\n\nexport const ask = (question: string): number => {\n  return question.length * answer;\n};\n`,
      }));
    });
    await showItem(page, 6, {
      type: 'FOLDER',
      mime: 'application/zip',
      title: 'linkshot-website',
      folderFiles: 6,
      size: 22_400,
      oneTime: true,
      allowDownload: false,
    });
    await page.getByRole('button', { name: /main\.ts/ }).click();
    await page.getByText('export const').first().waitFor();
  },

  'a video in the making': (page) =>
    showItem(page, 8, {
      type: 'VIDEO',
      mime: 'video/mp4',
      title: 'Screen recording',
      mediaStatus: 'PROCESSING',
      durationMs: 42_000,
      width: 1920,
      height: 1080,
      videoCodec: 'h264',
      hasAudio: true,
      size: 8_400_000,
      passwordProtected: true,
    }),

  'a video that failed': (page) =>
    showItem(page, 14, {
      type: 'VIDEO',
      mime: 'video/mp4',
      title: 'Broken recording',
      mediaStatus: 'FAILED',
      mediaError: 'None of the first frames could be decoded.',
      size: 1_400_000,
      visibility: 'private',
    }),

  'its link in every form': async (page) => {
    await ITEM_SCENES['a picture']?.(page);
    await page.locator('[aria-expanded]').first().click();
    await page.getByRole('list').filter({ hasText: 'BBCode' }).waitFor();
  },

  'its link for a camera': async (page) => {
    await ITEM_SCENES['a picture']?.(page);
    await page.locator('[aria-expanded]').nth(1).click();
    await page.getByRole('figure').waitFor();
  },

  'its settings being changed': async (page) => {
    await ITEM_SCENES['a picture']?.(page);
    for (const name of [/^(Set a password|Задать пароль)$/, /^(Change|Изменить)$/, /^(Change|Изменить)$/])
      await page.getByRole('button', { name }).first().click();
    await page
      .getByRole('button', { name: /^(Save|Сохранить)$/ })
      .nth(2)
      .waitFor();
  },

  'a used one-time link': (page) =>
    showItem(page, 10, { title: 'Contract', oneTime: true, consumedAt: day(-1), views: 1, width: 1280, height: 800 }),

  'a change that was taken back': async (page) => {
    await ITEM_SCENES['a picture']?.(page);
    await page.evaluate(() => {
      window.double.failNext('library.update', { code: 'SERVER_UNREACHABLE', detail: 'getaddrinfo ENOTFOUND' });
    });
    await page.getByRole('switch').first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('alert').getByRole('button').first().waitFor();
  },

  'an item that was removed': async (page) => {
    await ITEM_SCENES['a picture']?.(page);
    await page.evaluate(() => {
      window.double.setLibrary([]);
      window.double.emit({ type: 'library' });
    });
    await page.getByRole('heading', { name: /Dashboard/ }).waitFor();
  },

  'an item that is gone': (page) =>
    showItem(page, 12, { title: 'Old screenshot', expiresAt: day(-2) }, { goneAt: Date.now() - 3_600_000 }),
};
