/** Shows clicks and keys on an X screen while it is recorded. Closing the display removes its windows. */
import { err, type Failure, failure, ok, type Result } from '../../../api/errors.ts';
import { onAbort } from '../../../base/common/on-abort.ts';
import { layoutOf } from '../../capture/x11/image-pixels.ts';
import type { Clock, InputDisplay, InputDisplayRequest } from '../../ports.ts';
import { connectX, type XConnection, type XServer } from '../../x11/x11-connection.ts';
import type { OverlayScreen } from './overlay-window.ts';
import { recordPresses } from './press-recorder.ts';
import { showClick } from './show-click.ts';
import { createKeyDisplay } from './show-keys.ts';

const TIMEOUT_MS = 5_000;

const notShown = (why: string): Failure =>
  failure('INPUT_NOT_SHOWN', `Clicks and keys are not shown in this recording: ${why}`);

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
      const unfollow = onAbort(limit, () => void closeAll());
      const shown = await show(connected, request, clock).catch((error: Error) => err(`${error.message}.`));
      unfollow();
      if (shown.ok && !limit.aborted) {
        const { stop } = shown.value;
        return ok({ close: () => stop().then(closeAll, closeAll) });
      }
      await closeAll();
      return err(notShown(shown.ok ? `the X server ${server.display} does not answer.` : shown.error));
    },
  };
};

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
  const closed = AbortSignal.any([x.over, listening.value.over]);
  const screen: OverlayScreen = { x, layout, shape, wait: (ms) => clock.sleep(ms, closed) };
  const { shown } = request;
  const showKey = shown.includes('keys') ? await createKeyDisplay(screen, request) : null;
  // Keys are not even received where they are not shown.
  const kinds = [...(showKey ? (['key'] as const) : []), ...(shown.includes('clicks') ? (['button'] as const) : [])];
  const recorder = await recordPresses(x, listening.value, kinds, (press) => {
    const done = press.kind === 'key' ? showKey?.(press) : showClick(screen, request, press);
    // A window that cannot be shown is not worth a notice during the recording.
    done?.catch(() => {});
  });
  return recorder ? ok(recorder) : err('this X server has no RECORD extension.');
};
