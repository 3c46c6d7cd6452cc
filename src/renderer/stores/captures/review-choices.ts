/**
 * Store of what the user has chosen for the recording in review. The choices stay while it waits, even if another screen
 * is shown, and are dropped when it is published or discarded.
 */

import { createStore } from 'zustand/vanilla';
import type { RecordingId } from '../../../api/ids.ts';
import type { AnimationOptions } from '../../../ipc/protocol/animation.ts';
import type { CaptureDraft } from '../../../ipc/protocol/drawing.ts';
import type { EngineStore } from '../engine-store.ts';

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
}

const NOTHING: ReviewState = { id: null, chosen: {} };

export const createReviewChoices = ({ engine }: { readonly engine: EngineStore }) => {
  const store = createStore<ReviewState>(() => NOTHING);
  engine.store.subscribe(({ app }) => {
    const { id } = store.getState();
    if (id !== null && app?.recording?.id !== id) store.setState(NOTHING);
  });
  return {
    store,
    choose: (id: RecordingId, change: Partial<ReviewChoices>): void =>
      store.setState((before) => ({ id, chosen: { ...(before.id === id && before.chosen), ...change } })),
  };
};

export type ReviewChoicesStore = ReturnType<typeof createReviewChoices>;
