/**
 * Functions that build the HTML of code and of plain text. `readableCode` shows control and reordering characters,
 * `numberedLines` makes each line a link target (`#L12`), `codeBlock` and `plainBlock` add the element around the text;
 * `numberedLines` and `codeBlock` take escaped HTML. The style sheet draws the line numbers, so that copied text does
 * not contain them; a text of more than 20,000 lines has none.
 */
import { withoutByteOrderMark } from '../../base/common/byte-order-mark.ts';

/** Browsers scroll longer pages badly; longer text becomes one block without numbers. */
const LINES_MAX = 20_000;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/**
 * Replaces control characters with their pictures (␀ ␛ …), and those from U+007F with U+FFFD. Line breaks become LF; tabs
 * are kept. A byte order mark at the beginning is no part of the text.
 */
export const showControls = (text: string): string =>
  withoutByteOrderMark(text)
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, (character) => String.fromCharCode(0x24_00 + character.charCodeAt(0)))
    .replace(/[\x7f-\x9f]/g, '\ufffd');

/** Replaces marks that reorder text with U+FFFD, so that a reader of code sees what a compiler reads. */
const showReordering = (code: string): string => code.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/**
 * A link of a line to itself, whose number the style sheet draws. Only the first is in the tab order, because a text may
 * have thousands; a script moves on from it by the arrow keys.
 */
const lineLink = (number: number): string =>
  `<a href="#L${number}" aria-label="${number}"${number > 1 ? ' tabindex="-1"' : ''}></a>`;

/**
 * Highlighted HTML (text and nested spans only) as numbered lines; spans that cross a line end are closed and reopened.
 * `numbers`: whether the style sheet draws them on the lines or on links to them.
 */
export const numberedLines = (html: string, numbers: 'plain' | 'links' = 'plain'): string => {
  const lines: string[] = [];
  const open: string[] = [];
  let line = '';
  for (const [piece] of html.matchAll(/<\/span>|<span[^>]*>|\n|[^<\n]+/g)) {
    if (piece === '\n') {
      lines.push(`${line}\n${'</span>'.repeat(open.length)}`);
      if (lines.length > LINES_MAX) return html;
      line = open.join('');
      continue;
    }
    line += piece;
    if (piece === '</span>') open.pop();
    else if (piece.startsWith('<')) open.push(piece);
  }
  // A final line end does not start an empty line.
  if (!html.endsWith('\n')) lines.push(line);
  return lines
    .map((content, index) => {
      const number = index + 1;
      return `<span class="line" id="L${number}">${numbers === 'links' ? lineLink(number) : ''}${content}</span>`;
    })
    .join('');
};

/** Code for display: control characters become visible, and nothing is shown in another order than it is read. */
export const readableCode = (code: string): string => showReordering(showControls(code));

/** A block of code. Focusable because it may scroll sideways. */
export const codeBlock = (inner: string): string => `<pre class="code" tabindex="0"><code>${inner}</code></pre>`;

/** Plain text with its own line breaks, and with long lines wrapped. */
export const plainBlock = (text: string): string =>
  `<pre class="plain" dir="auto">${leadingLine(escapeHtml(showControls(text)))}</pre>`;

/** An HTML parser drops the first line break after `<pre>`. */
const leadingLine = (html: string): string => (html.startsWith('\n') ? `\n${html}` : html);
