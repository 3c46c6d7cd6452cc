/**
 * A name of any length in a message: its beginning says what it is, its end of which kind and number, so it is the middle that
 * is left out. A screen reader and the pointer get the whole name.
 */

import { VisuallyHidden } from './visually-hidden.tsx';

/** Characters as a person counts them. */
const NAME_CHARACTERS = 60;
/** The extension, and what tells the names of a series apart. */
const END_CHARACTERS = 20;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export const shortName = (name: string): string => {
  // As many units of UTF-16 hold as many characters at most.
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
