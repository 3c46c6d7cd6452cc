/**
 * Copies the HTML of rendered Markdown and highlighted code into nodes of the page. Only allowlisted elements and
 * attributes are copied, so that a mistake in the rendering code cannot inject others.
 */

const ELEMENTS: ReadonlySet<string> = new Set(
  'A BLOCKQUOTE BR CODE DEL DIV EM H2 H3 H4 H5 H6 HR INPUT LI OL P PRE S SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(
    ' ',
  ),
);
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'class',
  'id',
  'start',
  'tabindex',
  'disabled',
  'checked',
  'aria-label',
]);
const OUTSIDE = /^(?:https?:|mailto:)/i;

const attributesOf = (from: Element, to: Element): void => {
  for (const { name, value } of from.attributes) if (ATTRIBUTES.has(name)) to.setAttribute(name, value);
  const href = from.getAttribute('href') ?? '';
  if (OUTSIDE.test(href)) {
    to.setAttribute('href', href);
    to.setAttribute('target', '_blank');
    to.setAttribute('rel', 'noopener noreferrer');
  } else if (href.startsWith('#')) to.setAttribute('href', href);
  if (to instanceof HTMLInputElement) to.type = 'checkbox';
};

const copyOf = (from: Node): Node => {
  if (from instanceof Text) return document.createTextNode(from.data);
  if (!(from instanceof Element) || !ELEMENTS.has(from.tagName)) return document.createTextNode(from.textContent ?? '');
  const to = document.createElement(from.tagName.toLowerCase());
  attributesOf(from, to);
  to.append(...[...from.childNodes].map(copyOf));
  return to;
};

/** `html` is parsed in a document that neither loads nor runs anything. */
export const sanitizedNodesOf = (html: string): Node[] => {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return [...body.childNodes].map(copyOf);
};
