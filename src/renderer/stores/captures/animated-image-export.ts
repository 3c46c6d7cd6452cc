/**
 * Store that makes an animated image of the recording in review: predicts its size, saves or publishes it, reports the
 * progress, and cancels on request.
 */
import { createStore } from 'zustand/vanilla';
import type { ShareFields } from '../../../api/content.ts';
import type { Failure, Result } from '../../../api/errors.ts';
import type { RecordingId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { AnimationOptions, MadeAnimation } from '../../../ipc/protocol/animation.ts';
import type { EngineStore } from '../engine-store.ts';
import type { Toasts } from '../messages/toasts.ts';
import type { ReviewChoicesStore } from './review-choices.ts';

interface AnimatedImageState {
  /** Null: not known yet. */
  readonly predicted: MadeAnimation | null;
  /** Why it cannot be made. */
  readonly failure: Failure | null;
  /** How much of it is made, from 0 to 1; null: nothing is being made. Only the end of the work makes it null. */
  readonly part: number | null;
  readonly savedTo: string | null;
}

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly review: Pick<ReviewChoicesStore, 'whilePublishing'>;
}

const NOTHING: AnimatedImageState = { predicted: null, failure: null, part: null, savedTo: null };
/** Between a choice and its prediction, which encodes samples. */
const QUIET_MS = 400;

export const createAnimatedImage = ({ transport, engine, toasts, review }: Deps) => {
  const store = createStore<AnimatedImageState>(() => NOTHING);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whose choices are shown, and what asks for their prediction; null: none are. */
  let newest: { readonly id: RecordingId; readonly predict: () => Promise<void> } | null = null;

  transport.on((event) => {
    if (event.type === 'animating' && store.getState().part !== null) store.setState({ part: event.part });
  });

  const make = async <T>(id: RecordingId, ask: () => Promise<Result<T>>, done: (value: T) => void): Promise<void> => {
    clearTimeout(timer);
    store.setState({ part: 0, failure: null, savedTo: null });
    const asked = await ask();
    store.setState({ part: null });
    const isShown = newest?.id === id;
    if (!asked.ok && asked.error.code === 'CAPTURE_GONE') {
      // Its review closes.
      toasts.show({ kind: 'failure', failure: asked.error });
      if (isShown) return;
    }
    if (isShown && asked.ok) done(asked.value);
    else if (isShown && !asked.ok && asked.error.code !== 'CANCELLED') store.setState({ failure: asked.error });
    // The prediction had not arrived when this began.
    else if (store.getState().predicted === null) await newest?.predict();
  };

  return {
    store,
    /** Once the choices have rested for a moment; an older prediction is dropped. */
    predict(id: RecordingId, options: AnimationOptions): void {
      clearTimeout(timer);
      store.setState({ predicted: null, failure: null, savedTo: null });
      const predict = async (): Promise<void> => {
        const asked = await engine.ask('animation.predict', { id, options });
        if (newest !== own || store.getState().part !== null) return;
        if (asked.ok) store.setState({ predicted: asked.value });
        else if (asked.error.code !== 'CANCELLED') store.setState({ failure: asked.error });
      };
      const own = { id, predict };
      newest = own;
      timer = setTimeout(() => void predict(), QUIET_MS);
    },
    save: (id: RecordingId, options: AnimationOptions): Promise<void> =>
      make(
        id,
        () => engine.ask('animation.save', { id, options }),
        ({ savedTo }) => store.setState({ savedTo }),
      ),
    publish: (id: RecordingId, options: AnimationOptions, share: ShareFields): Promise<void> =>
      make(
        id,
        () => review.whilePublishing(id, () => engine.ask('animation.publish', { id, options, share })),
        () => {},
      ),
    stop: () => void engine.ask('animation.stop', {}),
    /** The review ends, or shows something else. What is being made continues, and counts as such. */
    forget(): void {
      newest = null;
      clearTimeout(timer);
      store.setState(({ part }) => ({ ...NOTHING, part }));
    },
  };
};
export type AnimatedImage = ReturnType<typeof createAnimatedImage>;
