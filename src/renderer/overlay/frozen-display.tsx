/**
 * The screenshot of one display with the region selection over it, announced to screen readers. The painter
 * (`picture/display-painter.ts`) positions everything that follows the pointer, so that React does not render at each
 * movement.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type Failure, failure, unreachable } from '../../api/errors.ts';
import type { Area, Display } from '../../ipc/protocol/capture.ts';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import type { Messages } from '../locales/en.ts';
import { useLocale } from '../locales/locale.tsx';
import { useCameraChoice } from '../stores/captures/use-camera-choice.ts';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import type { ActiveDisplay } from './active-display.ts';
import { CameraAnnouncer } from './camera-button.tsx';
import styles from './frozen-display.module.css';
import { ActionBar, HintBar } from './overlay-bars.tsx';
import { markCapture } from './performance-marks.ts';
import { contrastRatio, contrastVerdict, shownRatio } from './picture/contrast.ts';
import { createPainter, type Painter } from './picture/display-painter.ts';
import type { Screenshots } from './picture/load-screenshots.ts';
import { Magnifier } from './picture/magnifier.tsx';
import { LENS_PIXELS } from './picture/read-pixels.ts';
import { partsIn } from './picture/selection-elements.ts';
import { usePointer } from './picture/use-pointer.ts';
import {
  type ChoosingSession,
  createSelectionController,
  type SelectionController,
  type SelectionState,
} from './selection/selection-controller.ts';
import { between, HANDLES, type Point } from './selection/selection-geometry.ts';
import { type CaptureAction, type SelectionCommand, selectionCommandOf } from './selection/selection-keys.ts';

interface AnnouncerProps {
  readonly controller: SelectionController;
  readonly painter: { readonly current: Painter | null };
  readonly copied: string | null;
  readonly reference: string | null;
}

const contrastWords = (ratio: number, words: Messages['overlay']): string => {
  const verdict = contrastVerdict(ratio);
  // The names of the levels are the same in every language.
  return words.contrast(shownRatio(ratio), verdict === 'AA' || verdict === 'AAA' ? verdict : words.contrasts[verdict]);
};

const REST_MS = 500;

const wordsOf = (
  { gesture, scene }: SelectionState,
  painter: Painter | null,
  reference: string | null,
  words: Messages['overlay'],
): string => {
  const { display, windows } = scene;
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
      const colour = painter?.colourAt(gesture.at) ?? '';
      const box = scene.measure?.(gesture.at) ?? null;
      return [
        ...(box ? [words.spokenLengths(box.width, box.height)] : []),
        words.spokenAim(x - display.x, y - display.y, colour),
        ...(reference === null || colour === '' ? [] : [contrastWords(contrastRatio(reference, colour), words)]),
      ].join('. ');
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

/** Announces the selection to screen readers once it stops changing, not for every pixel. */
const Announcer = ({ controller, painter, copied, reference }: AnnouncerProps) => {
  const { t } = useLocale();
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = (): void => {
      clearTimeout(timer);
      timer = setTimeout(
        () => setText(wordsOf(controller.store.getState(), painter.current, reference, t.overlay)),
        REST_MS,
      );
    };
    schedule();
    const stop = controller.store.subscribe(schedule);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [controller, painter, reference, t]);
  return <VisuallyHidden live>{copied === null ? text : t.overlay.spokenColour(copied)}</VisuallyHidden>;
};

interface FrozenDisplayProps {
  readonly session: ChoosingSession;
  readonly display: Display;
  readonly screenshots: Screenshots;
  readonly attention: ActiveDisplay;
  readonly shows: 'all' | number;
}

const READ_FAILURE = failure('CAPTURE_GONE', 'The frozen screen could not be read.');

const useSelection = ({ session, display, attention }: FrozenDisplayProps) => {
  const { engine, clipboard } = useAppStores();
  const isBusy = useStore(attention.store, ({ isSubmitted }) => isSubmitted);
  const [failed, setFailed] = useState<Failure | null>(null);
  const [copied, setCopied] = useState<string | null>(null);
  /** The colour that others are compared with. */
  const [reference, setReference] = useState<string | null>(null);
  const painter = useRef<Painter>(null);

  const finish = async (area: Area, way: CaptureAction): Promise<void> => {
    attention.set({ isSubmitted: true });
    setFailed(null);
    const result = await engine.ask('capture.choose', { id: session.id, area, way });
    if (result.ok) return;
    setFailed(result.error);
    attention.set({ isSubmitted: false });
  };
  const copyColour = async (at: Point): Promise<void> => {
    const colour = painter.current?.colourAt(at) ?? null;
    if (colour === null) return;
    setReference(colour);
    if (await clipboard.write(colour)) setCopied(colour);
  };
  const [controller] = useState<SelectionController>(() =>
    createSelectionController({
      session,
      display,
      attention,
      cancel: () => void engine.run('capture.cancel', {}),
      finish: (area, way) => void finish(area, way),
      copyColour: (at) => void copyColour(at),
      measure: (at) => painter.current?.measure(at) ?? null,
    }),
  );
  useEffect(() => controller.open(), [controller]);
  return { controller, painter, isBusy, failed, copied, reference, copyColour, forgetColour: () => setCopied(null) };
};

