/**
 * Stores position, size and maximised state of the main window. It reopens where it was if its upper edge is still on a
 * display; otherwise only its size and maximised state are restored. A crash of the app never leaves a damaged file.
 */
import type { BrowserWindow, Rectangle, Screen } from 'electron';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { readFileSync, renameSync, writeFileSync } from '../../base/node/retrying-fs.ts';
import type { Clock } from '../../engine/ports.ts';

const Length = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });
/** In logical pixels. */
const Remembered = Type.Object({
  x: Length,
  y: Length,
  width: Type.Integer({ minimum: 200, maximum: 32_768 }),
  height: Type.Integer({ minimum: 200, maximum: 32_768 }),
  isMaximized: Type.Boolean(),
});
type Remembered = Static<typeof Remembered>;

/** Moving a window fires many events; the state is written when it rests. */
const REST_MS = 500;
/** Part of the upper edge that must be visible, so that the user can move the window. */
const GRIP = 64;

export interface WindowStateDeps {
  /** A file in the profile. */
  readonly path: string;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: (line: string) => void;
}

export interface WindowState {
  /** Its bounds as options of a new window; empty: the default. */
  place(): Partial<Rectangle>;
  /** Restores the state, and tracks it from now on. */
  follow(window: BrowserWindow): void;
}

const recall = (path: string): Remembered | null => {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Value.Check(Remembered, stored) ? stored : null;
  } catch {
    return null;
  }
};

/** Whether the user can see and grab its upper edge on one of the displays. */
const canBeHeld = ({ x, y, width }: Rectangle, areas: readonly Rectangle[]): boolean =>
  areas.some((area) => {
    const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
    return seen >= GRIP && y >= area.y && y + GRIP <= area.y + area.height;
  });

export const createWindowState = ({ path, screen, clock, log }: WindowStateDeps): WindowState => {
  const write = (window: BrowserWindow): void => {
    if (window.isDestroyed() || window.isMinimized()) return;
    const { x, y, width, height } = window.getNormalBounds();
    try {
      writeFileSync(`${path}.part`, JSON.stringify({ x, y, width, height, isMaximized: window.isMaximized() }));
      renameSync(`${path}.part`, path);
    } catch (error) {
      log(`The place of the window was not kept: ${(error as Error).message}`);
    }
  };
  return {
    place() {
      const stored = recall(path);
      if (!stored) return {};
      const { isMaximized: _, ...bounds } = stored;
      const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
      // If the display is disconnected, only the size is kept.
      return canBeHeld(bounds, areas) ? bounds : { width: bounds.width, height: bounds.height };
    },
    follow(window) {
      // Maximising shows a window, but this one is not painted yet.
      if (recall(path)?.isMaximized) window.once('show', () => window.maximize());
      let resting: AbortController | null = null;
      const moved = (): void => {
        resting?.abort();
        resting = new AbortController();
        clock.sleep(REST_MS, resting.signal).then(
          () => write(window),
          () => {},
        );
      };
      window.on('move', moved);
      window.on('resize', moved);
      window.on('maximize', moved);
      window.on('unmaximize', moved);
      window.on('close', () => {
        resting?.abort();
        write(window);
      });
    },
  };
};
