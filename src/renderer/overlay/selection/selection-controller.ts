/**
 * Controls the region selection on one display: applies the input of pointer and keyboard and sends the result to the
 * host. Also chooses the display that is shown first.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { unreachable } from '../../../api/errors.ts';
import type { Area, CaptureSessionIn, Display } from '../../../ipc/protocol/capture.ts';
import type { ActiveDisplay } from '../active-display.ts';
import { areaOf, cutTo, type Point } from './selection-geometry.ts';
import type { CaptureAction, SelectionCommand } from './selection-keys.ts';
import {
  advance,
  aimIn,
  beginGesture,
  type Gesture,
  IDLE,
  type SelectionAction,
  type SelectionScene,
} from './selection-state-machine.ts';

/** A session whose frozen desktop awaits a selection. */
export type ChoosingSession = CaptureSessionIn<'choosing'>;

const sceneOf = ({ windows, mode }: ChoosingSession, display: Display): Omit<SelectionScene, 'measure'> => ({
  display: areaOf(display),
  mode,
  windows: windows.flatMap(({ title, hasKeyboard, ...window }) => {
    const area = cutTo(window, display);
    return area ? [{ area, title, hasKeyboard }] : [];
  }),
});

/** The display shown first: the one with the focused window, otherwise the primary one. */
export const firstDisplay = ({ windows, displays }: ChoosingSession): number => {
  const window = windows.find(({ hasKeyboard }) => hasKeyboard);
  const sizeOn = (display: Display): number => {
    const area = window && cutTo(window, display);
    return area ? area.width * area.height : 0;
  };
  return displays.reduce((best, display) => (sizeOn(display) > sizeOn(best) ? display : best), displays[0] as Display)
    .number;
};

export interface SelectionState {
  readonly gesture: Gesture;
  readonly scene: SelectionScene;
}

export interface SelectionController {
  readonly store: StoreApi<SelectionState>;
  act(action: SelectionAction): void;
  /** Returns whether the order was handled. */
  handleOrder(order: SelectionCommand): boolean;
  /** Starts listening. Returns the unsubscribe function. */
  open(): () => void;
}

interface ControllerDeps {
  readonly session: ChoosingSession;
  readonly display: Display;
  readonly attention: ActiveDisplay;
  readonly cancel: () => void;
  readonly finish: (area: Area, way: CaptureAction) => void;
  readonly copyColour: (at: Point) => void;
  /** The box between the colour edges around a pixel; null before the image is loaded. */
  readonly measure: (at: Point) => Area | null;
}

export const createSelectionController = (deps: ControllerDeps): SelectionController => {
  const { session, display, attention, cancel, finish, copyColour, measure } = deps;
  const { number } = display;
  const plainScene = sceneOf(session, display);
  const withRuler = (isMeasuring: boolean): SelectionScene => ({
    ...plainScene,
    measure: isMeasuring ? measure : null,
  });
  const isMine = (): boolean => attention.store.getState().display === number;
  const begin = (scene: SelectionScene): Gesture => {
    const { initialSelection } = attention.store.getState();
    const gesture = beginGesture(scene);
    return initialSelection ? advance(gesture, { do: 'choose', area: initialSelection }, scene) : gesture;
  };
  const store = createStore<SelectionState>(() => {
    const scene = withRuler(attention.store.getState().isMeasuring);
    return { scene, gesture: isMine() ? begin(scene) : IDLE };
  });
  const now = (): Gesture => store.getState().gesture;

  const publishState = (): void => {
    if (isMine()) attention.set({ hasSelection: now().phase !== 'aiming', initialSelection: null });
  };
  const put = (gesture: Gesture): void => {
    if (gesture === now()) return;
    store.setState({ gesture });
    publishState();
  };

  const act = (action: SelectionAction): void => {
    if (attention.store.getState().isSubmitted) return;
    const takesAttention = action.do === 'press' || (action.do === 'point' && !attention.store.getState().hasSelection);
    if (takesAttention && !isMine())
      attention.set({ display: number, hasSelection: action.do === 'press', initialSelection: null });
    if (isMine()) put(advance(now(), action, store.getState().scene));
  };

  /** Without a target pixel the ruler begins in the middle, like the arrow keys. */
  const toggleRuler = (): void => {
    const { isMeasuring } = attention.store.getState();
    if (!isMeasuring && aimIn(now()) === null) act({ do: 'nudge', dx: 0, dy: 0 });
    attention.set({ isMeasuring: !isMeasuring });
  };

  const aimAtNext = (step: 1 | -1): boolean => {
    const { gesture, scene } = store.getState();
    if (gesture.phase !== 'aiming' || scene.measure !== null || scene.windows.length === 0) return false;
    const next = gesture.window === null ? (step === 1 ? 0 : -1) : gesture.window + step;
    const isThere = next >= 0 && next < scene.windows.length;
    act({ do: 'aim', window: isThere ? next : null });
    return isThere;
  };

  const chooseLast = (): void => {
    const { last, displays } = session;
    if (last === null) return;
    const there = displays.find((known) => cutTo(last, known) !== null);
    if (there === undefined) return;
    if (there.number === number) act({ do: 'choose', area: last });
    else attention.set({ display: there.number, hasSelection: true, initialSelection: last });
  };

  const handleOrder = (order: SelectionCommand): boolean => {
    if (attention.store.getState().isSubmitted) return true;
    const gesture = now();
    switch (order.order) {
      case 'nudge':
      case 'stretch':
        act({ do: order.order, dx: order.dx, dy: order.dy });
        return true;
      case 'window':
        return aimAtNext(order.step);
      case 'screen':
        if (
          order.number !== attention.store.getState().display &&
          session.displays.some((known) => known.number === order.number)
        )
          attention.set({ display: order.number, hasSelection: false, initialSelection: null });
        return true;
      case 'corner':
        act({ do: 'corner' });
        return true;
      case 'enter':
        if (gesture.phase === 'chosen') finish(gesture.area, null);
        else act({ do: 'take' });
        return true;
      case 'back':
        if (gesture.phase !== 'aiming') act({ do: 'back' });
        else if (attention.store.getState().isMeasuring) toggleRuler();
        else cancel();
        return true;
      case 'cancel':
        cancel();
        return true;
      case 'colour': {
        const at = aimIn(gesture);
        if (at) copyColour(at);
        return true;
      }
      case 'ruler':
        if (gesture.phase === 'aiming') toggleRuler();
        return true;
      case 'last':
        chooseLast();
        return true;
      case 'whole':
        act({ do: 'choose', area: plainScene.display });
        return true;
      case 'finish':
        if (gesture.phase === 'chosen' && session.purpose === 'picture') finish(gesture.area, order.way);
        return true;
      default:
        return unreachable(order);
    }
  };

  return {
    store,
    act,
    handleOrder,
    open: () => {
      const stops = [
        attention.store.subscribe((state, before) => {
          if (state.isMeasuring !== before.isMeasuring) store.setState({ scene: withRuler(state.isMeasuring) });
          if (state.display === before.display) return;
          if (state.display !== number) put(IDLE);
          else if (plainScene.mode === 'screen' || state.initialSelection) put(begin(store.getState().scene));
        }),
        attention.onOrder((to, order) => {
          if (to === number) handleOrder(order);
        }),
      ];
      publishState();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
};
