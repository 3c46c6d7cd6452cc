/**
 * Gives headings the ids that GitHub gives them, so that the `#fragments` of a text that was written for it lead there.
 * Headings and fragments are reduced by the same rule; the prefix keeps the ids apart from those of the page.
 */
import { decodePercent } from '../../base/common/decode-percent.ts';

/** Emoji leave their hyphen, as in `-setup` of `🚀 Setup`, and no invisible variation selector or joiner. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\s-]|\p{Variation_Selector}/gu, '')
    .replace(/\s/g, '-');

const withoutOuterHyphens = (slug: string): string => slug.replace(/^-+/, '').replace(/(?<!-)-+$/, '');

export interface HeadingIds {
  /** The id of the next heading, which no heading before has. */
  add(text: string): string;
  /** The `href` for a fragment (without its `#`), once all headings are added; it leads nowhere if there is none. */
  linkTo(fragment: string): string;
}

export const createHeadingIds = (): HeadingIds => {
  /** Every slug that is taken, with the number of the last heading that wanted it. */
  const taken = new Map<string, number>();
  /** For fragments that were written without the hyphen of an emoji. */
  const byWords = new Map<string, string>();
  return {
    add(text) {
      const wanted = slugOf(text);
      let slug = wanted;
      let number = taken.get(wanted) ?? 0;
      while (taken.has(slug)) slug = `${wanted}-${++number}`;
      taken.set(wanted, number);
      if (slug !== wanted) taken.set(slug, 0);
      const words = withoutOuterHyphens(slug);
      if (!byWords.has(words)) byWords.set(words, slug);
      return `md-${slug}`;
    },
    linkTo(fragment) {
      const text = decodePercent(fragment);
      if (text === null) return `#md-${fragment}`;
      const slug = slugOf(text);
      const found = taken.has(slug) ? slug : (byWords.get(withoutOuterHyphens(slug)) ?? slug);
      return `#md-${encodeURIComponent(found)}`;
    },
  };
};
