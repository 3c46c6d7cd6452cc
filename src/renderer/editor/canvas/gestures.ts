/**
 * Pointer gestures on the canvas: draw, select, move and resize marks, crop, and pan. The result of an edit is a
 * preview until the pointer is released, which commits one undo step; Escape discards it.
 */

import { boxBetween, boxOf, overlap, wholePixels } from '../../drawing/box-geometry.ts';
import { apply, type Document, findMark, frameOf } from '../../drawing/document.ts';
import { type EditorSession, placementOf } from '../../drawing/editor-session.ts';
import { handleAt, markAt } from '../../drawing/hit-test.ts';
import type { Box, Mark, NewMark, Point } from '../../drawing/mark.ts';
import { type DrawingTool, draw, isDrawing } from '../../drawing/tools.ts';
import {
  boundsOf,
  boxHandles,
  type HandleName,
  handlesOf,
  moveBy,
  pull,
  pullBox,
  squared,
  straightened,
} from '../../drawing/transform.ts';
import { toPicture } from '../../drawing/viewport.ts';

/** Hit distances to a line and to a handle, in CSS pixels. */
const REACH = 7;
const HANDLE_REACH = 11;
/** A pointer that stays within as many CSS pixels clicks. */
const STEADY = 3;

export interface Press {
  /** CSS pixels from the upper left corner of the viewport. */
  readonly at: Point;
  readonly isShifted: boolean;
}

interface Gesture {
  move(press: Press): void;
  /** `moved`: whether the pointer has moved farther than for a click. */
  end(press: Press, moved: boolean): void;
}

export interface PointerDown extends Press {
  /** Pans the view: with Space or the middle button. */
  readonly pans: boolean;
}

