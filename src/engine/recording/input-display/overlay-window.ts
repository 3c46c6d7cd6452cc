/**
 * Shows a shaped window above all others on an X screen. It never gets the focus, and clicks go through it to the
 * window below (X extension SHAPE). It is gone when its connection ends.
 */
import type { Area } from '../../../ipc/protocol/capture.ts';
import { encodeImage, type PixelLayout } from '../../capture/x11/image-pixels.ts';
import type { Pixels } from '../../ports.ts';
import type { XConnection } from '../../x11/x11-connection.ts';

export interface OverlayScreen {
  readonly x: XConnection;
  readonly layout: PixelLayout;
  /** Major opcode of the SHAPE extension. */
  readonly shape: number;
  /** Rejects when the connection ends. */
  wait(ms: number): Promise<void>;
}

interface OverlayWindow extends Area {
  /** What its fill shows, and what the rest of its outline shows. */
  readonly look: { readonly backgroundPixel: number; readonly borderPixel: number } | { readonly pixels: Pixels };
  /** From the window's corner, sorted by rows. */
  readonly outline: readonly Area[];
  readonly fill: readonly Area[];
}

const RECTANGLES = 1;
const KIND = { bounding: 0, clip: 1, input: 2 } as const;
const HEADER_BYTES = 16;
const STRING = 31;
const NAME = 39;
const TITLE = Buffer.from('Linkshot input');
const WHOLE_PIXELS = 2;
/** Of an image in one request; the protocol allows 262,140 bytes with its header. */
const IMAGE_BYTES = 250_000;

/** Resolves to the function that removes the window. */
export const showOverlayWindow = async (
  { x, layout, shape }: OverlayScreen,
  { x: left, y: top, width, height, look, outline, fill }: OverlayWindow,
): Promise<() => Promise<void>> => {
  const { root } = x.screen;
  const window = x.display.client.AllocID();
  const backgroundPixmap = 'pixels' in look ? await sendPixmap(x, layout, look.pixels) : null;
  const values = { ...('pixels' in look ? { backgroundPixmap: backgroundPixmap ?? 0 } : look), overrideRedirect: 1 };
  const cut = (kind: number, areas: readonly Area[]) => x.sendBytes(shapeRectangles(shape, kind, window, areas));
  // Sent at once: the window is mapped when it has its shape.
  await Promise.all([
    x.ask((client, answer) => client.CreateWindow(window, root, left, top, width, height, 0, 0, 1, 0, values, answer)),
    x.ask((client, answer) => client.ChangeProperty(0, window, NAME, STRING, 8, TITLE, answer)),
    cut(KIND.bounding, outline),
    cut(KIND.clip, fill),
    cut(KIND.input, []),
    x.ask((client, answer) => client.MapWindow(window, answer)),
    // The window keeps what it shows.
    backgroundPixmap === null || x.ask((client, answer) => client.FreePixmap(backgroundPixmap, answer)),
  ]);
  return async () => {
    await x.ask((client, answer) => client.DestroyWindow(window, answer));
  };
};

const sendPixmap = async (x: XConnection, layout: PixelLayout, pixels: Pixels): Promise<number> => {
  const { root, root_depth: depth } = x.screen;
  const { client } = x.display;
  const { width, height } = pixels;
  const [pixmap, gc] = [client.AllocID(), client.AllocID()];
  client.CreatePixmap(pixmap, root, depth, width, height);
  client.CreateGC(gc, pixmap, {});
  const image = encodeImage(pixels, layout);
  const rowBytes = image.length / height;
  const rows = Math.floor(IMAGE_BYTES / rowBytes);
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < height; from += rows) {
    const data = image.subarray(from * rowBytes, (from + rows) * rowBytes);
    sent.push(
      x.ask((_, answer) =>
        client.PutImage(WHOLE_PIXELS, pixmap, gc, width, data.length / rowBytes, 0, from, 0, depth, data, answer),
      ),
    );
  }
  client.FreeGC(gc);
  await Promise.all(sent);
  return pixmap;
};

const shapeRectangles = (major: number, kind: number, window: number, areas: readonly Area[]): Buffer => {
  const request = Buffer.alloc(HEADER_BYTES + 8 * areas.length);
  request.set([major, RECTANGLES]);
  request.writeUInt16LE(request.length / 4, 2);
  request.set([0, kind], 4);
  request.writeUInt32LE(window, 8);
  for (const [index, { x, y, width, height }] of areas.entries()) {
    const at = HEADER_BYTES + 8 * index;
    request.writeInt16LE(x, at);
    request.writeInt16LE(y, at + 2);
    request.writeUInt16LE(width, at + 4);
    request.writeUInt16LE(height, at + 6);
  }
  return request;
};
