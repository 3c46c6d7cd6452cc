/** Schemas of scrolling captures: the direction, and how one ended. */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/content.ts';

export const ScrollDirection = literals('down', 'right');
export type ScrollDirection = Static<typeof ScrollDirection>;

export const ScrollOutcome = Type.Object({
  /** `end`: nothing moved any more; `full`: as large as the service takes; `uncertain`: the rest could not be joined. */
  ended: literals('end', 'full', 'uncertain'),
  /** Why it is uncertain. */
  reason: Nullable(literals('nothing-matches', 'several-match', 'gap', 'resized')),
  /** Pixels in the direction of scrolling that are certain. */
  length: Type.Integer({ minimum: 1 }),
  /** False: a part was joined by similarity or by the distance scrolled, because no or several positions were equal. */
  isExact: Type.Boolean(),
});
export type ScrollOutcome = Static<typeof ScrollOutcome>;
