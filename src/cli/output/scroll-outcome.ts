/**
 * Prints messages about a scrolling capture: why it stopped before the end of the page, and whether parts of the image
 * may be joined incorrectly.
 */
import type { ScrollOutcome } from '../../ipc/protocol/scroll.ts';
import type { Report } from './command-output.ts';

const REASONS: Readonly<Record<NonNullable<ScrollOutcome['reason']>, string>> = {
  'nothing-matches': 'what came next has nothing in common with it',
  'several-match': 'its content repeats, so that the next part fits in several places',
  gap: 'the next part does not adjoin it',
  resized: 'the region changed its size',
};

export const noteScrolled = (outcome: ScrollOutcome | undefined, report: Report): void => {
  if (!outcome) return;
  const { ended, reason, length, isExact } = outcome;
  if (ended === 'uncertain' && reason !== null)
    report.note(`The capture stops after ${length} pixels: ${REASONS[reason]}. Up to there it is certain.`);
  if (ended === 'full')
    report.note(`The capture stops after ${length} pixels, the largest accepted image. There is more to scroll.`);
  if (!isExact)
    report.note('Something floats above the page, or parts were joined by similarity or distance. Check the image.');
};
