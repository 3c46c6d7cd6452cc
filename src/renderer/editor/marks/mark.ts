/** What a person draws on a capture, in the words of the editor. */
import type { Mark } from '../../../ipc/protocol/drawing.ts';

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
} from '../../../ipc/protocol/drawing.ts';

export type MarkKind = Mark['kind'];

type Unnamed<M> = M extends Mark ? Omit<M, 'id'> : never;
/** A mark that is not in a document yet. */
export type NewMark = Unnamed<Mark>;
