/** Shows a ring for a moment where a click was, in the recorded area of an X screen. */
import { contains } from '../../capture/areas.ts';
import { pixelOf } from '../../capture/x11/image-pixels.ts';
import type { InputDisplayRequest } from '../../ports.ts';
import { clickRing } from './click-ring.ts';
import { type OverlayScreen, showOverlayWindow } from './overlay-window.ts';
import type { Press } from './press-recorder.ts';

const RING_MS = 400;
const OUTLINE = 0x16_18_1d;

/** Resolves when the ring is gone. */
export const showClick = async (
  screen: OverlayScreen,
  { area, scale }: InputDisplayRequest,
  press: Press,
): Promise<void> => {
  const ring = clickRing(press.code, scale);
  if (!ring || !contains(area, press)) return;
  const { side, colour, outline, fill } = ring;
  const remove = await showOverlayWindow(screen, {
    ...{ x: press.x - (side >> 1), y: press.y - (side >> 1), width: side, height: side, outline, fill },
    look: { backgroundPixel: pixelOf(screen.layout, colour), borderPixel: pixelOf(screen.layout, OUTLINE) },
  });
  await screen.wait(RING_MS);
  await remove();
};
