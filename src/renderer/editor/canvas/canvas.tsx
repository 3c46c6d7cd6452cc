/**
 * The drawing canvas: konva renders the image, the pointer edits marks, the wheel pans and zooms, and an input field
 * edits a text mark. Announces selections and edits to screen readers.
 */

import { useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { type EditorSession, placementOf, shownDocument, shownFrame } from '../../drawing/editor-session.ts';
import type { Point } from '../../drawing/mark.ts';
import { isDrawing } from '../../drawing/tools.ts';
import { toViewport, type Viewport, zoomAt } from '../../drawing/viewport.ts';
import { isCommandKey, isCtrlOrCommand } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import { announcementOf } from '../mark-names.ts';
import styles from './canvas.module.css';
import { createGestures, type Gestures } from './gestures.ts';
import { createStage } from './konva-stage.ts';

/** The input field for a text mark, shown at the position and size of the mark. */
const TextInput = ({ session }: { readonly session: EditorSession }) => {
  const isWriting = useStore(session.store, ({ writing }) => writing !== null);
  return isWriting ? <Field session={session} /> : null;
};

const Field = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useStore(session.store, ({ writing }) => writing?.text ?? '');
  const how = useId();

  // The content security policy forbids inline styles in markup, so the position is set by script.
  useEffect(() => {
    const follow = (): void => {
      const state = session.store.getState();
      if (!field.current || !state.writing) return;
      const { at, size, colour } = state.writing;
      const placement = placementOf(state);
      const { x, y } = toViewport(at, placement);
      const { style } = field.current;
      style.setProperty('left', `${x}px`);
      style.setProperty('top', `${y}px`);
      style.setProperty('font-size', `${size * placement.scale}px`);
      style.setProperty('color', colour);
    };
    follow();
    field.current?.focus();
    field.current?.select();
    return session.store.subscribe(follow);
  }, [session]);

  const end = (): void => {
    field.current?.closest<HTMLElement>('[data-canvas]')?.focus();
    session.commitText();
  };

  return (
    <>
      <textarea
        ref={field}
        className={styles.text}
        value={text}
        rows={1}
        spellCheck={false}
        aria-label={t.editor.writing}
        aria-describedby={how}
        onChange={({ currentTarget }) => session.type(currentTarget.value)}
        onKeyDown={(event) => {
          const isDone = event.key === 'Escape' || (event.key === 'Enter' && isCommandKey(event));
          if (!isDone || event.nativeEvent.isComposing) return;
          event.preventDefault();
          end();
        }}
      />
      <span id={how} hidden>
        {t.editor.writingHow}
      </span>
    </>
  );
};

/** Zoom factor per pixel of wheel or pinch movement. */
const ZOOM_PER_PIXEL = 1.0022;
const MIDDLE_BUTTON = 1;

interface CanvasProps {
  readonly session: EditorSession;
  readonly original: ImageBitmap;
  /** Cancels the current gesture; set while the canvas is mounted. */
  readonly gestures: React.RefObject<Gestures | null>;
  /** Shown above the picture. */
  readonly children?: React.ReactNode;
}

/** Rounded to device pixels, so that nothing is drawn between two of them. */
const viewportOf = (element: HTMLElement): Viewport => {
  const scale = window.devicePixelRatio;
  const toDevicePixels = (length: number) => Math.max(1, Math.floor(length * scale) / scale);
  return { width: toDevicePixels(element.clientWidth), height: toDevicePixels(element.clientHeight), scale };
};

