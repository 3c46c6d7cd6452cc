/**
 * Renders Markdown (CommonMark with tables, strikethrough and task lists) as inert HTML: no raw HTML, script, handler
 * or style, and no pictures, which become links. Links lead only to http, https and mailto, to a heading of the same
 * text or to a file of its folder. Anything else is shown as text.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { codeBlock, escapeHtml, readableCode, showControls } from './code-html.ts';
import { grammarOfFence } from './code-languages.ts';
import { highlight } from './highlight.ts';
import { createLinkBudget, isSafeLink, type Place, targetOf } from './markdown-links.ts';

export interface MarkdownPage {
  readonly text: string;
  /** The title of the page. A first heading that only repeats it is omitted. */
  readonly title: string;
  readonly place: Place;
}

/** Nesting limit of blocks and marks; deeper ones are shown as text. */
const NESTING_MAX = 40;
const SLUG_MAX = 80;
const TASK = /^\[([ xX])\][ \t]/;

const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: NESTING_MAX });
markdown.validateLink = isSafeLink;
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.linkify.add('ftp:', null).add('//', null).add('mailto:', null);

const { rules } = markdown.renderer;
rules['fence'] = (tokens, index) => fence(tokens[index]);
rules['code_block'] = (tokens, index) => fence(tokens[index]);
rules['task'] = (tokens, index) =>
  tokens[index]?.markup === ' '
    ? '<input type="checkbox" disabled aria-label="To do"> '
    : '<input type="checkbox" disabled checked aria-label="Done"> ';
rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n';
rules['table_close'] = () => '</table></div>\n';

const fence = (token: Token | undefined): string => {
  const code = readableCode(token?.content ?? '');
  const grammar = grammarOfFence(token?.info.trim().split(/\s/, 1)[0] ?? '');
  return `${codeBlock((grammar && highlight(code, grammar)) ?? escapeHtml(code))}\n`;
};

/** The top heading level is h2, below the page's own h1. `renderer.ts` limits the time. */
export const renderMarkdown = ({ text, title, place }: MarkdownPage): string => {
  const tokens = withoutTitle(markdown.parse(showControls(text), {}), title);
  const budget = createLinkBudget(text.length);
  const slugs = createSlugs();
  const highest = tokens.filter(isHeading).reduce((level, token) => Math.min(level, levelOf(token)), 6);
  tokens.forEach((token, index) => {
    if (token.children !== null) token.children = tidyInline(token.children, place, budget);
    switch (token.type) {
      case 'heading_open':
        token.attrSet('id', slugs(plainText(tokens[index + 1])));
        token.tag = `h${Math.min(levelOf(token) - highest + 2, 6)}`;
        break;
      case 'heading_close':
        token.tag = `h${Math.min(levelOf(token) - highest + 2, 6)}`;
        break;
      case 'th_open':
      case 'td_open':
        alignByClass(token);
        break;
      case 'list_item_open':
        if (makeTask(tokens[index + 1], tokens[index + 2])) token.attrSet('class', 'task');
        break;
      default:
    }
  });
  return markdown.renderer.render(tokens, markdown.options);
};

const withoutTitle = (tokens: Token[], title: string): Token[] =>
  tokens[0]?.type === 'heading_open' && plainText(tokens[1]).trim() === title.trim() ? tokens.slice(3) : tokens;

const isHeading = ({ type }: Token): boolean => type === 'heading_open';
const levelOf = ({ tag }: Token): number => Number(tag.slice(1));

/** markdown-it aligns by a style attribute, which the pages' security policy forbids. */
const alignByClass = (token: Token): void => {
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  token.attrs = align === undefined ? null : [['class', `align-${align}`]];
};

const makeTask = (paragraph: Token | undefined, inline: Token | undefined): boolean => {
  const first = inline?.children?.[0];
  if (paragraph?.type !== 'paragraph_open' || first?.type !== 'text') return false;
  const mark = TASK.exec(first.content);
  if (mark === null) return false;
  first.content = first.content.slice(mark[0].length);
  inline?.children?.unshift(newToken('task', '', 0, mark[1] === ' ' ? ' ' : 'x'));
  return true;
};

/**
 * Sets the attributes of links, reduces links without an allowed target to their text, and turns pictures into links.
 */
const tidyInline = (tokens: readonly Token[], place: Place, budget: (link: Token) => boolean): Token[] => {
  let link: Token | null = null;
  return tokens.flatMap((token) => {
    switch (token.type) {
      case 'link_open':
        link = token;
        dress(token, String(token.attrGet('href') ?? ''), place, budget);
        return token;
      case 'link_close':
        token.hidden = link?.hidden ?? true;
        link = null;
        return token;
      case 'image': {
        const text = newToken('text', '', 0);
        text.content = plainText(token) || 'Image';
        if (link !== null) return text;
        const open = newToken('link_open', 'a', 1);
        dress(open, String(token.attrGet('src') ?? ''), place, budget);
        const close = newToken('link_close', 'a', -1);
        close.hidden = open.hidden;
        return [open, text, close];
      }
      default:
        return token;
    }
  });
};

const dress = (link: Token, href: string, place: Place, budget: (link: Token) => boolean): void => {
  const target = targetOf(href, place);
  link.attrSet('href', target ?? '');
  if (!/^[?#]/.test(target ?? '')) link.attrSet('rel', 'nofollow noopener noreferrer ugc');
  link.hidden = target === null || !budget(link);
};

const { Token: NewToken } = new markdown.core.State('', markdown, {});
const newToken = (type: string, tag: string, nesting: -1 | 0 | 1, markup = ''): Token => {
  const token = new NewToken(type, tag, nesting);
  token.markup = markup;
  return token;
};

/** The text of an inline or image token without its marks. */
const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map((child) => (child.type === 'softbreak' ? ' ' : child.type === 'image' ? plainText(child) : child.content))
    .join('');

/** Ids of headings, so that `#fragments` of the same text work. The prefix keeps them apart from the page's own. */
const createSlugs = (): ((text: string) => string) => {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
      .slice(0, SLUG_MAX);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return `md-${slug}${count === 0 ? '' : `-${count}`}`;
  };
};
