/** Draws a document with konva: the image with its redactions, the marks, and the selection handles above them. */

import { Layer } from 'konva/lib/Layer.js';
import { Shape } from 'konva/lib/Shape.js';
import { Stage } from 'konva/lib/Stage.js';
import { boxOf, grow, isSameBox } from '../../drawing/box-geometry.ts';
import { type Document, findMark, frameOf, stepNumber } from '../../drawing/document.ts';
import type { Box, Mark, MarkId } from '../../drawing/mark.ts';
import { boundsOf, boxHandles, handlesOf } from '../../drawing/transform.ts';
import { type Placement, toViewport, type Viewport } from '../../drawing/viewport.ts';
import { readerOf } from '../picture/original-image.ts';
import { type Context2D, paintMark } from '../picture/paint-marks.ts';
import { coversOf, paintCover, type ReadPixels, redactionsOf } from '../picture/redaction.ts';

interface DrawnCover {
  readonly box: Box;
  readonly canvas: OffscreenCanvas;
}

const isSame = (a: Document, b: Document): boolean => {
  const [before, after] = [redactionsOf(a), redactionsOf(b)];
  return (
    before.length === after.length &&
    before.every((mark, index) => mark === after[index]) &&
    (before.length === 0 || isSameBox(frameOf(a), frameOf(b)))
  );
};

/** Caches redactions as small bitmaps, all redrawn when one of them changes, so that they scale without seams. */
const createCovers = (read: ReadPixels) => {
  let cached: { readonly document: Document; readonly covers: readonly DrawnCover[] } | null = null;

  const make = (document: Document): readonly DrawnCover[] =>
    coversOf(document, read).map((cover) => {
      const { x, y, width, height } = cover.box;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('There is no canvas.');
      context.translate(-x, -y);
      paintCover(context, cover);
      return { box: cover.box, canvas };
    });

  return {
    /** Whether both documents have equal redactions. */
    isSame,
    of: (document: Document): readonly DrawnCover[] => {
      if (!cached || !isSame(cached.document, document)) cached = { document, covers: make(document) };
      return cached.covers;
    },
  };
};

interface Scene {
  readonly document: Document;
  readonly selected: MarkId | null;
  /** The text being edited, which an input field shows instead. */
  readonly written: MarkId | null;
  readonly isCropping: boolean;
  readonly placement: Placement;
  readonly viewport: Viewport;
}

/** From this zoom on, single pixels are drawn sharp. */
const PIXELS_FROM_ZOOM = 2;
const HANDLE = 9;
const DIM = 'rgb(12 14 18 / 58%)';

const contextOf = (context: { readonly _context: CanvasRenderingContext2D }): CanvasRenderingContext2D =>
  context._context;

const trace = (context: Context2D, { x, y, width, height }: Box): void => context.rect(x, y, width, height);

const boxInViewport = (box: Box, { placement }: Scene): Box => ({
  ...toViewport(box, placement),
  width: box.width * placement.scale,
  height: box.height * placement.scale,
});

const shownBox = ({ isCropping, document }: Scene): Box => (isCropping ? boxOf(document.picture) : frameOf(document));

