/** What five chats show of a link, by small parsers that follow the documentation of each. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { packFiles } from '../../../src/server/folders/normalise-archive.ts';
import { describeText, shorten } from '../../../src/server/pages/share/link-preview.ts';
import { goodMp4 } from '../../support/media/media.ts';
import { change, editRow, publish, read, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';

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
const headOf = async (url: string) => {
  const page = await (await fetch(url)).text();
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

/** A chat's card for a page; null: a bare link. */
const CHATS: Readonly<Record<string, (head: Head) => Promise<Card | null>>> = {
  /** api.slack.com, "Unfurling links in messages": oEmbed, Twitter Card and Open Graph tags, the first image. */
  Slack: async (head) => openGraph(head),
  /** Large picture only with summary_large_image, title of at most 256 characters; the colour only as six hex digits. */
  Discord: async (head) => {
    const card = openGraph(head);
    if (card === null) return null;
    expect(head.first('theme-color')).toMatch(/^#[\da-f]{6}$/);
    expect([...(card.title ?? '')].length).toBeLessThanOrEqual(256);
    expect([...(card.text ?? '')].length).toBeLessThanOrEqual(350);
    return card.image !== undefined && head.first('twitter:card') !== 'summary_large_image'
      ? { ...card, image: undefined }
      : card;
  },
  /** core.telegram.org, instant previews: site name, title, description and picture of Open Graph. */
  Telegram: async (head) => (head.first('og:site_name') === 'Linkshot' ? openGraph(head) : null),
  /** The last og:image; JPEG or PNG of at most 300 KB and at least 200 pixels wide, in the first 300 KB of the page. */
  WhatsApp: async (head) => {
    const card = openGraph(head);
    if (card === null) return null;
    expect(head.page.indexOf('og:image')).toBeLessThan(300 * 1024);
    const image = head.all('og:image').at(-1);
    if (image === undefined) return card;
    const answer = await fetch(image);
    expect(answer.headers.get('content-type')).toMatch(/^image\/(?:jpeg|png)$/);
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(300 * 1024);
    expect(Number(head.first('og:image:width'))).toBeGreaterThanOrEqual(200);
    return { ...card, image };
  },
  /** FetchLinkCardService: oEmbed where it is announced (photo: its url; link: its thumbnail), else Open Graph. */
  Mastodon: async (head) => {
    const embed = await jsonOf(head.oEmbed);
    if (embed === null) return openGraph(head);
    const image = embed['type'] === 'photo' ? embed['url'] : embed['thumbnail_url'];
    return { title: String(embed['title']), text: undefined, image: image === undefined ? undefined : String(image) };
  },
};

describe('A link in a chat', () => {
  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('is a card with the right parts for a %s', async (kind) => {
    for (const visibility of ['public', 'unlisted']) {
      const item = await KINDS[kind](owner, { title: TITLE, visibility });
      const head = await headOf(item.url);
      for (const [chat, parse] of Object.entries(CHATS)) {
        const card = await parse(head);
        expect(card?.title, chat).toBe(TITLE);
        const isMedia = kind === 'picture' || kind === 'video';
        expect(card?.image, chat).toBe(isMedia ? `${server.url}/api/media/${item.id}/preview.jpg` : undefined);
        if (kind === 'note') expect(card?.text, chat).toBe(`${WORDS} and more`);
        if (kind === 'folder') expect(card?.text, chat).toBe('README.md, src/main.ts');
      }
      expect(head.first('og:video')).toBe(kind === 'video' ? `${server.url}${item.mediaUrl}` : undefined);
    }
  });

  it('has a picture whose bytes are a JPEG of the size that the page names', async () => {
    for (const item of [await picture(owner, {}), await video(owner, {})]) {
      const head = await headOf(item.url);
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

  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
    'tells nothing of a %s that is private, protected, one-time, limited, held or expired',
    async (kind) => {
      const quiet = await server.user({ plan: 'pro' });
      await editRow(server, 'UPDATE accounts SET unlistedPreviews = 0 WHERE id = ?', quiet.accountId);
      const make = (fields: object, user = owner) => KINDS[kind](user, { title: TITLE, ...fields });
      const [limited, held, expired] = [
        await make({ visibility: 'public' }),
        await make({ visibility: 'public' }),
        await make({ visibility: 'public' }),
      ];
      await change(server, owner, limited.id, { viewLimit: 5 });
      await editRow(server, "UPDATE content SET moderationHold = 'review' WHERE id = ?", held.id);
      await editRow(server, 'UPDATE content SET expiresAt = 1 WHERE id = ?', expired.id);
      const hidden = [
        await make({ visibility: 'private' }),
        await make({ visibility: 'public', password: PASSWORD }),
        await make({ visibility: 'unlisted', password: PASSWORD }),
        await make({ visibility: 'unlisted', oneTime: true }),
        limited,
        held,
        expired,
      ];
      for (const { id } of [...hidden, await make({ visibility: 'unlisted' }, quiet)]) {
        const head = await headOf(`${server.url}/s/${id}`);
        for (const [chat, parse] of Object.entries(CHATS)) expect(await parse(head), chat).toBeNull();
        expect(head.first('twitter:card')).toBeUndefined();
        const embed = await fetch(`${server.url}/oembed?url=${encodeURIComponent(`${server.url}/s/${id}`)}`);
        expect(embed.status).toBe(404);
        expect(await embed.text()).not.toContain('figures');
      }
      for (const { id } of hidden) {
        const { page } = await headOf(`${server.url}/s/${id}`);
        for (const part of ['figures', WORDS, 'main.ts', owner.username]) expect(page).not.toContain(part);
        expect((await fetch(`${server.url}/api/media/${id}/preview.jpg`)).headers.get('content-type')).not.toContain(
          'image',
        );
      }
    },
  );
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