/** Draws now and on every change, and handles the pointer, while the element is mounted. */
const useCanvas = ({ session, original, gestures }: CanvasProps, container: React.RefObject<HTMLDivElement | null>) => {
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const ending = new AbortController();
    const { signal } = ending;
    const mount = element.ownerDocument.createElement('div');
    element.prepend(mount);
    const stage = createStage(mount, original);
    let holdsSpace = false;

    const show = (): void => {
      const state = session.store.getState();
      stage.show({
        document: shownDocument(state),
        // A mark that is still being drawn is not selected yet; afterwards the selection is drawn with its handles.
        selected: shownDocument(state).nextId > state.history.present.nextId ? null : state.selected,
        written: state.writing?.id ?? null,
        isCropping: state.tool === 'crop',
        placement: placementOf(state),
        viewport: state.viewport,
      });
    };
    const working = createGestures(session);
    gestures.current = working;

    const measure = (): void => session.resize(viewportOf(element));
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    // Another display may have another scale.
    window.addEventListener('resize', measure, { signal });
    measure();
    const stop = session.store.subscribe(show);
    show();

    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const pressOf = (event: MouseEvent) => ({ at: pointOf(event), isShifted: event.shiftKey });
    const setCursor = (event: PointerEvent): void => {
      const { tool } = session.store.getState();
      const over = working.over(pointOf(event));
      const drawing = tool === 'select' ? 'default' : tool === 'text' ? 'text' : 'crosshair';
      const cursor = holdsSpace ? 'grab' : over === 'handle' ? 'pointer' : over === 'mark' ? 'move' : drawing;
      mount.style.setProperty('cursor', cursor);
    };

    mount.addEventListener(
      'pointerdown',
      (event) => {
        const isPan = holdsSpace || event.button === MIDDLE_BUTTON;
        if (!event.isPrimary || (event.button !== 0 && !isPan)) return;
        event.preventDefault();
        element.focus({ preventScroll: true });
        mount.setPointerCapture(event.pointerId);
        working.down({ ...pressOf(event), pans: isPan });
      },
      { signal },
    );
    mount.addEventListener(
      'pointermove',
      (event) => {
        if (!event.isPrimary) return;
        working.move(pressOf(event));
        if (event.buttons === 0) setCursor(event);
      },
      { signal },
    );
    mount.addEventListener('pointerup', (event) => event.isPrimary && working.up(pressOf(event)), { signal });
    mount.addEventListener('pointercancel', () => working.cancel(), { signal });
    mount.addEventListener('dblclick', (event) => working.twice(pointOf(event)), { signal });
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const state = session.store.getState();
        const frame = shownFrame(state);
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
        if (isCtrlOrCommand(event)) {
          session.setView(
            zoomAt(state.view, ZOOM_PER_PIXEL ** (-event.deltaY * unit), pointOf(event), frame, state.viewport),
          );
          return;
        }
        const isSideways = event.shiftKey && event.deltaX === 0;
        const by = { x: -(isSideways ? event.deltaY : event.deltaX) * unit, y: isSideways ? 0 : -event.deltaY * unit };
        session.pan(by);
      },
      { signal, passive: false },
    );
    const holdSpace = (holds: boolean): void => {
      holdsSpace = holds;
      mount.style.setProperty('cursor', holds ? 'grab' : 'default');
    };
    element.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== ' ' || event.target !== element) return;
        event.preventDefault();
        holdSpace(true);
      },
      { signal },
    );
    window.addEventListener('keyup', ({ key }) => key === ' ' && holdSpace(false), { signal });
    // The key may be released while the window has no focus.
    window.addEventListener('blur', () => holdSpace(false), { signal });

    return () => {
      ending.abort();
      sizes.disconnect();
      stop();
      gestures.current = null;
      stage.destroy();
      mount.remove();
    };
  }, [session, original, gestures, container]);
};

export const Canvas = (props: CanvasProps) => {
  const { session } = props;
  const locale = useLocale();
  const { t } = locale;
  const container = useRef<HTMLDivElement>(null);
  const tool = useStore(session.store, (state) => state.tool);
  const words = useStore(session.store, ({ announcement }) =>
    announcement === null ? '' : announcementOf(announcement, locale),
  );
  useCanvas(props, container);

  return (
    <div className={styles.frame}>
      <div
        ref={container}
        className={cx(styles.canvas, isDrawing(tool) && styles.drawing)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the drawing has keyboard commands of its own
        tabIndex={0}
        role="application"
        aria-label={t.editor.canvas}
        aria-describedby="editor-canvas-how"
        data-canvas
      >
        {props.children}
        <TextInput session={session} />
      </div>
      <p id="editor-canvas-how" hidden>
        {t.editor.canvasHow}
      </p>
      <VisuallyHidden live>{words}</VisuallyHidden>
    </div>
  );
};
