/** Lists in a GTK window: rows of several heights, strips that stay, rows that come late, a spinner, and repetition. */
import { once } from 'node:events';
import { join } from 'node:path';
import type { WindowPage } from './capture-window.ts';

const LIST = join(import.meta.dirname, 'gtk-list.py');
const SCROLL_BAR = 30;

interface GtkSpec extends Pick<WindowPage, 'calmRows' | 'certainty' | 'scrollBar'> {
  readonly kind: string;
  readonly name: string;
}

const SPECS: readonly GtkSpec[] = [
  { kind: 'plain', name: 'rows of one height' },
  { kind: 'heights', name: 'rows of different heights' },
  { kind: 'header', name: 'a header and a footer that stay' },
  { kind: 'lines', name: 'lines between the rows' },
  { kind: 'dark', name: 'a dark theme' },
  { kind: 'tree', name: 'a tree view with the titles of its columns' },
  { kind: 'grows', name: 'rows that are added at its end' },
  { kind: 'late', name: 'rows whose text comes late', certainty: 'disturbed' },
  // The header and the first rows are above the spinner.
  { kind: 'spinner', name: 'a row with a spinner', calmRows: 100, certainty: 'disturbed' },
  { kind: 'scroll-bar', name: 'a scroll bar', scrollBar: SCROLL_BAR, certainty: 'disturbed' },
  { kind: 'same', name: 'the same row again and again', certainty: 'ambiguous' },
];

export const GTK_PAGES: readonly WindowPage[] = SPECS.map(
  ({ kind, ...page }): WindowPage => ({
    ...page,
    program: (whole) => ['/usr/bin/python3', LIST, kind, whole ? 'whole' : 'part'],
    async opened(_, program) {
      if (!program.stdout) throw new Error('The output of the list is not read.');
      const [line] = await once(program.stdout, 'data');
      const [width = 0, height = 0, from, to] = String(line).trim().split(' ').map(Number);
      return { width, height, ...(from !== undefined && to !== undefined && { moving: [[from, to]] }) };
    },
  }),
);
