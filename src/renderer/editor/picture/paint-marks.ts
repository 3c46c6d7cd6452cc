/**
 * Paints marks other than redactions on a canvas in image pixels. Editor view and export share this code, so that the
 * export matches the view. Also measures texts.
 */
import { unreachable } from '../../../api/errors.ts';
import type {
  HighlightMark,
  LineMark,
  Mark,
  OutlineMark,
  PenMark,
  Point,
  Size,
  StepMark,
  TextMark,
} from '../../drawing/mark.ts';

export type Context2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const FACE = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const LINE_HEIGHT = 1.25;
const TAU = 2 * Math.PI;

/** Perceived lightness of a colour, from 0 to 1. */
const lightness = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.299 * r + 0.587 * g + 0.114 * b;
};

const isLight = (colour: string): boolean => lightness(colour) > 0.62;
const inkOn = (colour: string): string => (isLight(colour) ? '#16181d' : '#ffffff');

/** A thin outline keeps every line visible on any image, also on its own colour. */
const rimOf = (colour: string): string => (isLight(colour) ? 'rgb(22 24 29 / 70%)' : 'rgb(255 255 255 / 92%)');
const rimWidth = (width: number): number => Math.min(3, Math.max(1, width * 0.22));

/** Strokes the current path in the mark's colour, with its outline below. */
const strokeWithRim = (context: Context2D, colour: string, width: number): void => {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.strokeStyle = rimOf(colour);
  context.lineWidth = width + 2 * rimWidth(width);
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
};

const paintLine = (context: Context2D, { from, to, colour, width }: LineMark): void => {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  strokeWithRim(context, colour, width);
};

/** Tapers from a thin tail to a broad head, which makes the direction obvious. */
const arrowOutline = ({ from, to, width }: LineMark): readonly Point[] => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return [];
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const head = Math.min(length, width * 5.2);
  const pointAt = (distance: number, aside: number): Point => ({
    x: from.x + along.x * distance - along.y * aside,
    y: from.y + along.y * distance + along.x * aside,
  });
  const neck = length - head * 0.86;
  return [
    pointAt(0, -width * 0.3),
    pointAt(neck, -width * 0.62),
    pointAt(length - head, -head * 0.46),
    pointAt(length, 0),
    pointAt(length - head, head * 0.46),
    pointAt(neck, width * 0.62),
    pointAt(0, width * 0.3),
  ];
};

const paintArrow = (context: Context2D, mark: LineMark): void => {
  const [first, ...rest] = arrowOutline(mark);
  if (!first) return;
  context.beginPath();
  context.moveTo(first.x, first.y);
  for (const { x, y } of rest) context.lineTo(x, y);
  context.closePath();
  const soft = mark.width * 0.35;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.strokeStyle = rimOf(mark.colour);
  context.lineWidth = soft + 2 * rimWidth(mark.width);
  context.stroke();
  context.strokeStyle = mark.colour;
  context.lineWidth = soft;
  context.stroke();
  context.fillStyle = mark.colour;
  context.fill();
};

const paintOutline = (context: Context2D, { kind, box, colour, width }: OutlineMark): void => {
  context.beginPath();
  if (kind === 'rectangle')
    context.roundRect(box.x, box.y, box.width, box.height, Math.min(width, box.width / 2, box.height / 2));
  else
    context.ellipse(
      box.x + box.width / 2,
      box.y + box.height / 2,
      Math.max(0.5, box.width / 2),
      Math.max(0.5, box.height / 2),
      0,
      0,
      TAU,
    );
  strokeWithRim(context, colour, width);
};

/** Smooths through the midpoints of the recorded points. */
const paintPen = (context: Context2D, { points, colour, width }: PenMark): void => {
  const [first, ...rest] = points;
  if (!first) return;
  context.beginPath();
  context.moveTo(first.x, first.y);
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1];
    if (next) context.quadraticCurveTo(point.x, point.y, (point.x + next.x) / 2, (point.y + next.y) / 2);
    else context.lineTo(point.x, point.y);
  }
  if (rest.length === 0) context.lineTo(first.x, first.y);
  strokeWithRim(context, colour, width);
};

const paintHighlight = (context: Context2D, { box, colour }: HighlightMark): void => {
  context.globalAlpha = 0.38;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(4, box.width / 4, box.height / 4));
  context.fill();
};

const fontOf = (size: number): string => `600 ${size}px ${FACE}`;

/** Size of a text at a font size. */
export const measureText = (context: Context2D, text: string, size: number): Size => {
  context.save();
  context.font = fontOf(size);
  const lines = text.split('\n');
  const width = Math.max(...lines.map((line) => context.measureText(line).width), size / 2);
  context.restore();
  return { width, height: lines.length * size * LINE_HEIGHT };
};

const paintText = (context: Context2D, { at, text, size, colour }: TextMark): void => {
  context.font = fontOf(size);
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.strokeStyle = rimOf(colour);
  context.lineWidth = Math.max(2, size * 0.16);
  context.fillStyle = colour;
  const lines = text.split('\n').map((line, index) => ({ line, y: at.y + (index + 0.5) * size * LINE_HEIGHT }));
  for (const { line, y } of lines) context.strokeText(line, at.x, y);
  for (const { line, y } of lines) context.fillText(line, at.x, y);
};

const paintStep = (context: Context2D, { at, radius, colour }: StepMark, number: number): void => {
  context.beginPath();
  context.arc(at.x, at.y, radius, 0, TAU);
  context.fillStyle = rimOf(colour);
  context.fill();
  context.beginPath();
  context.arc(at.x, at.y, radius - rimWidth(radius / 3), 0, TAU);
  context.fillStyle = colour;
  context.fill();
  context.font = fontOf(radius * (number > 99 ? 0.8 : 1.12));
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = inkOn(colour);
  context.fillText(String(number), at.x, at.y + radius * 0.06);
};

/** `step`: the number a step shows. Redactions are painted with the image, see `redaction.ts`. */
export const paintMark = (context: Context2D, mark: Mark, step: number): void => {
  context.save();
  switch (mark.kind) {
    case 'line':
      paintLine(context, mark);
      break;
    case 'arrow':
      paintArrow(context, mark);
      break;
    case 'rectangle':
    case 'ellipse':
      paintOutline(context, mark);
      break;
    case 'pen':
      paintPen(context, mark);
      break;
    case 'highlight':
      paintHighlight(context, mark);
      break;
    case 'text':
      paintText(context, mark);
      break;
    case 'step':
      paintStep(context, mark, step);
      break;
    case 'redaction':
      break;
    default:
      unreachable(mark);
  }
  context.restore();
};
