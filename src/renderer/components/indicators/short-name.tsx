/**
 * Shortens a long file name in the middle, so that its beginning and its extension stay visible. Screen readers and the
 * tooltip get the full name.
 */

import { VisuallyHidden } from './visually-hidden.tsx';

/** In grapheme clusters. */
const NAME_CHARACTERS = 60;
/** Keeps the extension and the numbers that distinguish a series. */
const END_CHARACTERS = 20;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export const shortName = (name: string): string => {
  // A name has at most as many grapheme clusters as UTF-16 units.
  if (name.length <= NAME_CHARACTERS) return name;
  const all = [...characters.segment(name)].map(({ segment }) => segment);
  if (all.length <= NAME_CHARACTERS) return name;
  const start = all.slice(0, NAME_CHARACTERS - END_CHARACTERS - 1).join('');
  return `${start.trimEnd()}…${all.slice(-END_CHARACTERS).join('').trimStart()}`;
};

export const ShortName = ({ name }: { readonly name: string }) => {
  const short = shortName(name);
  if (short === name) return name;
  return (
    <span title={name}>
      <span aria-hidden>{short}</span>
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
};
