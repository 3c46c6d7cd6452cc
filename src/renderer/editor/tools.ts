/** The editor's tools: their shortcut letters, and the mark each draws between two points. */
import { unreachable } from '../../api/errors.ts';
import { lineWidth, purposeOf, type Style, stepRadius } from './mark-style.ts';
import { boxBetween } from './marks/box.ts';
import type { MarkKind, NewMark, Point, Size } from './marks/mark.ts';

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
