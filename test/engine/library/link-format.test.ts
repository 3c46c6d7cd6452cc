/** For any characters in a title, the formatted text is one link to its item with the title as text. */
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import type { ContentId } from '../../../src/api/ids.ts';
import { formatLinks, type LinkItem } from '../../../src/ipc/protocol/format-links.ts';
import type { LinkFormat } from '../../../src/ipc/protocol/link-settings.ts';
import { type HtmlParser, openHtmlParser } from '../../support/audit/html-parser.ts';
import { makeContent } from '../../support/window/app-state.ts';

let html: HtmlParser;
beforeAll(async () => {
  html = await openHtmlParser();
});
afterAll(() => html.close());

const video = (title: string): LinkItem => ({ name: 'talk.mp4', content: makeContent(1, { title, type: 'VIDEO' }) });
const picture = (change: Partial<Content>, name = 'shot.png'): LinkItem => ({ name, content: makeContent(1, change) });
const format = (kind: LinkFormat, title: string, template = '') =>
  formatLinks([video(title)], { format: kind, template });
const embed = (kind: LinkFormat, change: Partial<Content>) =>
  formatLinks([picture(change)], { format: kind, template: '' });
const URL_OF_1 = makeContent(1).url;
const PICTURE_OF_1 = 'https://share.example.com/api/media/c1';

it.each(['markdown', 'html'] as const)('of a service at an IPv6 address keeps that in %s', (kind) => {
  const url = 'http://[2001:db8::1]:8080/s/a[b]c';
  const formatted = embed(kind, { url, mediaUrl: '/api/media/a[b]c' });
  expect(formatted).toContain('http://[2001:db8::1]:8080/api/media/a%5Bb%5Dc');
});

