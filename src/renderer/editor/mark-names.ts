/**
 * Names a mark for the list of marks and for screen readers: by its kind and number, or a text by its beginning.
 * Describes the last action in the editor as a sentence to announce.
 */

import { type Document, frameOf, stepNumber } from '../drawing/document.ts';
import type { Announcement } from '../drawing/editor-session.ts';
import type { Box, Mark } from '../drawing/mark.ts';
import { boundsOf } from '../drawing/transform.ts';
import type { Locale } from '../locales/locale.tsx';

const EXCERPT = 32;
const excerpt = (text: string): string => {
  const line = [...text.trim().replace(/\s+/g, ' ')];
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT).join('')}…` : line.join('');
};

/** Marks are numbered within their kind; a text is named by its content. */
export const nameOf = (mark: Mark, document: Document, { t }: Locale): string => {
  if (mark.kind === 'text') return t.editor.textNamed(excerpt(mark.text));
  const kin = document.marks.filter(({ kind }) => kind === mark.kind);
  const index = kin.findIndex(({ id }) => id === mark.id);
  const number = mark.kind === 'step' ? stepNumber(document, mark.id) : index + 1;
  return t.editor.kinds[mark.kind](number > 0 ? number : kin.length + 1);
};

const placeText = ({ x, y, width, height }: Box, { t }: Locale): string =>
  t.editor.place(Math.round(x), Math.round(y), Math.round(width), Math.round(height));

/** A sentence for screen readers. */
export const announcementOf = ({ action, mark, document }: Announcement, locale: Locale): string => {
  const { said } = locale.t.editor;
  if (action === 'undone' || action === 'redone' || action === 'surrounded') return said[action];
  if (action === 'cropped' || mark === null) return said.cropped(placeText(frameOf(document), locale));
  const name = nameOf(mark, document, locale);
  const words = said[action](name);
  return action === 'removed' ? words : `${words}, ${placeText(boundsOf(mark), locale)}`;
};
