import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../src/common/rendering/markdown.ts';
import { type HtmlParser, openHtmlParser, type ParsedElement } from '../../support/audit/html-parser.ts';
import { dangersIn } from '../../support/audit/safe-html.ts';
import { lengthOf, seedOf } from '../../support/campaign.ts';
import { cpuMs } from '../../support/cpu-time.ts';

let parser: HtmlParser;
beforeAll(async () => {
  parser = await openHtmlParser();
});
afterAll(() => parser.close());

const note = (text: string, title = '') => renderMarkdown({ text, title, place: { kind: 'note' } });
const inFolder = (text: string, directory = '') =>
  renderMarkdown({ text, title: '', place: { kind: 'folder', directory } });
const elements = async (html: string): Promise<ParsedElement[]> => (await parser.parse(html))[0] ?? [];
const links = async (html: string) => (await elements(html)).filter(({ tag }) => tag === 'a');

describe('Markdown is CommonMark with tables and task lists', () => {
  it('begins its headings under the heading of the page and ends at the sixth', () => {
    expect(note('# One\n\n##### Five\n\n###### Six')).toBe(
      '<h2 id="md-one">One</h2>\n<h6 id="md-five">Five</h6>\n<h6 id="md-six">Six</h6>\n',
    );
  });
  it('raises headings that begin lower, so that none is left out', () => {
    expect(note('### Three\n\n#### Four')).toBe('<h2 id="md-three">Three</h2>\n<h3 id="md-four">Four</h3>\n');
    expect(note('# Title\n\n## Part', 'Title')).toBe('<span id="md-title"></span><h2 id="md-part">Part</h2>\n');
  });
  it('does not repeat the title of the page as its first heading', () => {
    expect(note('# The *plan*\n\nText', 'The plan')).toBe('<span id="md-the-plan"></span><p>Text</p>\n');
    expect(note('# Another\n\nText', 'The plan')).toContain('Another');
  });
  it('begins after a byte order mark, also with the title of the page', () => {
    expect(note('\ufeff# One')).toBe(note('# One'));
    expect(note('\ufeff- [x] a')).toBe(note('- [x] a'));
    expect(note('\ufeff# The plan\n\nText', 'The plan')).toBe(note('# The plan\n\nText', 'The plan'));
    expect(note('a\n\n\ufeff# One')).not.toBe(note('a\n\n# One'));
  });
  it('makes tables, with alignment as classes', () => {
    const html = note('| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | 3 | 4 |');
    expect(html).toContain('<th>a</th>\n<th class="align-left">b</th>');
    expect(html).toContain('<td class="align-center">3</td>\n<td class="align-right">4</td>');
    expect(html).not.toContain('style');
  });
  it('renders task lists with read-only boxes that show their state', () => {
    expect(note('- [ ] open\n- [x] done\n- [X] too\n- [] none\n- [ ]none')).toBe(
      '<ul>\n' +
        '<li class="task"><input type="checkbox" disabled aria-label="To do"> open</li>\n' +
        '<li class="task"><input type="checkbox" disabled checked aria-label="Done"> done</li>\n' +
        '<li class="task"><input type="checkbox" disabled checked aria-label="Done"> too</li>\n' +
        '<li>[] none</li>\n<li>[ ]none</li>\n</ul>\n',
    );
  });
  it('colours fences of known languages and escapes all others', () => {
    expect(note('```ts\nconst a = 1;\n```')).toContain('<span class="hljs-keyword">const</span>');
    expect(note('```nonsense\n<b>\n```')).toBe('<pre class="code" tabindex="0"><code>&lt;b&gt;\n</code></pre>\n');
  });
  it('keeps strikethrough, quotes, ordered lists and rules', () => {
    expect(note('~~a~~\n\n> b\n\n3. c\n\n---')).toBe(
      '<p><s>a</s></p>\n<blockquote>\n<p>b</p>\n</blockquote>\n<ol start="3">\n<li>c</li>\n</ol>\n<hr>\n',
    );
  });
});