export const FrozenDisplay = (props: FrozenDisplayProps) => {
  const { session, display, screenshots, attention, shows } = props;
  const { engine, toasts } = useAppStores();
  const { t } = useLocale();
  const canPin = useApp(({ capabilities }) => capabilities.pins);
  const camera = useCameraChoice(session.purpose === 'recording' ? 'wanted' : 'unwanted');
  const { controller, painter, isBusy, failed, copied, reference, copyColour, forgetColour } = useSelection(props);
  const phase = useStore(controller.store, ({ gesture }) => gesture.phase);
  const isMeasuring = useStore(controller.store, ({ scene }) => scene.measure !== null);
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const how = useId();

  useEffect(() => {
    if (!root.current || !canvas.current) return;
    const newPainter = createPainter({ parts: partsIn(root.current), canvas: canvas.current, controller, display });
    painter.current = newPainter;
    let isGone = false;
    void screenshots.load(session, display.number).then((image) => {
      if (isGone) return;
      if (image === null) {
        toasts.show({ kind: 'failure', failure: READ_FAILURE });
        void engine.run('capture.cancel', {});
        return;
      }
      newPainter.paint(image, () => markCapture('painted', { id: session.id, display: display.number }));
      // WebKit refuses the focus to what it found hidden, until its layout is asked for.
      surface.current?.getBoundingClientRect();
      surface.current?.focus();
    });
    const stop = newPainter.open();
    return () => {
      isGone = true;
      stop();
    };
  }, [controller, display, engine, screenshots, painter, session, toasts]);

  useEffect(() => {
    if (reference !== null)
      painter.current?.compareWith({ colour: reference, words: (ratio) => contrastWords(ratio, t.overlay) });
  }, [painter, reference, t]);

  // When a focused button is removed with its bar or disabled, focus returns to the canvas.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two remove buttons
  useEffect(() => {
    const focused = document.activeElement;
    const isLost = focused === document.body || focused?.matches('[inert] *, :disabled') === true;
    if (isLost) surface.current?.focus();
  }, [phase, isBusy]);

  const handleOrder = (order: SelectionCommand): boolean => {
    if (isBusy) return true;
    if (order.order === 'finish' && order.way === 'pin' && !canPin) return false;
    if (attention.store.getState().display === display.number) return controller.handleOrder(order);
    attention.send(order);
    return true;
  };
  const pointing = usePointer(controller, painter, { handleOrder, copyColour });

  /** The arrow keys and Enter are then for what is measured, not for the button. */
  const toggleRuler = (): void => {
    handleOrder({ order: 'ruler' });
    surface.current?.focus();
  };

  const press = (event: KeyboardEvent): void => {
    // Keys must not reach the page below.
    event.stopPropagation();
    if (pointing.carry(event.key, 'down')) {
      event.preventDefault();
      return;
    }
    const order = selectionCommandOf(event.nativeEvent);
    const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
    if (order?.order === 'camera') {
      if (session.purpose === 'recording' && !isBusy) camera.next();
      return;
    }
    if (order === null || (isOnButton && ['enter', 'corner', 'window'].includes(order.order))) return;
    if (handleOrder(order)) event.preventDefault();
  };

  return (
    <div
      ref={root}
      className={styles.root}
      role="dialog"
      aria-modal="true"
      aria-label={t.overlay.title[session.purpose]}
      data-look={phase}
      onKeyDown={press}
      onKeyUp={({ key }) => pointing.carry(key, 'up')}
    >
      <canvas ref={canvas} className={styles.picture} aria-hidden />
      <p id={how} hidden>
        {t.overlay.how}
      </p>
      <div
        ref={surface}
        className={styles.surface}
        data-part="surface"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard draws on it
        tabIndex={0}
        aria-label={t.overlay.picture}
        aria-describedby={how}
        {...pointing.handlers}
      >
        <div className={styles.lineX} data-part="lineX" data-away />
        <div className={styles.lineY} data-part="lineY" data-away />
        <div className={styles.hole} data-part="hole">
          {HANDLES.map((handle) => (
            <span key={handle} className={styles.handle} data-handle={handle} />
          ))}
        </div>
        <div className={styles.size} data-part="size" data-away />
      </div>
      <Magnifier
        pixels={LENS_PIXELS}
        copied={copied}
        onCopy={() => handleOrder({ order: 'colour' })}
        onShown={forgetColour}
      />
      <div className={styles.action} data-part="bar" inert={phase !== 'chosen'}>
        <ActionBar session={session} isBusy={isBusy} failed={failed} camera={camera} onOrder={handleOrder} />
      </div>
      {phase === 'aiming' && (
        <HintBar
          session={session}
          display={display}
          shows={shows}
          isMeasuring={isMeasuring}
          camera={camera}
          onOrder={handleOrder}
          onRuler={toggleRuler}
        />
      )}
      {session.purpose === 'recording' && <CameraAnnouncer camera={camera} />}
      <Announcer controller={controller} painter={painter} copied={copied} reference={reference} />
    </div>
  );
};
