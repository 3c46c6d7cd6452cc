/** Styles of new marks: a palette of colours, three widths and four text sizes, scaled to the image. */
import type { DrawingStyle } from '../../ipc/protocol/drawing.ts';
import type { MarkKind, Size } from './marks/mark.ts';

export const WIDTHS = ['thin', 'medium', 'thick'] as const;
export type Width = (typeof WIDTHS)[number];

export const TEXT_SIZES = ['small', 'medium', 'large', 'huge'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

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
export type ColourName = keyof typeof COLOURS;
export const COLOUR_NAMES = Object.keys(COLOURS) as readonly ColourName[];

/** Colours are remembered by purpose, so that a red arrow does not turn the highlighter red. */
export type Purpose = 'ink' | 'highlight' | 'redaction';

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

/** Offset of a duplicate. */
export const besideOf = (picture: Size): number => Math.round(20 * unitOf(picture));
