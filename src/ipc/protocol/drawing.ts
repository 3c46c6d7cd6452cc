/**
 * Schemas of the drawing on a screenshot: its marks, the style of new marks, the backdrop around the picture, and the
 * draft of an editor. All lengths are pixels of the picture; its upper left corner is 0, 0.
 */
import Type, { type Static } from 'typebox';
import { ShareFields } from '../../api/content.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';

const { visibility, ttl, oneTime } = ShareFields.properties;

const Pixels = Type.Number({ minimum: -1e6, maximum: 1e6 });
const Length = Type.Number({ minimum: 0, maximum: 1e6 });
/** `#rrggbb` */
const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$' });

export const Point = Type.Object({ x: Pixels, y: Pixels });
export type Point = Readonly<Static<typeof Point>>;
export const Size = Type.Object({ width: Length, height: Length });
export type Size = Readonly<Static<typeof Size>>;
export const Box = Type.Object({ ...Point.properties, ...Size.properties });
export type Box = Readonly<Static<typeof Box>>;

const WholePixels = Type.Integer({ minimum: -1e6, maximum: 1e6 });
const WholeLength = Type.Integer({ minimum: 1, maximum: 1e6 });
const WholeBox = Type.Object({ x: WholePixels, y: WholePixels, width: WholeLength, height: WholeLength });

/** Counts from 1 within a document and is never reused, so that undo restores the same mark. */
export const MarkId = Type.Integer({ minimum: 1 });
export type MarkId = Static<typeof MarkId>;

const drawn = { id: MarkId, colour: Colour } as const;

export const LineMark = Type.Object({
  ...{ ...drawn, kind: literals('arrow', 'line') },
  ...{ from: Point, to: Point, width: Length },
});
export type LineMark = Readonly<Static<typeof LineMark>>;
export const OutlineMark = Type.Object({ ...drawn, kind: literals('rectangle', 'ellipse'), box: Box, width: Length });
export type OutlineMark = Readonly<Static<typeof OutlineMark>>;
export const PenMark = Type.Object({
  ...{ ...drawn, kind: literals('pen'), width: Length },
  points: Type.Immutable(Type.Array(Point, { minItems: 1 })),
});
export type PenMark = Readonly<Static<typeof PenMark>>;
export const HighlightMark = Type.Object({ ...drawn, kind: literals('highlight'), box: Box });
export type HighlightMark = Readonly<Static<typeof HighlightMark>>;
export const TextMark = Type.Object({
  ...{ ...drawn, kind: literals('text') },
  /** Its upper left corner. */
  at: Point,
  text: Type.String(),
  /** Height of the letters. */
  size: Length,
  /** The size of the text, measured when it was written. */
  extent: Size,
});
export type TextMark = Readonly<Static<typeof TextMark>>;
/** A numbered dot. Its number is its index among the steps, so the sequence has no gaps. */
export const StepMark = Type.Object({ ...drawn, kind: literals('step'), at: Point, radius: Length });
export type StepMark = Readonly<Static<typeof StepMark>>;
/**
 * Hides what is below permanently: a partly hidden pixel would reveal the rest. `seed` generates the pattern of a
 * mosaic, which never reads the pixels inside.
 */
export const RedactionMark = Type.Object({
  ...{ ...drawn, kind: literals('redaction'), box: WholeBox },
  look: literals('solid', 'mosaic'),
  seed: Type.Number(),
});
export type RedactionMark = Readonly<Static<typeof RedactionMark>>;

export const Mark = Type.Union([LineMark, OutlineMark, PenMark, HighlightMark, TextMark, StepMark, RedactionMark]);
export type Mark = Readonly<Static<typeof Mark>>;

export const BACKDROP = {
  fills: ['transparent', 'white', 'graphite', 'ocean', 'sunset', 'forest', 'violet', 'rose'],
  paddings: ['none', 'small', 'medium', 'large'],
  corners: ['square', 'round', 'rounder'],
  shadows: ['none', 'soft', 'strong'],
  titleBars: ['none', 'light', 'dark'],
} as const;
/** What surrounds the exported picture. */
export const Backdrop = Type.Object({
  fill: literals(...BACKDROP.fills),
  padding: literals(...BACKDROP.paddings),
  corners: literals(...BACKDROP.corners),
  shadow: literals(...BACKDROP.shadows),
  /** Above the picture, as of a window. */
  titleBar: literals(...BACKDROP.titleBars),
});
export type Backdrop = Readonly<Static<typeof Backdrop>>;
export const BACKDROP_PRESETS_MAX = 12;
/** The widest margin, as a part of the side of a square as large as the picture, and the highest title bar in pixels. */
export const BACKDROP_MAX = { padding: 0.14, titleBar: 96 } as const;

/** All edits of one screenshot. */
export const Drawing = Type.Object({
  picture: Size,
  /** Null: the whole picture. */
  crop: Nullable(WholeBox),
  /** From bottom to top. Redactions are part of the picture and are below all other marks, at any index. */
  marks: Type.Immutable(Type.Array(Mark)),
  nextId: MarkId,
  /** Absent: only the picture is exported. */
  backdrop: Type.Optional(Backdrop),
});
export type Drawing = Readonly<Static<typeof Drawing>>;

/** Whether the exported picture differs from the capture. */
export const isEdited = ({ marks, crop, backdrop }: Drawing): boolean =>
  marks.length > 0 || crop !== null || backdrop !== undefined;

/** The style of new marks. */
export const DrawingStyle = Type.Object({
  colours: Type.Object({ ink: Colour, highlight: Colour, redaction: Colour }),
  width: literals('thin', 'medium', 'thick'),
  textSize: literals('small', 'medium', 'large', 'huge'),
  look: literals('mosaic', 'solid'),
});
export type DrawingStyle = Readonly<Static<typeof DrawingStyle>>;

/**
 * The editor's state for an unshared screenshot, which survives a restart of the window. It never contains a password.
 */
export const CaptureDraft = Type.Object({
  drawing: Drawing,
  style: DrawingStyle,
  share: Type.Object({ visibility, ttl, oneTime }),
});
export type CaptureDraft = Static<typeof CaptureDraft>;

/** Identifies one state of a stored drawing. `by`: the editor that stored it, of which a capture may have several. */
export const DraftVersion = Type.Object({ by: Type.String(), revision: Type.String() });
export type DraftVersion = Static<typeof DraftVersion>;

/**
 * What an editor knows of the stored drawing: what it stored itself as `by`, and the revision that it has read; null:
 * there was none, or it could not be read.
 */
export const DraftBasis = Type.Object({
  by: Type.String({ minLength: 1, maxLength: 64 }),
  read: Nullable(Type.String({ maxLength: 64 })),
});
export type DraftBasis = Static<typeof DraftBasis>;

export const isBasedOn = ({ by, revision }: DraftVersion, basis: DraftBasis): boolean =>
  by === basis.by || revision === basis.read;
