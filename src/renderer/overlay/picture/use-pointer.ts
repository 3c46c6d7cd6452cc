/**
 * Hook that translates pointer events on the screenshot into changes of the region selection, in display pixels. A
 * click with Ctrl copies the colour of a pixel instead.
 */

import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { isCtrlOrCommand } from '../../keyboard/key-events.ts';
import type { SelectionController } from '../selection/selection-controller.ts';
import type { Point } from '../selection/selection-geometry.ts';
import type { SelectionCommand } from '../selection/selection-keys.ts';
import type { Painter } from './display-painter.ts';
import { REACH } from './selection-elements.ts';

const PRIMARY_BUTTON = 0;

interface PointingDeps {
  readonly handleOrder: (order: SelectionCommand) => boolean;
  readonly copyColour: (at: Point) => Promise<void>;
}

export const usePointer = (
  controller: SelectionController,
  painter: { readonly current: Painter | null },
  { handleOrder, copyColour }: PointingDeps,
) => {
  const seen = useRef({ isCarrying: false, place: '' });
  const phase = () => controller.store.getState().gesture;

  const point = (event: PointerEvent): void => {
    const place = `${event.screenX} ${event.screenY}`;
    // A browser reports the same position again when something was drawn below a resting pointer.
    if (place === seen.current.place || !painter.current) return;
    seen.current.place = place;
    const hold = seen.current.isCarrying ? 'carry' : event.shiftKey ? 'square' : 'nothing';
    controller.act({ do: 'point', at: painter.current.point(event), hold });
  };
  const press = (event: PointerEvent): void => {
    if (event.button !== PRIMARY_BUTTON || !painter.current) return;
    const at = painter.current.point(event);
    if (isCtrlOrCommand(event)) {
      void copyColour(at);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    controller.act({ do: 'press', at, reach: REACH / painter.current.view().factor });
  };

  return {
    handlers: {
      onPointerMove: point,
      onPointerDown: press,
      onPointerUp: () => controller.act({ do: 'release' }),
      onPointerCancel: () => controller.act({ do: 'back' }),
      onPointerLeave: () => controller.act({ do: 'leave' }),
      onDoubleClick: (event: MouseEvent) => {
        if (phase().phase === 'chosen' && !isCtrlOrCommand(event)) handleOrder({ order: 'enter' });
      },
      onContextMenu: (event: MouseEvent) => {
        event.preventDefault();
        // A click with Ctrl asks for the menu on a Mac.
        if (!isCtrlOrCommand(event)) handleOrder({ order: 'back' });
      },
    },
    /** Space moves the region being drawn. Returns whether the key was handled. */
    carry: (key: string, way: 'down' | 'up'): boolean => {
      if (key !== ' ') return false;
      const gesture = phase();
      const isDrawing = gesture.phase === 'drawing' && gesture.by === 'pointer';
      seen.current.isCarrying = way === 'down' && isDrawing;
      return isDrawing;
    },
  };
};