/** Text that tries to escape: markup of every format between words of all kinds. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'[]()<>"\'\\`*_~|!&#{}$ \n\t\r\u2028',
        '](',
        '[/url]',
        '[url=',
        '</a>',
        '<!--',
        '&lt;',
        '![',
        'https://evil.example',
        '<script>',
        '\\]',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  .filter((title) => title.trim() !== '');

const shown = (title: string) => title.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

describe('a hostile title', () => {
  it('stays the text of one link in Markdown', () => {
    const markdown = new MarkdownIt({ html: true, linkify: true });
    fc.assert(
      fc.property(hostile, (title) => {
        const [paragraph, inline, end, ...rest] = markdown.parse(format('markdown', title), {});
        expect([paragraph?.type, inline?.type, end?.type, rest.length]).toEqual([
          'paragraph_open',
          'inline',
          'paragraph_close',
          0,
        ]);
        const tokens = inline?.children ?? [];
        expect([tokens.at(0)?.type, tokens.at(-1)?.type]).toEqual(['link_open', 'link_close']);
        expect(tokens.at(0)?.attrGet('href')).toBe(URL_OF_1);
        const within = tokens.slice(1, -1);
        expect(within.every(({ type }) => type === 'text' || type === 'text_special')).toBe(true);
        expect(within.map(({ content }) => content).join('')).toBe(shown(title));
      }),
      { numRuns: 200 },
    );
  });

  it('stays the text of one link in HTML', async () => {
    const titles = fc.sample(hostile, 200);
    const parsed = await html.parse(...titles.map((title) => format('html', title)));
    for (const [index, title] of titles.entries()) {
      expect(parsed[index]).toEqual([{ tag: 'a', attributes: { href: URL_OF_1 }, text: shown(title).toWellFormed() }]);
    }
  });

  it('stays the description of one picture in Markdown', () => {
    const markdown = new MarkdownIt({ html: true });
    fc.assert(
      fc.property(hostile, (title) => {
        const tokens = markdown.parse(embed('markdown', { title }), {});
        const children = tokens[1]?.children ?? [];
        expect([tokens.length, children.length]).toEqual([3, 1]);
        const [image] = children;
        expect([image?.type, image?.attrGet('src'), image?.content.length === 0]).toEqual([
          'image',
          PICTURE_OF_1,
          false,
        ]);
        const words = image?.children ?? [];
        expect(words.every(({ type }) => type === 'text' || type === 'text_special')).toBe(true);
        expect(words.map(({ content }) => content).join('')).toBe(shown(title));
      }),
      { numRuns: 200 },
    );
  });

  it('stays the description of one picture in HTML', async () => {
    const titles = fc.sample(hostile, 200);
    const parsed = await html.parse(...titles.map((title) => embed('html', { title })));
    for (const [index, title] of titles.entries()) {
      expect(parsed[index]).toEqual([
        { tag: 'img', attributes: { src: PICTURE_OF_1, alt: shown(title).toWellFormed() }, text: '' },
      ]);
    }
  });

  it('has no tag in BBCode', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const text = format('bbcode', title);
        expect(text.match(/\[[^\]]*\]/g)).toEqual([`[url=${URL_OF_1}]`, '[/url]']);
        expect(text).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('is escaped in a template where that is asked, and is on one line in any case', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        expect(format('template', title, '<b>{title|html}</b>')).not.toMatch(/<(?!\/?b>)/);
        expect(decodeURIComponent(format('template', title, '{title|url}'))).toBe(shown(title).toWellFormed());
        expect(format('template', title, '{title}')).toBe(shown(title));
      }),
    );
  });
});

describe('the formats', () => {
  it.each([
    ['plain', URL_OF_1],
    ['direct', PICTURE_OF_1],
    ['markdown', `[A plan](${URL_OF_1})`],
    ['html', `<a href="${URL_OF_1}">A plan</a>`],
    ['bbcode', `[url=${URL_OF_1}]A plan[/url]`],
    ['template', `A plan (video, 2026-11-20): ${URL_OF_1} {unknown} {}`],
  ] as const)('%s', (kind, text) => {
    expect(format(kind, 'A plan', '{title} ({type}, {date}): {url} {unknown} {}')).toBe(text);
  });

  it.each([
    ['markdown', `![A \\[plan\\]](${PICTURE_OF_1})`],
    ['html', `<img src="${PICTURE_OF_1}" alt="A [plan]">`],
    ['bbcode', `[img]${PICTURE_OF_1}[/img]`],
    ['plain', URL_OF_1],
  ] as const)('%s of a picture that anyone with the link may load embeds it', (kind, text) => {
    expect(embed(kind, { title: 'A [plan]' })).toBe(text);
    expect(embed(kind, { title: 'A [plan]', visibility: 'public', viewLimit: null, moderationHold: null })).toBe(text);
  });

  it.each([
    [{ visibility: 'private' }],
    [{ passwordProtected: true }],
    [{ oneTime: true }],
    [{ viewLimit: 3 }],
    [{ moderationHold: 'review' }],
  ] as const)('of a picture with %o are links to its page, because other sites could not load it', (change) => {
    expect(embed('markdown', change)).toBe(`[Shot 1](${URL_OF_1})`);
    expect(embed('html', change)).toBe(`<a href="${URL_OF_1}">Shot 1</a>`);
    expect(embed('bbcode', change)).toBe(`[url=${URL_OF_1}]Shot 1[/url]`);
  });

  it('make one text of many items', async () => {
    const things = [video('A'), video('B')];
    const all = (kind: LinkFormat) => formatLinks(things, { format: kind, template: '{title}' });
    expect(all('plain')).toBe(`${URL_OF_1}\n${URL_OF_1}`);
    expect(all('markdown')).toBe(`- [A](${URL_OF_1})\n- [B](${URL_OF_1})`);
    const [list] = await html.parse(all('html'));
    expect(list?.map(({ tag }) => tag)).toEqual(['ul', 'li', 'a', 'li', 'a']);
    expect(all('template')).toBe('A\nB');
    expect(formatLinks([], { format: 'html', template: '' })).toBe('');
  });

  it('take the name where there is no title, and never leave the service by an odd address', async () => {
    expect(formatLinks([picture({ title: '' }, 'a.png')], { format: 'markdown', template: '' })).toBe(
      `![a.png](${PICTURE_OF_1})`,
    );
    const odd = {
      name: 'x',
      content: makeContent(1, { id: 'c1' as ContentId, type: 'PASTE', url: 'https://a.example/s/1)"><b>[/url]' }),
    };
    const [markdown, tagged, bbcode] = (['markdown', 'html', 'bbcode'] as const).map((kind) =>
      formatLinks([odd], { format: kind, template: '' }),
    );
    expect(new MarkdownIt().parseInline(markdown ?? '', {})[0]?.children).toHaveLength(3);
    expect((await html.parse(tagged ?? ''))[0]).toHaveLength(1);
    expect(bbcode?.match(/\[[^\]]*\]/g)).toHaveLength(2);
  });
});
