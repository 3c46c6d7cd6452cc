/** What five chats show of a link, by small parsers that follow the documentation of each. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { packFiles } from '../../../src/server/folders/normalise-archive.ts';
import { describeText, shorten } from '../../../src/server/pages/share/link-preview.ts';
import { goodMp4, image, noisePixels } from '../../support/media/media.ts';
import { browser, change, editRow, publish, read, ready, remove } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { queryData } from '../../support/server/stored-bytes.ts';

const PASSWORD = 'correct horse battery';
const TITLE = 'Quarterly "figures" & plans';
const WORDS = 'The first line of the text';

let server: RunningServer;
let owner: User;
beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } } });
  owner = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

const note = async (user: User, fields: object): Promise<Content> => {
  const body = { format: 'markdown', text: `# ${TITLE}\n\n- ${WORDS}\n\nand more`, ...fields };
  return (await ask<Content>(server.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body })).body;
};
const folder = async (user: User, fields: Readonly<Record<string, unknown>>): Promise<Content> => {
  const files = ['README.md', 'src/main.ts'].map((path) => ({ path, bytes: Buffer.from(WORDS) }));
  const text = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const sending = { key: user.apiKey, bytes: packFiles(files), filename: 'app.zip', fields: Object.fromEntries(text) };
  return (await sendFile(server.url, { path: '/api/v1/folders', ...sending })).body.content;
};
const video = async (user: User, fields: object): Promise<Content> => {
  const item = await publish(server, user, { ...fields }, await readFile(await goodMp4()));
  return ready(server, user, item.id);
};
const picture = async (user: User, fields: object): Promise<Content> => {
  const { id } = await publish(server, user, { ...fields });
  await expect.poll(async () => (await read(server, user, id)).body.previewUrl).not.toBeNull();
  return (await read(server, user, id)).body;
};
const KINDS = { picture, video, note, folder } as const;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string): string => text.replace(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all);

/** The head of a page as a crawler reads it: without cookies and scripts. */
const headOf = async (url: string, { agent, readsFirst }: Pick<Chat, 'agent' | 'readsFirst'>) => {
  const range = readsFirst === undefined ? {} : { range: `bytes=0-${readsFirst - 1}` };
  const answer = await fetch(url, { headers: { 'user-agent': agent, accept: 'text/html', ...range } });
  const page = Buffer.from(await answer.arrayBuffer()).toString('utf8', 0, readsFirst);
  const tags = [...page.matchAll(/<(?:meta|link) [^>]*>/g)].map(([tag]) =>
    Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, plain(value ?? '')])),
  );
  const all = (name: string) =>
    tags.filter(({ property, name: plainName }) => [property, plainName].includes(name)).map(({ content }) => content);
  const oEmbed = tags.find(({ type }) => type === 'application/json+oembed')?.['href'];
  return { page, all, first: (name: string): string | undefined => all(name)[0], oEmbed };
};

interface Card {
  readonly title: string | undefined;
  readonly text: string | undefined;
  readonly image: string | undefined;
}
type Head = Awaited<ReturnType<typeof headOf>>;

const openGraph = ({ first }: Head): Card | null =>
  first('og:title') === undefined
    ? null
    : { title: first('og:title'), text: first('og:description'), image: first('og:image') };

const jsonOf = async (address: string | undefined): Promise<Record<string, unknown> | null> =>
  address === undefined ? null : ((await (await fetch(address)).json()) as Record<string, unknown>);

interface Chat {
  readonly agent: string;
  /** Bytes; absent: the whole page. */
  readonly readsFirst?: number;
  /** Null: a bare link. */
  readonly card: (head: Head) => Promise<Card | null>;
}

