/**
 * Paints the screenshot of one display and the selection on it, and finds the pixel under the pointer and its colour.
 * Several changes within one animation frame cause a single redraw.
 */

import type { Area, Display } from '../../../ipc/protocol/capture.ts';
import type { SelectionController } from '../selection/selection-controller.ts';
import type { Point } from '../selection/selection-geometry.ts';
import { afterPaint } from './after-paint.ts';
import { boxInPage, pixelAt, type View, viewOf } from './display-mapping.ts';
import { measureEdges } from './measure-edges.ts';
import { colourAt } from './read-pixels.ts';
import { type ContrastReference, drawSelection, type SelectionParts } from './selection-elements.ts';

export interface Painter {
  /** Shows the frozen pixels; calls back once they are painted. */
  paint(image: ImageData, then: () => void): void;
  view(): View;
  /** Returns the display pixel under the pointer and stores it. */
  point(place: { readonly clientX: number; readonly clientY: number }): Point;
  /** `#RRGGBB`; null before the image is loaded. */
  colourAt(at: Point): string | null;
  /** The box between the colour edges around a pixel; null before the image is loaded. */
  measure(at: Point): Area | null;
  /** From now on the magnifier shows the contrast with this colour, in these words. */
  compareWith(reference: ContrastReference): void;
  /** Follows the selection and the sizes of page and bar. Returns the unsubscribe function. */
  open(): () => void;
}

interface PainterDeps {
  readonly parts: SelectionParts;
  readonly canvas: HTMLCanvasElement;
  readonly controller: SelectionController;
  readonly display: Display;
}

const readView = (display: Display): View =>
  viewOf(display, { width: window.innerWidth, height: window.innerHeight, ratio: window.devicePixelRatio });

export const createPainter = ({ parts, canvas, controller, display }: PainterDeps): Painter => {
  let image: ImageData | null = null;
  let view = readView(display);
  let pointer: Point | null = null;
  let reference: ContrastReference | null = null;
  let request = 0;

  const draw = (): void => {
    request = 0;
    const { gesture, scene } = controller.store.getState();
    if (image) drawSelection(parts, { gesture, scene, view, image, pointer, reference });
  };
  const redraw = (): void => {
    if (request === 0) request = requestAnimationFrame(draw);
  };

  const lay = (): void => {
    view = readView(display);
    const displayBox = boxInPage(view, display, display);
    canvas.style.setProperty('transform', `translate(${displayBox.x}px, ${displayBox.y}px)`);
    canvas.style.setProperty('width', `${displayBox.width}px`);
    canvas.style.setProperty('height', `${displayBox.height}px`);
    redraw();
  };

  return {
    view: () => view,
    paint: (pixels, then) => {
      image = pixels;
      canvas.width = pixels.width;
      canvas.height = pixels.height;
      canvas.getContext('2d', { alpha: false })?.putImageData(pixels, 0, 0);
      lay();
      draw();
      parts.root.toggleAttribute('data-painted', true);
      afterPaint(then);
    },
    point: ({ clientX, clientY }) => {
      pointer = pixelAt(view, display, clientX, clientY);
      redraw();
      return pointer;
    },
    compareWith: (colour) => {
      reference = colour;
      redraw();
    },
    colourAt: (at) => image && colourAt(image, display, at),
    measure: (at) => image && measureEdges(image, display, at),
    open: () => {
      const stopFollowing = controller.store.subscribe(redraw);
      const bar = new ResizeObserver(redraw);
      bar.observe(parts.bar);
      window.addEventListener('resize', lay);
      return () => {
        stopFollowing();
        bar.disconnect();
        window.removeEventListener('resize', lay);
        cancelAnimationFrame(request);
        request = 0;
      };
    },
  };
};