export const createGestures = (session: EditorSession) => {
  const { store, preview } = session;
  let current: { readonly gesture: Gesture; readonly start: Point; moved: boolean } | null = null;

  const pointOf = (at: Point): Point => toPicture(at, placementOf(store.getState()));
  const reach = (cssPixels: number): number => cssPixels / placementOf(store.getState()).scale;
  const document = (): Document => store.getState().history.present;

  const panning = (start: Point): Gesture => {
    let last = start;
    return {
      move: ({ at }) => {
        session.pan({ x: at.x - last.x, y: at.y - last.y });
        last = at;
      },
      end: () => {},
    };
  };

  /** Always derives the mark from its state at the start of the gesture, so that changes do not accumulate. */
  const changing = (mark: Mark, change: (press: Press) => Mark): Gesture => ({
    move: (press) => preview(apply(document(), { type: 'change', mark: change(press) })),
    end: (press, moved) => {
      if (moved) session.change(change(press));
      else if (mark.kind === 'text' && store.getState().tool === 'text') session.write(mark);
    },
  });

  const moving = (mark: Mark, from: Point): Gesture =>
    changing(mark, ({ at }) => {
      const to = pointOf(at);
      return moveBy(mark, { x: to.x - from.x, y: to.y - from.y });
    });

  const pulling = (mark: Mark, handle: HandleName): Gesture => {
    const box = boundsOf(mark);
    return changing(mark, ({ at, isShifted }) => {
      const to = pointOf(at);
      if (!isShifted) return pull(mark, handle, to);
      if (mark.kind === 'arrow' || mark.kind === 'line')
        return pull(mark, handle, straightened(handle === 'from' ? mark.to : mark.from, to));
      const anchor = {
        x: handle.includes('w') ? box.x + box.width : box.x,
        y: handle.includes('n') ? box.y + box.height : box.y,
      };
      return pull(mark, handle, handle.length === 2 ? squared(anchor, to) : to);
    });
  };

  const drawing = (tool: Exclude<DrawingTool, 'text'>, from: Point): Gesture => {
    const making = session.making();
    const points: Point[] = [from];
    const newMark = ({ at, isShifted }: Press): NewMark => {
      const to = pointOf(at);
      if (tool === 'pen') {
        const last = points.at(-1) ?? from;
        if (Math.hypot(to.x - last.x, to.y - last.y) >= reach(2)) points.push(to);
        const stroke = isShifted ? [from, straightened(from, to)] : [...points];
        return { ...draw(tool, from, to, making), points: stroke } as NewMark;
      }
      if (!isShifted || tool === 'step') return draw(tool, from, to, making);
      const straight = tool === 'arrow' || tool === 'line' ? straightened(from, to) : squared(from, to);
      return draw(tool, from, straight, making);
    };
    return {
      move: (press) => preview(apply(document(), { type: 'add', mark: newMark(press) })),
      end: (press, moved) => {
        if (moved || tool === 'step') session.add(newMark(press));
        else session.select(markAt(document().marks, from, reach(REACH))?.id ?? null);
      },
    };
  };

  const cropping = (from: Point): Gesture => {
    const frame = frameOf(document());
    const picture = boxOf(document().picture);
    const handle = handleAt(boxHandles(frame), from, reach(HANDLE_REACH));
    const isInside = overlap(frame, { ...from, width: 0.01, height: 0.01 }) !== null;
    const isUncropped = document().crop === null;
    const framed = ({ at, isShifted }: Press): Box => {
      const to = pointOf(at);
      if (handle) return pullBox(frame, handle.name, to);
      if (!isInside || isUncropped) return boxBetween(from, isShifted ? squared(from, to) : to);
      const x = Math.min(Math.max(0, frame.x + to.x - from.x), picture.width - frame.width);
      const y = Math.min(Math.max(0, frame.y + to.y - from.y), picture.height - frame.height);
      return { ...frame, x: Math.round(x), y: Math.round(y) };
    };
    // Frames round to the nearest pixel; redactions cover every pixel they touch.
    const snapToPixels = (press: Press): Box => {
      const { x, y, width, height } = framed(press);
      const [left, top] = [Math.round(x), Math.round(y)];
      return wholePixels({
        x: left,
        y: top,
        width: Math.round(x + width) - left,
        height: Math.round(y + height) - top,
      });
    };
    return {
      move: (press) => preview(apply(document(), { type: 'crop', box: snapToPixels(press) })),
      end: (press, moved) => {
        if (!moved) return;
        session.crop(snapToPixels(press));
        session.announce('cropped', null);
      },
    };
  };

  const begin = ({ at, pans }: PointerDown): Gesture | null => {
    const { tool, selected } = store.getState();
    if (pans) return panning(at);
    const from = pointOf(at);
    if (tool === 'crop') return cropping(from);
    const mark = findMark(document(), selected);
    const handle = mark && handleAt(handlesOf(mark), from, reach(HANDLE_REACH));
    if (mark && handle) return pulling(mark, handle.name);
    const hit = markAt(document().marks, from, reach(REACH));
    const isMoved = hit && (tool === 'select' || hit.id === selected || (tool === 'text' && hit.kind === 'text'));
    if (isMoved) {
      session.select(hit.id);
      return moving(hit, from);
    }
    if (!isDrawing(tool)) {
      session.select(null);
      return panning(at);
    }
    if (tool !== 'text') return drawing(tool, from);
    session.write(from);
    return null;
  };

  return {
    down: (press: PointerDown): void => {
      const wasWriting = store.getState().writing !== null;
      session.commitText();
      session.endStep();
      // The click that ends a text edit does nothing else.
      if (wasWriting && !press.pans) return;
      const gesture = begin(press);
      current = gesture && { gesture, start: press.at, moved: false };
    },
    move: (press: Press): void => {
      if (!current) return;
      const { start, gesture } = current;
      current.moved ||= Math.hypot(press.at.x - start.x, press.at.y - start.y) > STEADY;
      if (current.moved) gesture.move(press);
    },
    up: (press: Press): void => {
      const ended = current;
      current = null;
      preview(null);
      ended?.gesture.end(press, ended.moved);
    },
    /** Cancels the current gesture; returns whether there was one. */
    cancel: (): boolean => {
      const wasBusy = current !== null;
      current = null;
      preview(null);
      return wasBusy;
    },
    /** What a press would grab, for the cursor. */
    over: (at: Point): 'handle' | 'mark' | 'nothing' => {
      const { tool, selected } = store.getState();
      const from = pointOf(at);
      if (tool === 'crop')
        return handleAt(boxHandles(frameOf(document())), from, reach(HANDLE_REACH)) ? 'handle' : 'nothing';
      const mark = findMark(document(), selected);
      if (mark && handleAt(handlesOf(mark), from, reach(HANDLE_REACH))) return 'handle';
      const hit = markAt(document().marks, from, reach(REACH));
      return hit && (tool === 'select' || hit.id === selected) ? 'mark' : 'nothing';
    },
    /** A double click edits a text. */
    twice: (at: Point): void => {
      if (store.getState().tool === 'crop') return;
      const hit = markAt(document().marks, pointOf(at), reach(REACH));
      if (hit?.kind === 'text') session.write(hit);
    },
  };
};

export type Gestures = ReturnType<typeof createGestures>;