export const createStage = (container: HTMLDivElement, original: ImageBitmap) => {
  const stage = new Stage({ container, width: 1, height: 1, listening: false });
  const covers = createCovers(readerOf(original));
  let scene: Scene | null = null;

  const painted = (paint: (context: CanvasRenderingContext2D, scene: Scene) => void): Layer => {
    const layer = new Layer({ listening: false });
    const sceneFunc = (context: unknown): void => {
      if (scene) paint(contextOf(context as { _context: CanvasRenderingContext2D }), scene);
    };
    layer.add(new Shape({ sceneFunc, perfectDrawEnabled: false }));
    stage.add(layer);
    return layer;
  };

  /** Draws in image pixels, clipped to the visible frame. */
  const onPicture = (context: CanvasRenderingContext2D, now: Scene, paint: () => void): void => {
    const { placement } = now;
    context.save();
    context.translate(placement.x, placement.y);
    context.scale(placement.scale, placement.scale);
    context.beginPath();
    trace(context, shownBox(now));
    context.clip();
    paint();
    context.restore();
  };

  /** A hairline around the image, so that a white image does not blend into a light background. */
  const paintEdge = (context: CanvasRenderingContext2D, box: Box): void => {
    context.beginPath();
    trace(context, grow(box, 0.5));
    context.lineWidth = 1;
    context.strokeStyle = 'rgb(128 128 128 / 45%)';
    context.stroke();
  };

  const pictureLayer = painted((context, now) => {
    paintEdge(context, boxInViewport(shownBox(now), now));
    onPicture(context, now, () => {
      const { x, y, width, height } = shownBox(now);
      context.imageSmoothingEnabled = now.placement.scale * now.viewport.scale < PIXELS_FROM_ZOOM;
      context.imageSmoothingQuality = 'medium';
      context.drawImage(original, x, y, width, height, x, y, width, height);
      for (const { box, canvas } of covers.of(now.document)) context.drawImage(canvas, box.x, box.y);
    });
  });

  const markLayer = painted((context, now) =>
    onPicture(context, now, () => {
      for (const mark of now.document.marks)
        if (mark.id !== now.written) paintMark(context, mark, stepNumber(now.document, mark.id));
    }),
  );

  const paintHandles = (context: CanvasRenderingContext2D, now: Scene, handles: ReturnType<typeof handlesOf>): void => {
    for (const handle of handles) {
      const { x, y } = toViewport(handle, now.placement);
      context.beginPath();
      context.roundRect(x - HANDLE / 2, y - HANDLE / 2, HANDLE, HANDLE, HANDLE / 2);
      context.fillStyle = '#fff';
      context.strokeStyle = getComputedStyle(container).color;
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
    }
  };

  const paintOutline = (context: CanvasRenderingContext2D, box: Box): void => {
    context.beginPath();
    trace(context, box);
    context.lineWidth = 3;
    context.strokeStyle = 'rgb(255 255 255 / 75%)';
    context.stroke();
    context.lineWidth = 1.25;
    context.strokeStyle = getComputedStyle(container).color;
    context.stroke();
  };

  const paintSelection = (context: CanvasRenderingContext2D, now: Scene, mark: Mark): void => {
    const isLine = mark.kind === 'arrow' || mark.kind === 'line';
    if (!isLine) paintOutline(context, boxInViewport(boundsOf(mark), now));
    paintHandles(context, now, handlesOf(mark));
  };

  const paintCrop = (context: CanvasRenderingContext2D, now: Scene): void => {
    const frame = frameOf(now.document);
    const box = boxInViewport(frame, now);
    context.beginPath();
    trace(context, boxInViewport(boxOf(now.document.picture), now));
    trace(context, box);
    context.fillStyle = DIM;
    context.fill('evenodd');
    paintOutline(context, box);
    paintHandles(context, now, boxHandles(frame));
  };

  const toolLayer = painted((context, now) => {
    if (now.isCropping) return paintCrop(context, now);
    const mark = findMark(now.document, now.selected);
    if (mark && mark.id !== now.written) paintSelection(context, now, mark);
  });

  const adapt = ({ width, height, scale }: Viewport): void => {
    if (stage.width() !== width || stage.height() !== height) stage.size({ width, height });
    for (const layer of [pictureLayer, markLayer, toolLayer])
      if (layer.getCanvas().getPixelRatio() !== scale) layer.getCanvas().setPixelRatio(scale);
  };

  return {
    /** Shows the scene with the next frame; only the last of several calls is drawn. */
    show: (next: Scene): void => {
      const before = scene;
      scene = next;
      adapt(next.viewport);
      const isSamePlace =
        before !== null &&
        before.viewport === next.viewport &&
        before.isCropping === next.isCropping &&
        (['x', 'y', 'scale'] as const).every((side) => before.placement[side] === next.placement[side]);
      const isSamePicture =
        isSamePlace &&
        before.document.crop === next.document.crop &&
        (before.document === next.document || covers.isSame(before.document, next.document));
      if (!isSamePicture) pictureLayer.batchDraw();
      if (!isSamePlace || before.document !== next.document || before.written !== next.written) markLayer.batchDraw();
      toolLayer.batchDraw();
    },
    destroy: (): void => {
      stage.destroy();
    },
  };
};
