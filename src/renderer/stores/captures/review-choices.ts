/**
 * Store of what the user has chosen for the recording in review, of why it could not be published, and whether it is being
 * published. What was chosen and the failure stay while it waits or is trimmed, even if another screen is shown, and are
 * dropped when it is published or discarded.
 */

import { createStore } from 'zustand/vanilla';
import type { ShareFields } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { RecordingId } from '../../../api/ids.ts';
import type { AnimationOptions } from '../../../ipc/protocol/animation.ts';
import type { CaptureDraft } from '../../../ipc/protocol/drawing.ts';
import type { TrimRange } from '../../../ipc/protocol/recording.ts';
import type { EngineStore } from '../engine-store.ts';
import type { Toasts } from '../messages/toasts.ts';

/** What is published: a video, a short silent clip, or an animated image. */
export type RecordingForm = 'video' | 'loop' | 'animation';

/** What the user chooses for an animated image beside the range. */
export type AnimationChoice = Pick<AnimationOptions, 'format' | 'fps' | 'width' | 'plays'>;

export interface ReviewChoices {
  /** Milliseconds from the beginning. */
  readonly range: { readonly startMs: number; readonly endMs: number };
  readonly form: RecordingForm;
  readonly animation: AnimationChoice;
  readonly title: string;
  /** Only values that differ from the settings. */
  readonly link: CaptureDraft['share'];
}

interface ReviewState {
  /** The recording that was chosen for; null: nothing is chosen. */
  readonly id: RecordingId | null;
  readonly chosen: Partial<ReviewChoices>;
  /** Of the last attempt to publish it. */
  readonly failure: Failure | null;
}

interface Deps {
  readonly engine: EngineStore;
  readonly toasts: Toasts;
}

interface PublishingState {
  /** Null: no recording is being published. */
  readonly id: RecordingId | null;
}

const NOTHING: ReviewState = { id: null, chosen: {}, failure: null };

export const createReviewChoices = ({ engine, toasts }: Deps) => {
  const store = createStore<ReviewState>(() => NOTHING);
  engine.store.subscribe(({ app }) => {
    const { id } = store.getState();
    if (id !== null && app?.recording?.id !== id) store.setState(NOTHING);
  });
  const publishing = createStore<PublishingState>(() => ({ id: null }));
  const update = (id: RecordingId, change: (before: ReviewState) => Partial<ReviewState>): void =>
    store.setState((before) => {
      const own = before.id === id ? before : { ...NOTHING, id };
      return { ...own, ...change(own) };
    });
  /** While `publish` runs, a choice for the link has no effect any more. */
  const whilePublishing = async <T>(id: RecordingId, publish: () => Promise<T>): Promise<T> => {
    publishing.setState({ id });
    try {
      return await publish();
    } finally {
      publishing.setState({ id: null });
    }
  };
  return {
    store,
    publishing,
    choose: (id: RecordingId, change: Partial<ReviewChoices>): void =>
      update(id, ({ chosen }) => ({ chosen: { ...chosen, ...change } })),
    whilePublishing,
    async publish(id: RecordingId, cut: TrimRange, share: ShareFields): Promise<void> {
      update(id, () => ({ failure: null }));
      const asked = await whilePublishing(id, () => engine.ask('recording.publish', { id, cut, share }));
      if (asked.ok) return;
      const isInReview = asked.error.code !== 'CAPTURE_GONE' && engine.store.getState().app?.recording?.id === id;
      if (isInReview) update(id, () => ({ failure: asked.error }));
      else toasts.show({ kind: 'failure', failure: asked.error });
    },
  };
};

export type ReviewChoicesStore = ReturnType<typeof createReviewChoices>;
