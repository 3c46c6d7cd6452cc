/**
 * Shows clicks on an X screen: a ring around the pointer for a moment, at each press of a mouse button in the recorded
 * area. All of it is gone when it is closed or its X server ends.
 */
import { err, type Failure, failure, ok, type Result } from '../../../api/errors.ts';
import { layoutOf, type PixelLayout, pixelOf } from '../../capture/x11/image-pixels.ts';
import type { Clock, InputDisplay, InputDisplayRequest } from '../../ports.ts';
import { connectX, type XConnection, type XServer } from '../../x11/x11-connection.ts';
import { clickRing } from './click-ring.ts';
import { showOverlayWindow } from './overlay-window.ts';
import { type Press, recordPresses } from './press-recorder.ts';

const TIMEOUT_MS = 5_000;
const RING_MS = 400;
const OUTLINE = 0x16_18_1d;

const notShown = (why: string): Failure => failure('INPUT_NOT_SHOWN', `Clicks are not shown in this recording: ${why}`);

export const createX11InputDisplay = (server: XServer, clock: Pick<Clock, 'sleep'>): InputDisplay => {
  const connect = (signal: AbortSignal): Promise<Result<XConnection, string>> =>
    connectX(server, signal).catch(() => err(`the X server ${server.display} does not answer.`));
  return {
    async open(request, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      // One draws, the other one is busy with listening.
      const connected = await Promise.all([connect(limit), connect(limit)]);
      const connections = connected.flatMap((one) => (one.ok ? [one.value] : []));
      const closeAll = () => Promise.all(connections.map((x) => x.close())).then(() => {});
      const onLimit = () => void closeAll();
      limit.addEventListener('abort', onLimit);
      const shown = await show(connected, request, clock).catch((error: Error) => err(`${error.message}.`));
      limit.removeEventListener('abort', onLimit);
      if (shown.ok && !limit.aborted) {
        const { stop } = shown.value;
        return ok({ close: () => stop().then(closeAll, closeAll) });
      }
      await closeAll();
      return err(notShown(shown.ok ? `the X server ${server.display} does not answer.` : shown.error));
    },
  };
};

interface Screen {
  readonly x: XConnection;
  readonly layout: PixelLayout;
  /** Major opcode. */
  readonly shape: number;
}

const show = async (
  [drawing, listening]: readonly [Result<XConnection, string>, Result<XConnection, string>],
  request: InputDisplayRequest,
  clock: Pick<Clock, 'sleep'>,
): Promise<Result<{ stop(): Promise<void> }, string>> => {
  if (!drawing.ok) return drawing;
  if (!listening.ok) return listening;
  const x = drawing.value;
  const layout = layoutOf(x);
  if (!layout) return err('this X server uses a colour palette.');
  const shape = await x.extension('SHAPE');
  if (shape === null) return err('this X server has no SHAPE extension.');
  const screen = { x, layout, shape };
  const closed = AbortSignal.any([x.over, listening.value.over]);
  const onPress = (press: Press) => {
    // A window that cannot be shown is not worth a word during the recording.
    showClick(screen, request, press, clock, closed).catch(() => {});
  };
  const recorder = await recordPresses(x, listening.value, onPress);
  return recorder ? ok(recorder) : err('this X server has no RECORD extension.');
};

const showClick = async (
  { x, layout, shape }: Screen,
  { area, scale }: InputDisplayRequest,
  press: Press,
  clock: Pick<Clock, 'sleep'>,
  closed: AbortSignal,
): Promise<void> => {
  const isInside =
    press.x >= area.x && press.y >= area.y && press.x < area.x + area.width && press.y < area.y + area.height;
  const ring = clickRing(press.code, scale);
  if (!isInside || !ring) return;
  const { side, colour, outline, fill } = ring;
  const remove = await showOverlayWindow(x, shape, {
    ...{ x: press.x - (side >> 1), y: press.y - (side >> 1), width: side, height: side, outline, fill },
    ...{ background: pixelOf(layout, colour), border: pixelOf(layout, OUTLINE) },
  });
  await clock.sleep(RING_MS, closed);
  await remove();
};