describe('A link in Markdown', () => {
  it('is marked so that it does not vouch for its target', async () => {
    const [link] = await links(note('[a](https://example.org/?a=1&b=2 "T")'));
    expect(link?.attributes).toEqual({
      href: 'https://example.org/?a=1&b=2',
      title: 'T',
      rel: 'nofollow noopener noreferrer ugc',
    });
  });
  it.each([
    'https://example.org/x',
    '<https://example.org/x>',
    '[a](https://example.org/x)',
    '[a]\n\n[a]: https://example.org/x',
  ])('may be written as %s', async (text) => {
    expect((await links(note(text)))[0]?.attributes['href']).toBe('https://example.org/x');
  });
  it('to a heading of the same text leads there', async () => {
    const html = note('[go](#The-End)\n\n# The End\n\n# The End');
    const ids = (await elements(html)).map(({ attributes }) => attributes['id']).filter(Boolean);
    expect((await links(html))[0]?.attributes).toEqual({ href: '#md-the-end' });
    expect(ids).toEqual(['md-the-end', 'md-the-end-1']);
  });
  it('leads to a heading in any alphabet, and nowhere where its address is broken', async () => {
    const html = note('[a](#Привет-Мир) [b](#%FF)\n\n# Привет мир');
    const [first, second] = (await links(html)).map(({ attributes }) => attributes['href'] ?? '');
    const ids = (await elements(html)).map(({ attributes }) => attributes['id']).filter(Boolean);
    expect(decodeURIComponent(first ?? '').slice(1)).toBe(ids[0]);
    expect(second).toBe('#md-%FF');
  });
  it('to the title of the page leads to the top, and a later heading of the same text has a number', async () => {
    const html = note('# The plan\n\n## The plan\n\n[up](#the-plan) [down](#the-plan-1)', 'The plan');
    const ids = (await elements(html)).map(({ attributes }) => attributes['id']).filter(Boolean);
    expect(ids).toEqual(['md-the-plan', 'md-the-plan-1']);
    expect((await links(html)).map(({ attributes }) => attributes['href'])).toEqual(ids.map((id) => `#${id}`));
  });
  it.each([
    ['🚀 Setup', '#-setup'],
    ['🚀 Setup', '#setup'],
    ['⚙️ Setup', '#️-setup'],
    ['⚙️ Setup', '#-setup'],
    ['Setup 🚀', '#setup-'],
    ['👩‍💻 Setup', '#-setup'],
    ['A & B', '#a--b'],
    ['What *is* `a.b()`?', '#what-is-ab'],
    ['snake_case', '#snake_case'],
    ['हिन्दी में', '#हिन्दी-में'],
    ['École', '#école'],
    ['long '.repeat(30).trim(), `#${'long-'.repeat(30).slice(0, -1)}`],
  ])('to the heading %j may be %s, as GitHub writes it', async (heading, fragment) => {
    const html = note(`[a](${fragment})\n\n# ${heading}`);
    const id = (await elements(html)).map(({ attributes }) => attributes['id']).find(Boolean);
    const [link] = await links(html);
    expect(decodeURIComponent(link?.attributes['href'] ?? '')).toBe(`#${id}`);
  });
  it('finds one heading only, also where the text of one is the number of another', async () => {
    const ids = (await elements(note('# Usage\n# Usage\n# Usage 1\n# Usage\n# Usage 1 1')))
      .map(({ attributes }) => attributes['id'])
      .filter(Boolean);
    expect(ids).toEqual(['md-usage', 'md-usage-1', 'md-usage-1-1', 'md-usage-2', 'md-usage-1-1-1']);
  });
  it('relative to nothing is only its text', () => {
    expect(note('[a](../secret) [b](/api/v1/account) [c](//example.org)')).toBe('<p>a b c</p>\n');
  });
  it('in a folder leads to the file it names', async () => {
    const html = inFolder('[a](<../src/a b.ts#L3>) [b](c.md) [c](/d.ts) [d](//example.org/x) [e](#top)', 'docs/');
    expect((await links(html)).map(({ attributes }) => attributes['href'])).toEqual([
      '?file=src%2Fa%20b.ts#L3',
      '?file=docs%2Fc.md',
      '?file=d.ts',
      '#md-top',
    ]);
  });
  it.each(['C#/', 'a?b/', '100%/', 'a&b; c/', '%2e%2e/', 'привет/'])(
    'in a file of the directory %j leads to the file beside it',
    async (directory) => {
      const [link] = await links(inFolder('[guide](guide.md)', directory));
      expect(link?.attributes['href']).toBe(`?file=${encodeURIComponent(`${directory}guide.md`)}`);
    },
  );
  it('in a folder to a directory leads to its row in the list, and to the top of the list', async () => {
    const html = inFolder('[a](../src/) [b](./) [c](<it%27s %231/>) [d](..) [e](/)', 'docs/');
    expect((await links(html)).map(({ attributes }) => attributes['href'])).toEqual([
      '?#in-src',
      '?#in-docs',
      "?#in-docs%2Fit's%20%231",
      '?',
      '?',
    ]);
    expect(inFolder('[a]() [b](?q=a)', 'docs/')).toBe('<p>a b</p>\n');
  });
  it('loses its address, not its text, when the links of a text would outgrow it', async () => {
    const html = note(`[a]: https://example.org/${'x'.repeat(2_000)}\n\n${'[a] '.repeat(40_000)}`);
    expect(html.length).toBeLessThan(2_000_000);
    expect((await links(html)).length).toBeGreaterThan(50);
    expect(html).toContain(' a a a a ');
  });
});

