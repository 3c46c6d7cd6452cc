/**
 * Calculates the positions of displays in physical pixels where the platform reports only logical positions. Each
 * display is placed beside its nearest neighbour, and moved where it would overlap another one.
 */
import type { Area } from '../../ipc/protocol/capture.ts';

export interface LogicalDisplay {
  readonly logical: Area;
  /** Physical pixels. */
  readonly width: number;
  readonly height: number;
  /** Physical pixels per logical one. */
  readonly scale: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The origin of a display on one axis, beside one that is placed already. */
const beside = (own: Span, length: number, other: Span, placed: Span, scale: number): number => {
  if (own.start >= other.end) return placed.end + Math.round((own.start - other.end) * scale);
  if (own.end <= other.start) return placed.start - length - Math.round((other.start - own.end) * scale);
  return placed.start + Math.round((own.start - other.start) * scale);
};

const across = ({ x, width }: Area): Span => ({ start: x, end: x + width });
const down = ({ y, height }: Area): Span => ({ start: y, end: y + height });
const common = (one: Span, other: Span): number => Math.min(one.end, other.end) - Math.max(one.start, other.start);

/** Length of the edge that two displays share; 0 at a corner, negative if they are apart. */
const sharedEdge = (one: Area, other: Area): number => {
  const [x, y] = [common(across(one), across(other)), common(down(one), down(other))];
  return Math.min(x, y) < 0 ? Math.min(x, y) : Math.max(x, y);
};
const overlap = (one: Area, other: Area): boolean =>
  common(across(one), across(other)) > 0 && common(down(one), down(other)) > 0;

interface Placed {
  readonly display: LogicalDisplay;
  readonly area: Area;
}

/** Moves an area away from one that it would cover, to the side of their displays. */
const apart = (area: Area, own: Area, other: Placed): Area => {
  if (!overlap(area, other.area)) return area;
  const { logical: bounds } = other.display;
  const occupied = other.area;
  if (own.x >= bounds.x + bounds.width) return { ...area, x: occupied.x + occupied.width };
  if (own.x + own.width <= bounds.x) return { ...area, x: occupied.x - area.width };
  return { ...area, y: own.y >= bounds.y + bounds.height ? occupied.y + occupied.height : occupied.y - area.height };
};

/** Lays the displays out in physical pixels from their logical neighbourhood, starting with the first. */
export const layOutDisplays = (displays: readonly LogicalDisplay[]): Area[] => {
  const placed: Placed[] = [];
  const waiting = [...displays];
  const nearest = ({ logical }: LogicalDisplay): number =>
    Math.max(...placed.map(({ display }) => sharedEdge(display.logical, logical)));
  while (waiting.length > 0) {
    // Neighbours of placed displays first.
    waiting.sort((one, other) => (placed.length === 0 ? 0 : nearest(other) - nearest(one)));
    const display = waiting.shift() as LogicalDisplay;
    const { logical, width, height } = display;
    const size = { width, height };
    const [anchor] = placed.toSorted(
      (one, other) => sharedEdge(other.display.logical, logical) - sharedEdge(one.display.logical, logical),
    );
    let area: Area = { x: 0, y: 0, ...size };
    if (anchor) {
      const { logical: beyond, scale } = anchor.display;
      const x = beside(across(logical), width, across(beyond), across(anchor.area), scale);
      const y = beside(down(logical), height, down(beyond), down(anchor.area), scale);
      area = { x, y, ...size };
    }
    for (const _ of placed) for (const other of placed) area = apart(area, logical, other);
    placed.push({ display, area });
  }
  return displays.flatMap((each) => placed.filter(({ display }) => display === each).map(({ area }) => area));
};
