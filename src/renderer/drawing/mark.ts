/**
 * Types of the marks that a user draws on a capture, such as lines, texts and redactions, and of their boxes and points
 * (re-exported from the protocol). Also the type of a mark that has no id yet.
 */
import type { Mark } from '../../ipc/protocol/drawing.ts';

export type {
  Box,
  HighlightMark,
  LineMark,
  Mark,
  MarkId,
  OutlineMark,
  PenMark,
  Point,
  RedactionMark,
  Size,
  StepMark,
  TextMark,
} from '../../ipc/protocol/drawing.ts';

export type MarkKind = Mark['kind'];

type Unnamed<M> = M extends Mark ? Omit<M, 'id'> : never;
/** A mark that is not in a document yet. */
export type NewMark = Unnamed<Mark>;
