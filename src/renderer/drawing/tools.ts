/**
 * The editor's tools and the styles of their marks: shortcut letters, colours, widths and text sizes, and the mark that
 * a drawing tool creates between two points.
 */

import { unreachable } from '../../api/errors.ts';
import type { DrawingStyle } from '../../ipc/protocol/drawing.ts';
import { boxBetween } from './box-geometry.ts';
import type { MarkKind, NewMark, Point, Size } from './mark.ts';

// Styles of new marks: a palette of colours, three widths and four text sizes, scaled to the image.

export const WIDTHS = ['thin', 'medium', 'thick'] as const;
type Width = (typeof WIDTHS)[number];

export const TEXT_SIZES = ['small', 'medium', 'large', 'huge'] as const;
type TextSize = (typeof TEXT_SIZES)[number];

export const LOOKS = ['mosaic', 'solid'] as const;

/** Each is visible on most images; the mark's outline does the rest. */
export const COLOURS = {
  red: '#e5322d',
  orange: '#f5820b',
  yellow: '#ffd21f',
  green: '#1f9d4d',
  blue: '#1c6ef2',
  violet: '#8b3fe8',
  white: '#ffffff',
  black: '#16181d',
} as const;
type ColourName = keyof typeof COLOURS;
export const COLOUR_NAMES = Object.keys(COLOURS) as readonly ColourName[];

/** Colours are remembered by purpose, so that a red arrow does not turn the highlighter red. */
type Purpose = 'ink' | 'highlight' | 'redaction';

export const purposeOf = (kind: MarkKind): Purpose =>
  kind === 'highlight' || kind === 'redaction' ? kind : ('ink' satisfies Purpose);

export type Style = DrawingStyle;

export const FIRST_STYLE: Style = {
  colours: { ink: COLOURS.red, highlight: COLOURS.yellow, redaction: COLOURS.black },
  width: 'medium',
  textSize: 'medium',
  look: 'mosaic',
};

/** Marks scale with the image: a screenshot of a dense screen is larger and is viewed smaller. */
const unitOf = ({ width, height }: Size): number => Math.min(4, Math.max(1, Math.sqrt(width * height) / 1_100));

const rounded = (value: number): number => Math.round(value * 2) / 2;

export const lineWidth = (width: Width, picture: Size): number =>
  rounded({ thin: 3, medium: 5, thick: 9 }[width] * unitOf(picture));

export const textHeight = (size: TextSize, picture: Size): number =>
  Math.round({ small: 16, medium: 24, large: 36, huge: 56 }[size] * unitOf(picture));

export const stepRadius = (width: Width, picture: Size): number =>
  Math.round({ thin: 13, medium: 17, thick: 24 }[width] * unitOf(picture));

/** Offset of a duplicate, and of a mark whose place another of its kind has. */
export const besideOf = (picture: Size): number => Math.round(20 * unitOf(picture));

export const TOOLS = [
  'select',
  'arrow',
  'rectangle',
  'ellipse',
  'line',
  'pen',
  'text',
  'step',
  'highlight',
  'redaction',
  'crop',
] as const;
export type Tool = (typeof TOOLS)[number];

export const TOOL_KEYS: Readonly<Record<Tool, string>> = {
  select: 'V',
  arrow: 'A',
  rectangle: 'R',
  ellipse: 'E',
  line: 'L',
  pen: 'P',
  text: 'T',
  step: 'N',
  highlight: 'H',
  redaction: 'B',
  crop: 'C',
};

export type DrawingTool = Exclude<Tool, 'select' | 'crop'>;
export const isDrawing = (tool: Tool): tool is DrawingTool => tool !== 'select' && tool !== 'crop';

/** Whether the line width applies to marks of this kind. */
export const hasWidth = (kind: MarkKind): boolean => !['text', 'highlight', 'redaction'].includes(kind);

interface Making {
  readonly style: Style;
  readonly picture: Size;
  /** Seeds the pattern of a mosaic. */
  readonly seed: number;
}

/** The mark that `tool` draws from one point to another. Texts are typed, not drawn. */
export const draw = (
  tool: Exclude<DrawingTool, 'text'>,
  from: Point,
  to: Point,
  { style, picture, seed }: Making,
): NewMark => {
  const colour = style.colours[purposeOf(tool)];
  const width = lineWidth(style.width, picture);
  switch (tool) {
    case 'arrow':
    case 'line':
      return { kind: tool, from, to, width, colour };
    case 'rectangle':
    case 'ellipse':
      return { kind: tool, box: boxBetween(from, to), width, colour };
    case 'pen':
      return { kind: tool, points: [from, to], width, colour };
    case 'highlight':
      return { kind: tool, box: boxBetween(from, to), colour };
    case 'redaction':
      return { kind: tool, box: boxBetween(from, to), look: style.look, seed, colour };
    case 'step':
      return { kind: tool, at: to, radius: stepRadius(style.width, picture), colour };
    default:
      return unreachable(tool);
  }
};
