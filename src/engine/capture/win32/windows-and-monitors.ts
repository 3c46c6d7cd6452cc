/** Lists the windows and monitors of a Windows desktop, in the physical pixels that a screenshot has. */

import { err, failure, ok, type Result } from '../../../api/errors.ts';
import { messageOf } from '../../../base/common/error-text.ts';
import type { Area, Display, OpenWindow } from '../../../ipc/protocol/capture.ts';
import { desktopOf, overlapOf } from '../areas.ts';
import type { DesktopCalls, WindowHandle } from './bindings.ts';

export interface WindowsList {
  /** The visible windows, the frontmost first, each clipped to the monitors. Errors: CAPTURE_UNAVAILABLE. */
  windows(): Promise<Result<readonly OpenWindow[]>>;
  /** At least one, the primary first. Errors: CAPTURE_UNAVAILABLE. */
  displays(): Promise<Result<readonly Display[]>>;
}

const TRANSPARENT = 0x20;
const TOOL_WINDOW = 0x80;
/** Window classes that show the wallpaper and its icons. */
const WALLPAPER: ReadonlySet<string> = new Set(['Progman', 'WorkerW']);
const PLAIN_DPI = 96;
/** Upper bounds of windows per walk, and of walks that a closing window may cut short. */
const MOST_WINDOWS = 10_000;
const WALKS = 5;

/** `open` is called at the first request, and at the next one where it has failed. */
export const createWindowsList = (open: () => Promise<DesktopCalls>): WindowsList => {
  let calls: DesktopCalls | null = null;
  const query = async <T>(read: (calls: DesktopCalls) => T): Promise<Result<T>> => {
    try {
      calls ??= await open();
      const opened = calls;
      return ok(opened.inPhysicalPixels(() => read(opened)));
    } catch (error) {
      const reason = messageOf(error);
      return err(failure('CAPTURE_UNAVAILABLE', `Windows could not list its windows and monitors (${reason}).`));
    }
  };
  return { windows: () => query(readWindows), displays: () => query(readDisplays) };
};

const readDisplays = (calls: DesktopCalls): readonly Display[] => {
  const monitors = calls.monitors().toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary));
  if (monitors.length === 0) throw new Error('there is no monitor');
  return monitors.map(({ name, area, dpi }, index) => {
    const number = index + 1;
    return { ...area, number, name: name || `Display ${number}`, scale: dpi / PLAIN_DPI };
  });
};

const readWindows = (calls: DesktopCalls): readonly OpenWindow[] => {
  const desktop = desktopOf(readDisplays(calls));
  const seen = handlesOf(calls).flatMap((window) => {
    const shown = shownArea(calls, window);
    const area = shown && overlapOf(shown, desktop);
    return area ? [{ window, area }] : [];
  });
  const active = calls.active();
  // The keyboard focus may be in a small owned window, such as a palette, whose owner is listed.
  const isSeen = (handle: WindowHandle): boolean => seen.some(({ window }) => window === handle);
  const shown = isSeen(active) ? active : calls.owner(active);
  return seen.map(({ window, area }) => ({
    ...area,
    title: calls.title(window) || calls.program(window),
    hasKeyboard: window === shown && window !== 0,
  }));
};

/** From front to back. A window that closes during the walk would end it early: then the walk restarts. */
const handlesOf = (calls: DesktopCalls): readonly WindowHandle[] => {
  let longest: readonly WindowHandle[] = [];
  for (let walk = 0; walk < WALKS; walk++) {
    const { handles, isComplete } = walkOnce(calls);
    if (isComplete) return handles;
    if (handles.length > longest.length) longest = handles;
  }
  return longest;
};

const walkOnce = (calls: DesktopCalls): { readonly handles: readonly WindowHandle[]; readonly isComplete: boolean } => {
  const met = new Set<WindowHandle>();
  let last = 0;
  for (let at = calls.frontmost(); at !== 0; at = calls.behind(at)) {
    // A window that was raised meanwhile: from here on the walk would loop.
    if (met.has(at) || met.size === MOST_WINDOWS) return { handles: [...met], isComplete: false };
    met.add(at);
    last = at;
  }
  return { handles: [...met], isComplete: last === 0 || calls.exists(last) };
};

/** The area as the user sees it; null: it is not a window to the user. */
const shownArea = (calls: DesktopCalls, window: WindowHandle): Area | null => {
  if (!calls.isVisible(window) || calls.isMinimized(window)) return null;
  // Skips tool windows and windows that are transparent to the mouse.
  if ((calls.extendedStyle(window) & (TOOL_WINDOW | TRANSPARENT)) !== 0) return null;
  if (WALLPAPER.has(calls.className(window)) || calls.isCloaked(window)) return null;
  return calls.frame(window) ?? calls.rectangle(window);
};