describe('A picture in Markdown', () => {
  it('is a link with its alternative text, so that nothing is loaded', () => {
    expect(note('![a *cat*](https://example.org/cat.png "Cat")')).toBe(
      '<p><a href="https://example.org/cat.png" rel="nofollow noopener noreferrer ugc">a cat</a></p>\n',
    );
  });
  it('without alternative text still has a name', () => {
    expect(note('![](https://example.org/cat.png)')).toContain('>Image</a>');
  });
  it('within a link is its text', () => {
    expect(note('[![badge](https://b.example/b.svg)](https://example.org)')).toBe(
      '<p><a href="https://example.org" rel="nofollow noopener noreferrer ugc">badge</a></p>\n',
    );
  });
  it('of the folder or as data is its text', () => {
    expect(note('![a](b.png)')).toBe('<p>a</p>\n');
    expect(note('![a](data:image/png;base64,AAAA)')).not.toMatch(/<(?:img|a)/);
  });
});

/** After OWASP's filter evasion list and the known tricks of Markdown renderers. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert&#40;1)</script></svg>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<body onload=alert(1)>',
  '<style>@import "//evil.example";</style>',
  '<link rel=stylesheet href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href=//evil.example>',
  '<form action=//evil.example><input name=password>',
  '<object data=javascript:alert(1)>',
  '<embed src=//evil.example>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '</code></pre></article><script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](java\\\nscript:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](&#1;javascript:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](&nbsp;javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](data:image/svg+xml;base64,PHN2Zy8+)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://example.org/1)',
  '[x](filesystem:https://example.org/1)',
  '[x](view-source:javascript:alert(1))',
  '[x](\\javascript:alert(1))',
  '[x](%6Aavascript:alert(1))',
  '[x](https://a.example" onmouseover="alert(1))',
  '[x](https://a.example "t\\" onmouseover=\\"alert(1)")',
  '[x](https://a.example \'t" onmouseover="alert(1)\')',
  '[x](<https://a.example> (t" autofocus onfocus="alert(1)))',
  '<javascript:alert(1)>',
  '<https://a.example/"onmouseover="alert(1)>',
  'https://a.example/"onmouseover="alert(1)',
  "https://a.example/'onmouseover='alert(1)",
  'https://a.example/<script>alert(1)</script>',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x]: data:text/html,1 "t"\n\n![x]',
  '![x](javascript:alert(1))',
  '![x" onerror="alert(1)](https://a.example)',
  '![x](https://a.example/"onerror="alert(1))',
  '![<script>alert(1)</script>](https://a.example)',
  '[![x](javascript:alert(1))](javascript:alert(2))',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '`<script>alert(1)</script>`',
  '    <script>alert(1)</script>',
  '```html\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\n```',
  '```js" onclick="alert(1)\nx\n```',
  '```xml\n<a onclick="alert(1)">&lt;\n```',
  '# x <script>alert(1)</script>',
  '# "onclick="alert(1)',
  '| <script> |\n|:-" onclick="alert(1):-|\n| <img src=x onerror=alert(1)> |',
  '- [ ] <script>alert(1)</script>\n- [x](javascript:alert(1))',
  '1" onclick="alert(1). x',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '<scr\0ipt>alert(1)</scr\0ipt>',
  '\u2028<script>alert(1)</script>',
  '<a href="&#106;avascript:alert(1)" style="background:url(//evil.example)">x</a>',
  '<xss style="behavior:url(xss.htc)">',
  '*<script>*alert(1)*</script>*',
  '[x](#"onclick="alert(1))',
  '[x](?file="><script>alert(1)</script>)',
];

describe('Nothing in Markdown can act', () => {
  it('whatever is tried', async () => {
    const outputs = ATTACKS.flatMap((attack) => [
      note(attack),
      note(`> ${attack}`),
      note(`text ${attack} text`),
      note(attack, attack),
      inFolder(attack, 'docs/'),
    ]);
    const parsed = await parser.parse(...outputs);
    expect(parsed.flatMap(dangersIn)).toEqual([]);
    expect(parsed).toHaveLength(ATTACKS.length * 5);
  });

  it('whatever pieces are put together', async () => {
    const pieces = fc.constantFrom(
      ...ATTACKS,
      ...'[ ] ( ) < > ! " \' ` ``` ~~~ * ** _ ~~ | # - + 1. > : / \\ & &#106; &quot; \n \n\n \t javascript: data: https://a.example onerror= <b x='.split(
        ' ',
      ),
      '\n',
      '\n\n',
      ' ',
      '    ',
      '|-|-|\n',
    );
    const texts = fc.sample(
      fc.array(pieces, { minLength: 1, maxLength: 25 }).map((some) => some.join('')),
      {
        numRuns: lengthOf('RUNS', { short: 1_000, long: 10_000 }),
        seed: seedOf(20_26),
      },
    );
    const noise = fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), {
      numRuns: lengthOf('RUNS', { short: 300, long: 3_000 }),
      seed: seedOf(7),
    });
    const all = [...texts, ...noise];
    const parsed = await parser.parse(...all.flatMap((text) => [note(text), inFolder(text, 'a/b/')]));
    const bad = parsed.flatMap((found, index) =>
      dangersIn(found).map((danger) => ({ danger, text: all[Math.floor(index / 2)] })),
    );
    expect(bad).toEqual([]);
  });

  it('and the check sees what could act', async () => {
    const acting = ['<script></script>', '<p onclick="x">', '<a href="javascript:x">', '<img src=x>', '<p style="x">'];
    for (const found of await parser.parse(...acting)) expect(dangersIn(found)).not.toEqual([]);
  });
});

describe('Hostile Markdown of full length', () => {
  const LENGTH = 200_000;
  const fill = (piece: string, length = LENGTH): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const steps = (piece: (index: number) => string): string =>
    Array.from({ length: 640 }, (_, index) => piece(index))
      .join('')
      .slice(0, LENGTH);

  it.each(
    Object.entries({
      brackets: fill('['),
      'nested brackets': `${fill('[', LENGTH / 2)}${fill(']', LENGTH / 2)}`,
      'image openings': fill('!['),
      'link openings': fill('[a]('),
      'link titles': fill('[a](b "'),
      emphasis: fill('*a_ '),
      'more emphasis': fill('a**bc* '),
      strikethrough: fill('~~a'),
      backticks: steps((index) => `${'`'.repeat(index)}a`),
      quotes: fill('>'),
      'nested quotes': fill('> > > > > > > > > > > > > > > > > > a\n'),
      'lazy quotes': `${'>'.repeat(99)}a\n${fill('b\n')}`,
      lists: fill('- '),
      'nested lists': steps((index) => `${' '.repeat(index)}- a\n`),
      'quoted lists': fill('- > '),
      tables: fill('a|b\n'),
      'wide tables': `${fill('|', 10_000)}\n${fill('|-', 20_000)}\n${fill('a\n', 169_000)}`,
      entities: fill('&'),
      comments: fill('<!--'),
      autolinks: fill('<http:'),
      addresses: fill('http://a '),
      'unfinished addresses': fill('https://a.b/(['),
      'one definition, many uses': `[a]: /${fill('x', 100_000)}\n\n${fill('[a]', 99_000)}`,
      definitions: fill('[a]: x "y\n'),
      headings: fill('# a\n'),
      'numbered headings': fill('# a\n# a 1\n'),
      'a heading of hyphens': `# a${fill('-')}b`,
      spaces: `a${fill(' ')}b`,
      fences: fill('```\n'),
      'carriage returns': fill('\r'),
      zeros: fill('\0'),
      mixed: fill('*_~~`[!('),
    }),
  )('does not block for long: %s', (_, text) => {
    let html = '';
    const spent = cpuMs(() => {
      html = note(text);
    });
    // Less than a tenth of this is usual; a quadratic parser needs minutes.
    expect(spent).toBeLessThan(15_000);
    expect(html.length).toBeLessThan(20 * LENGTH);
  });
});
