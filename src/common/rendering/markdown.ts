/**
 * Renders Markdown (CommonMark with tables, strikethrough and task lists) as inert HTML: no raw HTML, script, handler
 * or style, and no pictures, which become links. Links lead only to http, https and mailto, to a heading of the same
 * text or to a file or a directory of its folder. Anything else is shown as text.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { codeBlock, escapeHtml, readableCode, showControls } from './code-html.ts';
import { grammarOfFence } from './code-languages.ts';
import { createHeadingIds } from './heading-ids.ts';
import { highlight } from './highlight.ts';
import { createLinkBudget, isSafeLink, type LinkContext, type Place, targetOf } from './markdown-links.ts';

export interface MarkdownPage {
  readonly text: string;
  /** The title of the page. Of a first heading that only repeats it, only the target of its links is left. */
  readonly title: string;
  readonly place: Place;
}

/** Nesting limit of blocks and marks; deeper ones are shown as text. */
const NESTING_MAX = 40;
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
  const all = markdown.parse(showControls(text), {});
  const headings = createHeadingIds();
  const repeatedTitle = repeatsTitle(all, title) ? headings.add(plainText(all[1])) : null;
  const tokens = repeatedTitle === null ? all : all.slice(3);
  tokens.forEach((token, index) => {
    if (isHeading(token)) token.attrSet('id', headings.add(plainText(tokens[index + 1])));
  });
  const links: LinkContext = { place, headings, budget: createLinkBudget(text.length) };
  const highest = tokens.filter(isHeading).reduce((level, token) => Math.min(level, levelOf(token)), 6);
  tokens.forEach((token, index) => {
    if (token.children !== null) token.children = tidyInline(token.children, links);
    switch (token.type) {
      case 'heading_open':
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
  const html = markdown.renderer.render(tokens, markdown.options);
  return repeatedTitle === null ? html : `<span id="${repeatedTitle}"></span>${html}`;
};

const repeatsTitle = ([first, text]: readonly Token[], title: string): boolean =>
  first?.type === 'heading_open' && plainText(text).trim() === title.trim();

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
const tidyInline = (tokens: readonly Token[], context: LinkContext): Token[] => {
  let link: Token | null = null;
  return tokens.flatMap((token) => {
    switch (token.type) {
      case 'link_open':
        link = token;
        dress(token, String(token.attrGet('href') ?? ''), context);
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
        dress(open, String(token.attrGet('src') ?? ''), context);
        const close = newToken('link_close', 'a', -1);
        close.hidden = open.hidden;
        return [open, text, close];
      }
      default:
        return token;
    }
  });
};

const dress = (link: Token, href: string, context: LinkContext): void => {
  const target = targetOf(href, context);
  link.attrSet('href', target ?? '');
  if (!/^[?#]/.test(target ?? '')) link.attrSet('rel', 'nofollow noopener noreferrer ugc');
  link.hidden = target === null || !context.budget(link);
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
