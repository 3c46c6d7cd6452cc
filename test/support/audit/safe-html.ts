/** The allowlist of rendered text: any other element, attribute or address could act or load something. */
import type { ParsedElement } from './html-parser.ts';

const TAGS = new Set(
  'h2 h3 h4 h5 h6 p ul ol li blockquote pre code em strong s a br hr table thead tbody tr th td div span input'.split(
    ' ',
  ),
);
const HEADING = { id: /^md-/ };
const CELL = { class: /^align-(?:left|center|right)$/ };
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: {
    href: /^(?:https?:\/\/|mailto:|#md-|\?file=|\?#in-|\?$)/i,
    rel: /^nofollow noopener noreferrer ugc$/,
    title: /./su,
  },
  h2: HEADING,
  h3: HEADING,
  h4: HEADING,
  h5: HEADING,
  h6: HEADING,
  th: CELL,
  td: CELL,
  ol: { start: /^\d+$/ },
  li: { class: /^task$/ },
  input: { type: /^checkbox$/, disabled: /^$/, checked: /^$/, 'aria-label': /^(?:Done|To do)$/ },
  pre: { class: /^(?:code|plain)$/, tabindex: /^0$/, dir: /^auto$/ },
  div: { class: /^table$/, tabindex: /^0$/ },
  span: { class: /^[a-zA-Z0-9_ -]+$/, id: /^(?:L\d+$|md-)/ },
};

/** Everything in the elements that is not on the list, as readable lines; empty is safe. */
export const dangersIn = (elements: readonly ParsedElement[]): string[] =>
  elements.flatMap(({ tag, attributes }) =>
    TAGS.has(tag)
      ? Object.entries(attributes)
          .filter(([name, value]) => ATTRIBUTES[tag]?.[name]?.test(value) !== true)
          .map(([name, value]) => `<${tag} ${name}="${value}">`)
      : [`<${tag}>`],
  );
