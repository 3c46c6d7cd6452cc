/** Paints a picture on its backdrop. Rounded corners cut off some pixels of the picture; the others are not changed. */
import type { Backdrop } from '../../../ipc/protocol/drawing.ts';
import { type BackdropLayout, layBackdrop } from '../../drawing/backdrop-layout.ts';
import type { Size } from '../../drawing/mark.ts';

type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** From the upper left to the lower right; one colour is plain. */
export const FILLS: Readonly<Record<Backdrop['fill'], readonly string[]>> = {
  transparent: [],
  white: ['#ffffff'],
  graphite: ['#2b2f36'],
  ocean: ['#2f80ed', '#56ccf2'],
  sunset: ['#f5820b', '#e5322d'],
  forest: ['#11998e', '#6fcf7f'],
  violet: ['#5b2be0', '#c07bff'],
  rose: ['#ff9ab5', '#ffd6a5'],
};
const TITLE_BARS = { light: '#e9eaec', dark: '#33363c' } as const;
const DOTS = ['#ff5f57', '#febc2e', '#28c840'] as const;

const paintFill = (context: Context, fill: Backdrop['fill'], { width, height }: Size): void => {
  const [first, last = first] = FILLS[fill];
  if (first === undefined || last === undefined) return;
  const gradient = context.createLinearGradient(0, 0, width, height);
  gradient.addColorStop(0, first);
  gradient.addColorStop(1, last);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
};

const tracePath = (context: Context, { window: { x, y, width, height }, radius }: BackdropLayout, shiftX = 0): void => {
  context.beginPath();
  context.roundRect(x + shiftX, y, width, height, radius);
};

/** Of a window that is painted outside: below a translucent picture there is no dark area. */
const paintShadow = (context: Context, layout: BackdropLayout): void => {
  const { blur, drop, opacity } = layout.shadow;
  if (blur === 0) return;
  const outside = 2 * layout.size.width + 4 * blur;
  context.save();
  context.shadowColor = `rgb(0 0 0 / ${opacity})`;
  context.shadowBlur = blur;
  context.shadowOffsetX = outside;
  context.shadowOffsetY = drop;
  context.fillStyle = '#000';
  tracePath(context, layout, -outside);
  context.fill();
  context.restore();
};

const paintTitleBar = (context: Context, kind: keyof typeof TITLE_BARS, layout: BackdropLayout): void => {
  const { window, picture } = layout;
  const height = picture.y - window.y;
  context.fillStyle = TITLE_BARS[kind];
  context.fillRect(window.x, window.y, window.width, height);
  const radius = height * 0.17;
  for (const [index, colour] of DOTS.entries()) {
    context.beginPath();
    context.arc(window.x + height * (0.55 + index * 0.55), window.y + height / 2, radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
  }
};

/** On a canvas of the size of the layout of `picture`. */
export const paintOnBackdrop = (context: Context, picture: OffscreenCanvas, backdrop: Backdrop): void => {
  const layout = layBackdrop(backdrop, picture);
  context.imageSmoothingEnabled = false;
  paintFill(context, backdrop.fill, layout.size);
  paintShadow(context, layout);
  context.save();
  if (layout.radius > 0) {
    tracePath(context, layout);
    context.clip();
  }
  if (backdrop.titleBar !== 'none') paintTitleBar(context, backdrop.titleBar, layout);
  context.drawImage(picture, layout.picture.x, layout.picture.y);
  context.restore();
};
