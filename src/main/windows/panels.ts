/** The two panels of the app: the toast that reports captures, and the recorder bar. */
import type { Rectangle, Screen, Size } from 'electron';
import type { ItemId } from '../../api/ids.ts';
import type { Clock, ScreenCapturer } from '../../engine/ports.ts';
import type { Area, OpenWindow } from '../../ipc/protocol/capture.ts';
import type { AppEvent } from '../../ipc/protocol/ipc.ts';
import type { AppState } from '../../ipc/protocol/state.ts';
import { displayUnder, type KnownDisplay, logicalArea } from './displays.ts';
import type { Placing } from './overlay-window.ts';
import { createPanel } from './panel.ts';
import { barPlace, cornerPlace } from './panel-bounds.ts';

/** In logical pixels, as their pages are drawn. */
const TOAST_WIDTH = 416;
const BAR_WIDTH = 464;
const NEVER = new AbortController().signal;

export interface PanelsDeps {
  readonly displays: () => readonly KnownDisplay[];
  readonly screen: Pick<Screen, 'getCursorScreenPoint' | 'getDisplayNearestPoint'>;
  /** Lists the open windows, where the platform reports them. */
  readonly windows: ScreenCapturer['windows'];
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
  /** Where windows cannot be placed there is no toast: it would take the focus, in the middle of the screen. */
  readonly placing: Placing;
  /** The toast appeared. */
  readonly onToast: () => void;
}

export interface Panels {
  send(event: AppEvent): void;
  fit(panel: 'toast' | 'recorder', height: number | null): void;
  /** Whether the toast shows this item: it was captured or recorded, and the toast is not suppressed. */
  shows(id: ItemId): boolean;
  /** Captures the screen without our panels. */
  withoutPanels<T>(take: () => Promise<T>): Promise<T>;
  close(): void;
}

/** The frozen screen may still be listed while it closes, and our window may be full-screen too. */
const isOwn = ({ title }: OpenWindow): boolean => /(^|– )Linkshot$/.test(title);

const covers = (window: Area, display: Area): boolean =>
  window.x <= display.x &&
  window.y <= display.y &&
  window.x + window.width >= display.x + display.width &&
  window.y + window.height >= display.y + display.height;

/** Whether the toast has or will soon have something to show. */
const hasContent = ({ capture, recording, queue }: AppState): boolean =>
  capture !== null || recording !== null || queue.items.some(({ origin, state }) => origin && state !== 'linked');

const isChoosing = (state: AppState | null): boolean => state?.capture?.state === 'choosing';

export const createPanels = (deps: PanelsDeps): Panels => {
  const { displays, screen, windows, clock, platform, placing, onToast } = deps;
  let state: AppState | null = null;
  /** The recorded area; the state no longer contains it while the recording is being finished. */
  let recorded: Area | null = null;

  /** Whether a program filled the screen when the toast was last to be shown. */
  let isFilled = false;

  const isWanted = (): boolean => placing === 'exact' && state?.settings.toast === 'show';
  const underCursor = () => screen.getDisplayNearestPoint(screen.getCursorScreenPoint());

  /** Does not disturb a film or a game, where the platform reports windows. */
  const isScreenFilled = async (): Promise<boolean> => {
    const { id } = underCursor();
    const own = displays().find(({ electron }) => electron.id === id);
    const open = await windows(NEVER);
    return (
      own !== undefined &&
      open.ok &&
      open.value.some((each) => each.hasKeyboard && !isOwn(each) && covers(each, own.display))
    );
  };

  const toast = createPanel({
    page: 'toast',
    width: TOAST_WIDTH,
    place: (size: Size): Rectangle => cornerPlace(underCursor().workArea, size),
    async mayShow() {
      isFilled = await isScreenFilled();
      return isWanted() && !isFilled;
    },
    inRecordings: 'shown',
    onShown: onToast,
    platform,
    clock,
  });

  const bar = createPanel({
    page: 'recorder',
    width: BAR_WIDTH,
    place(size) {
      // The countdown of a capture is not beside an area.
      const under = state?.recording && recorded && displayUnder(recorded, displays());
      if (!recorded || !under) return cornerPlace(underCursor().workArea, size);
      return barPlace(under.electron.workArea, logicalArea(recorded, under), size);
    },
    mayShow: async () => true,
    inRecordings: 'hidden',
    onShown: () => {},
    platform,
    clock,
  });

  const conceal = () => Promise.all([toast.conceal(), bar.conceal()]);
  const reveal = () => {
    toast.reveal();
    bar.reveal();
  };

  /** The last event for the toast's page, which is loading and cannot receive it yet. */
  let pendingEvent: AppEvent | null = null;

  return {
    send(event) {
      if (event.type === 'kept' && toast.wake() === 'waking') pendingEvent = event;
      if (event.type === 'state') {
        const wasChoosing = isChoosing(state);
        ({ state } = event);
        // They must not cover the frozen screen.
        if (isChoosing(state) && !wasChoosing) void conceal();
        if (!isChoosing(state) && wasChoosing) reveal();
        const { capture, recording } = state;
        if (recording && 'area' in recording) recorded = recording.area;
        if (hasContent(state)) toast.wake();
        if (recording || capture?.state === 'waiting') bar.wake();
      }
      toast.send(event);
      bar.send(event);
    },
    fit(panel, height) {
      (panel === 'toast' ? toast : bar).fit(height);
      if (panel !== 'toast' || pendingEvent === null) return;
      toast.send(pendingEvent);
      pendingEvent = null;
    },
    shows(id) {
      const { origin } = state?.queue.items.find((item) => item.id === id) ?? {};
      return origin !== undefined && isWanted() && !isFilled;
    },
    async withoutPanels(take) {
      await conceal();
      try {
        return await take();
      } finally {
        // Its countdown has ended.
        if (!state?.recording) bar.fit(null);
        reveal();
      }
    },
    close() {
      toast.close();
      bar.close();
    },
  };
};
