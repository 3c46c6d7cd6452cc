/** What a person draws on a capture, as plain data. All lengths are pixels of the picture; its upper left corner is 0, 0. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Point, Size {}

/** Counts from 1 within a document and is never used again, so that undo brings back the same mark. */
export type MarkId = number;

interface Drawn {
  readonly id: MarkId;
  /** `#rrggbb` */
  readonly colour: string;
}

export interface LineMark extends Drawn {
  readonly kind: 'arrow' | 'line';
  readonly from: Point;
  readonly to: Point;
  readonly width: number;
}

export interface OutlineMark extends Drawn {
  readonly kind: 'rectangle' | 'ellipse';
  readonly box: Box;
  readonly width: number;
}

export interface PenMark extends Drawn {
  readonly kind: 'pen';
  readonly points: readonly Point[];
  readonly width: number;
}

export interface HighlightMark extends Drawn {
  readonly kind: 'highlight';
  readonly box: Box;
}

export interface TextMark extends Drawn {
  readonly kind: 'text';
  /** Its upper left corner. */
  readonly at: Point;
  readonly text: string;
  /** Height of the letters. */
  readonly size: number;
  /** What the text takes up, measured when it was written. */
  readonly extent: Size;
}

/** A numbered dot. Its number is its place among the steps, so that none is ever missing. */
export interface StepMark extends Drawn {
  readonly kind: 'step';
  readonly at: Point;
  readonly radius: number;
}

/** Hides what is below for good. `box` is whole pixels; `seed` makes the pattern of a mosaic, which never looks inside. */
export interface RedactionMark extends Drawn {
  readonly kind: 'redaction';
  readonly box: Box;
  readonly look: 'solid' | 'mosaic';
  readonly seed: number;
}

export type Mark = LineMark | OutlineMark | PenMark | HighlightMark | TextMark | StepMark | RedactionMark;
export type MarkKind = Mark['kind'];

type Unnamed<M> = M extends Mark ? Omit<M, 'id'> : never;
/** A mark that is not in a document yet. */
export type NewMark = Unnamed<Mark>;
