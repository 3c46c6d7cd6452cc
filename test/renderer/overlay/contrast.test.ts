import { expect, it } from 'vitest';
import { contrastRatio, contrastVerdict, shownRatio } from '../../../src/renderer/overlay/picture/contrast.ts';

// Values of the WebAIM contrast checker.
it.each([
  ['#000000', '#FFFFFF', '21.00', 'AAA'],
  ['#FFFFFF', '#FFFFFF', '1.00', 'low'],
  ['#777777', '#FFFFFF', '4.47', 'large'],
  ['#767676', '#FFFFFF', '4.54', 'AA'],
  ['#FF0000', '#FFFFFF', '3.99', 'large'],
  ['#0000FF', '#FFFFFF', '8.59', 'AAA'],
  ['#FFFF00', '#FFFFFF', '1.07', 'low'],
] as const)('%s on %s has the contrast %s: %s', (one, other, shown, verdict) => {
  const ratio = contrastRatio(one, other);
  expect([shownRatio(ratio), contrastVerdict(ratio)]).toEqual([shown, verdict]);
  expect(contrastRatio(other, one)).toBe(ratio);
});