const CHATS: Readonly<Record<string, Chat>> = {
  /** api.slack.com, "Unfurling links in messages" and "Robots": the beginning of a page by Range; Open Graph. */
  Slack: {
    agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    readsFirst: 32 * 1024,
    card: async (head) => openGraph(head),
  },
  /** Large picture only with summary_large_image, title of at most 256 characters; the colour only as six hex digits. */
  Discord: {
    agent: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    async card(head) {
      const card = openGraph(head);
      if (card === null) return null;
      expect(head.first('theme-color')).toMatch(/^#[\da-f]{6}$/);
      expect([...(card.title ?? '')].length).toBeLessThanOrEqual(256);
      expect([...(card.text ?? '')].length).toBeLessThanOrEqual(350);
      return card.image !== undefined && head.first('twitter:card') !== 'summary_large_image'
        ? { ...card, image: undefined }
        : card;
    },
  },
  /** core.telegram.org, instant previews: site name, title, description and picture of Open Graph. */
  Telegram: {
    agent: 'TelegramBot (like TwitterBot)',
    card: async (head) => (head.first('og:site_name') === 'Linkshot' ? openGraph(head) : null),
  },
  /** The last og:image; JPEG or PNG of at most 300 KB and at least 200 pixels wide, in the first 300 KB of the page. */
  WhatsApp: {
    agent: 'WhatsApp/2.24.20.89 A',
    readsFirst: 300 * 1024,
    async card(head) {
      const card = openGraph(head);
      if (card === null) return null;
      const image = head.all('og:image').at(-1);
      if (image === undefined) return card;
      const answer = await fetch(image);
      expect(answer.headers.get('content-type')).toMatch(/^image\/(?:jpeg|png)$/);
      expect((await answer.arrayBuffer()).byteLength).toBeLessThan(300 * 1024);
      expect(Number(head.first('og:image:width'))).toBeGreaterThanOrEqual(200);
      return { ...card, image };
    },
  },
  /** FetchLinkCardService: oEmbed where it is announced (photo: its url; link: its thumbnail), else Open Graph. */
  Mastodon: {
    agent: 'Mastodon/4.5.0 (http.rb/5.3.1; +https://mastodon.example/) Bot',
    async card(head) {
      const embed = await jsonOf(head.oEmbed);
      if (embed === null) return openGraph(head);
      const image = embed['type'] === 'photo' ? embed['url'] : embed['thumbnail_url'];
      return {
        title: String(embed['title']),
        text: undefined,
        image: image === undefined ? undefined : String(image),
      };
    },
  },
};

type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** An item in a state, and what an owner calls that state. */
type Make = (kind: Kind) => Promise<Content>;
const make = (kind: Kind, fields: object, user = owner) => KINDS[kind](user, { title: TITLE, ...fields });

/** Anyone with the link sees them without a further step. */
const OPEN: Readonly<Record<string, Make>> = {
  public: (kind) => make(kind, { visibility: 'public' }),
  unlisted: (kind) => make(kind, { visibility: 'unlisted' }),
};

const withRow = async (item: Content, assignment: string): Promise<Content> => {
  await editRow(server, `UPDATE content SET ${assignment} WHERE id = ?`, item.id);
  return item;
};
const withLimit = async (item: Content, viewLimit: number): Promise<Content> => {
  await change(server, owner, item.id, { viewLimit });
  return item;
};
const opened = async (item: Content): Promise<Content> => {
  expect((await browser(server).open(item.id)).status).toBe(200);
  return item;
};

/** Nobody without a further step sees them. */
const HIDDEN: Readonly<Record<string, Make>> = {
  private: (kind) => make(kind, { visibility: 'private' }),
  'public with a password': (kind) => make(kind, { visibility: 'public', password: PASSWORD }),
  'unlisted with a password': (kind) => make(kind, { visibility: 'unlisted', password: PASSWORD }),
  'one-time': (kind) => make(kind, { visibility: 'unlisted', oneTime: true }),
  'one-time with a password': (kind) => make(kind, { visibility: 'unlisted', oneTime: true, password: PASSWORD }),
  'one-time, opened by somebody else': async (kind) =>
    opened(await make(kind, { visibility: 'unlisted', oneTime: true })),
  'public with a view limit': async (kind) => withLimit(await make(kind, { visibility: 'public' }), 5),
  'unlisted with a view limit': async (kind) => withLimit(await make(kind, { visibility: 'unlisted' }), 5),
  'public with its views used up': async (kind) =>
    opened(await withLimit(await make(kind, { visibility: 'public' }), 1)),
  'held for a review': async (kind) => withRow(await make(kind, { visibility: 'public' }), "moderationHold = 'review'"),
  blocked: async (kind) => withRow(await make(kind, { visibility: 'public' }), "moderationHold = 'blocked'"),
  expired: async (kind) => withRow(await make(kind, { visibility: 'public' }), 'expiresAt = 1'),
  async deleted(kind) {
    const item = await make(kind, { visibility: 'public' });
    expect((await remove(server, owner, item.id)).status).toBe(204);
    return item;
  },
  async 'of a banned account'(kind) {
    const banned = await server.user({ plan: 'pro' });
    const item = await make(kind, { visibility: 'public' }, banned);
    await server.server.accounts.ban(banned.username);
    return item;
  },
};

const expectBareLink = async (id: string): Promise<void> => {
  const page = `${server.url}/s/${id}`;
  for (const [name, chat] of Object.entries(CHATS)) {
    const head = await headOf(page, chat);
    expect(await chat.card(head), name).toBeNull();
    expect(head.first('twitter:card'), name).toBeUndefined();
  }
  const embed = await fetch(`${server.url}/oembed?url=${encodeURIComponent(page)}`);
  expect(embed.status).toBe(404);
  expect(await embed.text()).not.toContain('figures');
};

describe('A link in a chat', () => {
  describe.each(KIND_NAMES)('to a %s', (kind) => {
    it.each(Object.entries(OPEN))('that is %s is a card with the right parts', async (_state, makeItem) => {
      const item = await makeItem(kind);
      for (const [name, chat] of Object.entries(CHATS)) {
        const head = await headOf(item.url, chat);
        const card = await chat.card(head);
        expect(card?.title, name).toBe(TITLE);
        const isMedia = kind === 'picture' || kind === 'video';
        expect(card?.image, name).toBe(isMedia ? `${server.url}/api/media/${item.id}/preview.jpg` : undefined);
        // Of a picture Mastodon has no more than oEmbed.
        const ofMedia =
          name === 'Mastodon' && kind === 'picture' ? undefined : `Shared by ${item.author?.name} (@${owner.username})`;
        const texts = { picture: ofMedia, video: ofMedia, note: `${WORDS} and more`, folder: 'README.md, src/main.ts' };
        expect(card?.text, name).toBe(texts[kind]);
        expect(head.first('og:video'), name).toBe(kind === 'video' ? `${server.url}${item.mediaUrl}` : undefined);
      }
    });

    it.each(Object.entries(HIDDEN))('that is %s tells nothing of it', async (_state, makeItem) => {
      const { id } = await makeItem(kind);
      await expectBareLink(id);
      const page = await (await fetch(`${server.url}/s/${id}`)).text();
      for (const part of ['figures', WORDS, 'main.ts', owner.username]) expect(page).not.toContain(part);
      const preview = await fetch(`${server.url}/api/media/${id}/preview.jpg`);
      expect(preview.headers.get('content-type')).not.toContain('image');
    });

    it('that is unlisted is bare where the owner wants it so', async () => {
      const quiet = await server.user({ plan: 'pro' });
      await editRow(server, 'UPDATE accounts SET unlistedPreviews = 0 WHERE id = ?', quiet.accountId);
      await expectBareLink((await make(kind, { visibility: 'unlisted' }, quiet)).id);
    });
  });

  it('to a picture that is pasted at once has the picture that every chat shows', async () => {
    const bytes = await readFile(await image('avif', 1_600, 1_000));
    const { id, url } = await publish(server, owner, { title: TITLE }, bytes);
    const { first } = await headOf(url, { agent: 'TelegramBot (like TwitterBot)' });
    // The answer waits for the preview, and a busy machine takes longer to make it.
    await expect.poll(async () => (await fetch(String(first('og:image')))).status).toBe(200);
    for (const [name, chat] of Object.entries(CHATS)) {
      const card = await chat.card(await headOf(url, chat));
      expect(card?.image, name).toBe(`${server.url}/api/media/${id}/preview.jpg`);
      const answer = await fetch(String(card?.image));
      expect([answer.status, answer.headers.get('content-type')], name).toEqual([200, 'image/jpeg']);
    }
  });

  it('waits for a preview that is being made, and not for long', async () => {
    const item = await picture(owner, { title: TITLE });
    const [row] = await queryData<{ previewId: string }>(
      server.data,
      `SELECT "previewId" FROM content WHERE id = '${item.id}'`,
    );
    // Another node makes it, and takes its time.
    const claim = `"jobBy" = 'slow node', "jobUntil" = ${Date.now() + 3_600_000}`;
    const beginMaking = () => withRow(item, `"previewId" = NULL, "previewWanted" = 1, ${claim}`);
    await beginMaking();
    const path = `${server.url}/api/media/${item.id}/preview.jpg`;
    expect((await fetch(path)).status).toBe(404);
    const madeMeanwhile = async () => {
      await beginMaking();
      const waiting = fetch(path);
      // The server has read the row by the time it answers the next request.
      await headOf(item.url, { agent: 'Slackbot' });
      await editRow(
        server,
        'UPDATE content SET "previewId" = ?, "previewWanted" = 0 WHERE id = ?',
        row?.previewId ?? '',
        item.id,
      );
      return (await waiting).headers.get('content-type');
    };
    // It waits for three seconds, in which a busy machine may not get so far.
    await expect.poll(madeMeanwhile).toBe('image/jpeg');
  });

  it('to a picture of which no preview can be made has the picture itself where every chat shows it', async () => {
    const without = async (bytes: Uint8Array) => {
      const { id, url } = await publish(server, owner, { title: TITLE }, bytes);
      await expect.poll(async () => (await read(server, owner, id)).body.previewUrl).not.toBeNull();
      await editRow(server, 'UPDATE content SET "previewId" = NULL WHERE id = ?', id);
      const head = await headOf(url, { agent: 'TelegramBot (like TwitterBot)' });
      const embed = await (await fetch(String(head.oEmbed ?? `${server.url}/oembed?url=${url}`))).json();
      expect((embed as { type: string }).type).toBe(head.first('og:image') === undefined ? 'link' : 'photo');
      return head.first('og:image') === `${server.url}/api/media/${id}`;
    };
    expect(await without(await readFile(await image('png', 64, 40)))).toBe(true);
    expect(await without(await readFile(await image('jpeg', 64, 40)))).toBe(true);
    expect(await without(await noisePixels(640, 400).png({ compressionLevel: 0 }).toBuffer())).toBe(false);
    expect(await without(await readFile(await image('avif', 64, 40)))).toBe(false);
    expect(await without(await readFile(await image('webp', 64, 40)))).toBe(false);
  });

  it('has a picture whose bytes are a JPEG of the size that the page names', async () => {
    for (const item of [await picture(owner, {}), await video(owner, {})]) {
      const head = await headOf(item.url, { agent: 'TelegramBot (like TwitterBot)' });
      const bytes = Buffer.from(await (await fetch(String(head.first('og:image')))).arrayBuffer());
      const { default: sharp } = await import('sharp');
      const { format, width, height } = await sharp(bytes).metadata();
      expect([format, String(width), String(height)]).toEqual([
        'jpeg',
        head.first('og:image:width'),
        head.first('og:image:height'),
      ]);
    }
  });
});

describe('The picture of a link', () => {
  it('may be shown by any site where anyone with the link may see the item, and else by this one alone', async () => {
    const policyOf = async ({ id }: Content, headers: Record<string, string> = {}) =>
      (await fetch(`${server.url}/api/media/${id}/preview.jpg`, { headers })).headers.get(
        'cross-origin-resource-policy',
      );
    for (const item of [
      await picture(owner, {}),
      await picture(owner, { visibility: 'public' }),
      await video(owner, {}),
    ]) {
      expect(await policyOf(item)).toBe('cross-origin');
      expect(await policyOf(item, { authorization: `Bearer ${owner.apiKey}` })).toBe('same-origin');
    }
    const limited = await withLimit(await picture(owner, {}), 5);
    const viewer = browser(server);
    await viewer.open(limited.id);
    expect(await policyOf(limited, { cookie: viewer.cookie() })).toBe('same-origin');
  });
});

describe('oEmbed', () => {
  const embedOf = (query: string) => fetch(`${server.url}/oembed?${query}`);

  it('respects the maximum size, and only accepts JSON and items of this server', async () => {
    const { url } = await picture(owner, { visibility: 'public', title: TITLE });
    const address = `url=${encodeURIComponent(url)}`;
    const photo = await (await embedOf(`${address}&maxwidth=320&maxheight=200`)).json();
    expect(photo).toMatchObject({ version: '1.0', type: 'photo', title: TITLE, width: 320, height: 200 });
    expect(await (await embedOf(`${address}&maxwidth=100`)).json()).toMatchObject({ type: 'link' });
    expect((await embedOf(`${address}&format=xml`)).status).toBe(501);
    for (const other of ['https://example.org/s/a', `${server.url}/s/none`, 'nothing'])
      expect((await embedOf(`url=${encodeURIComponent(other)}`)).status).toBe(404);
  });
});

describe('The description of a text', () => {
  it('is its beginning, cut at a word, without marks, controls and half characters', () => {
    expect(describeText('# T\n> a \u202e b\n\n---\n* c\r\n', 'T', 'markdown')).toBe('a b c');
    const long = shorten('слово '.repeat(100));
    expect([...long].length).toBeLessThanOrEqual(200);
    expect(long).toMatch(/слово…$/);
    expect(shorten('😀'.repeat(300)).isWellFormed()).toBe(true);
  });
});

describe('The icons of the server', () => {
  it('are there in the forms that browsers ask for without a link', async () => {
    for (const [path, type, magic] of [
      ['/favicon.ico', 'image/x-icon', '00000100'],
      ['/apple-touch-icon.png', 'image/png', '89504e47'],
      ['/apple-touch-icon-precomposed.png', 'image/png', '89504e47'],
    ] as const) {
      const answer = await fetch(`${server.url}${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(Buffer.from(await answer.arrayBuffer()).toString('hex', 0, 4)).toBe(magic);
    }
  });
});
