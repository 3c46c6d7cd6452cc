/**
 * Shows a shaped window above all others on an X screen. It never gets the focus, and the pointer goes through it
 * (SHAPE). It is gone when its connection ends.
 */
import type { Area } from '../../../ipc/protocol/capture.ts';
import type { XConnection } from '../../x11/x11-connection.ts';

export interface OverlayShape extends Area {
  /** Pixels of the fill, and of the rest of the outline. */
  readonly background: number;
  readonly border: number;
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

/** `shape`: major opcode of the extension. Resolves to the function that removes the window. */
export const showOverlayWindow = async (
  x: XConnection,
  shape: number,
  { x: left, y: top, width, height, background, border, outline, fill }: OverlayShape,
): Promise<() => Promise<void>> => {
  const { root } = x.screen;
  const window = x.display.client.AllocID();
  const values = { backgroundPixel: background, borderPixel: border, overrideRedirect: 1 };
  const cut = (kind: number, areas: readonly Area[]) => x.sendBytes(shapeRectangles(shape, kind, window, areas));
  // Sent at once: the window is mapped when it has its shape.
  await Promise.all([
    x.ask((client, answer) => client.CreateWindow(window, root, left, top, width, height, 0, 0, 1, 0, values, answer)),
    x.ask((client, answer) => client.ChangeProperty(0, window, NAME, STRING, 8, TITLE, answer)),
    cut(KIND.bounding, outline),
    cut(KIND.clip, fill),
    cut(KIND.input, []),
    x.ask((client, answer) => client.MapWindow(window, answer)),
  ]);
  return async () => {
    await x.ask((client, answer) => client.DestroyWindow(window, answer));
  };
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
