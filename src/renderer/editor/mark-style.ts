/** How new marks look: a few good colours, three widths and four heights of letters, in proportion to the picture. */
import type { DrawingStyle } from '../../ipc/protocol/drawing.ts';
import type { MarkKind, Size } from './marks/mark.ts';

export const WIDTHS = ['thin', 'medium', 'thick'] as const;
export type Width = (typeof WIDTHS)[number];

export const TEXT_SIZES = ['small', 'medium', 'large', 'huge'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

export const LOOKS = ['mosaic', 'solid'] as const;

/** Each stands out on most pictures; the rim of a mark does the rest. */
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

/** What a colour is chosen for: a marker is not black, and what hides is not red, only because an arrow was. */
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

/** A picture of a dense screen is larger and is looked at smaller: its marks grow with it. */
const unitOf = ({ width, height }: Size): number => Math.min(4, Math.max(1, Math.sqrt(width * height) / 1_100));

const rounded = (value: number): number => Math.round(value * 2) / 2;

export const lineWidth = (width: Width, picture: Size): number =>
  rounded({ thin: 3, medium: 5, thick: 9 }[width] * unitOf(picture));

export const textHeight = (size: TextSize, picture: Size): number =>
  Math.round({ small: 16, medium: 24, large: 36, huge: 56 }[size] * unitOf(picture));

export const stepRadius = (width: Width, picture: Size): number =>
  Math.round({ thin: 13, medium: 17, thick: 24 }[width] * unitOf(picture));

/** How far a copy lies beside. */
export const besideOf = (picture: Size): number => Math.round(20 * unitOf(picture));
