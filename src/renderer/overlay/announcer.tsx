/** Announces the selection to screen readers once it stops changing, not for every pixel. */

import { useEffect, useState } from 'react';
import { unreachable } from '../../api/errors.ts';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import type { Messages } from '../locales/en.ts';
import { useLocale } from '../locales/locale.tsx';
import type { Painter } from './picture/painter.ts';
import type { Gesture, SelectionScene } from './selection/gesture.ts';
import type { SelectionController } from './selection/selection-controller.ts';
import { between } from './selection/selection-geometry.ts';

interface AnnouncerProps {
  readonly controller: SelectionController;
  readonly painter: { readonly current: Painter | null };
  readonly copied: string | null;
}

const REST_MS = 500;

const wordsOf = (
  gesture: Gesture,
  { display, windows }: SelectionScene,
  painter: Painter | null,
  words: Messages['overlay'],
): string => {
  const describe = ({ width, height, x, y }: { width: number; height: number; x: number; y: number }): string =>
    words.spokenArea(width, height, x - display.x, y - display.y);
  switch (gesture.phase) {
    case 'aiming': {
      // A user of the pointer sees the selection.
      if (gesture.by === 'pointer') return '';
      const window = gesture.window === null ? undefined : windows[gesture.window];
      if (gesture.at === null)
        return window ? words.spokenWindow(window.title, window.area.width, window.area.height) : '';
      const { x, y } = gesture.at;
      return words.spokenAim(x - display.x, y - display.y, painter?.colourAt(gesture.at) ?? '');
    }
    case 'drawing':
      return describe(between(gesture.anchor, gesture.at));
    case 'chosen':
    case 'changing':
      return describe(gesture.area);
    default:
      return unreachable(gesture);
  }
};

export const Announcer = ({ controller, painter, copied }: AnnouncerProps) => {
  const { t } = useLocale();
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = (): void => {
      clearTimeout(timer);
      timer = setTimeout(
        () => setText(wordsOf(controller.store.getState().gesture, controller.scene, painter.current, t.overlay)),
        REST_MS,
      );
    };
    schedule();
    const stop = controller.store.subscribe(schedule);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [controller, painter, t]);
  return <VisuallyHidden live>{copied === null ? text : t.overlay.spokenColour(copied)}</VisuallyHidden>;
};
