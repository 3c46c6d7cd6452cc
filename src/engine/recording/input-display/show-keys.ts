/**
 * Shows the last pressed shortcut or special key of an X screen in a bar at the bottom of the recorded area for a
 * moment. What `shownKeys` leaves out is not drawn.
 */
import type { InputDisplayRequest } from '../../ports.ts';
import { readKeyboard } from '../../x11/x11-keyboard.ts';
import { drawKeyBar } from './key-bar.ts';
import { shownKeys } from './key-names.ts';
import { type OverlayScreen, showOverlayWindow } from './overlay-window.ts';
import type { Press } from './press-recorder.ts';

const BAR_MS = 1_600;
/** At scale 1, to the edges of the area. */
const MARGIN = 24;
const POINTER_MAPPING = 2;

/** Returns the function for each press of a key; it resolves when the bar of this press is gone. */
export const createKeyDisplay = async (
  screen: OverlayScreen,
  request: InputDisplayRequest,
): Promise<(press: Press) => Promise<void>> => {
  let keyboard = await readKeyboard(screen.x);
  const bar = createLatestBar(
    (keys) => prepareBar(screen, request, keys),
    () => screen.wait(BAR_MS),
  );
  // After a change of the layout the same symbols may be on other keys.
  screen.x.onEvent((event) => {
    if (event.name !== 'MappingNotify' || event.request === POINTER_MAPPING) return;
    readKeyboard(screen.x).then(
      (read) => {
        keyboard = read;
      },
      () => {},
    );
  });

  return async ({ code, modifiers }) => {
    const keys = shownKeys(keyboard, code, modifiers);
    if (keys) await bar(keys);
  };
};

/** A bar that is drawn: shows it, and resolves to the function that removes it. */
type PreparedBar = () => Promise<() => Promise<void>>;

/**
 * Shows one bar at a time, that of the latest keys, until `rest` ends. The returned function resolves when the bar of
 * these keys is gone.
 */
export const createLatestBar = (
  prepare: (keys: readonly string[]) => Promise<PreparedBar>,
  rest: () => Promise<void>,
): ((keys: readonly string[]) => Promise<void>) => {
  let latest = 0;
  let shown: { readonly words: string; remove(): Promise<void> } | null = null;

  const hide = async (): Promise<void> => {
    const before = shown;
    shown = null;
    await before?.remove();
  };
  const replace = async (keys: readonly string[], isLatest: () => boolean): Promise<void> => {
    const words = keys.join(' ');
    if (shown?.words === words) return;
    const show = await prepare(keys);
    if (!isLatest()) return;
    const remove = await show();
    // Keys were pressed meanwhile whose bar is to stay, or comes.
    if (!isLatest()) return remove();
    await hide();
    shown = { words, remove };
  };

  return async (keys) => {
    latest += 1;
    const turn = latest;
    const isLatest = () => turn === latest;
    try {
      await replace(keys, isLatest);
      if (isLatest()) await rest();
    } finally {
      if (isLatest()) await hide();
    }
  };
};

const prepareBar = async (
  screen: OverlayScreen,
  { area, scale }: InputDisplayRequest,
  keys: readonly string[],
): Promise<PreparedBar> => {
  const { pixels, rows } = await drawKeyBar(keys, scale, area.width);
  const { width, height } = pixels;
  const x = area.x + ((area.width - width) >> 1);
  const margin = Math.min(Math.round(MARGIN * scale), Math.max(0, (area.height - height) >> 1));
  const y = area.y + area.height - height - margin;
  return () => showOverlayWindow(screen, { x, y, width, height, look: { pixels }, outline: rows, fill: rows });
};
