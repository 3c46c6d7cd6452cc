/**
 * Hooks for a recording that waits for review: one returns it, the other opens the review screen once there is one and
 * leaves the screen when there is none.
 */

import { useEffect } from 'react';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';

export const useRecordingToReview = () => useApp(({ recording }) => (recording?.state === 'review' ? recording : null));

/** Shows the review screen when a recording becomes pending and leaves it when none is. */
export const useRecordingReview = (): void => {
  const { view } = useAppStores();
  const id = useRecordingToReview()?.id ?? null;
  useEffect(() => {
    if (id !== null) view.show('review');
    else if (view.store.getState().shown.screen === 'review') view.show('home');
  }, [id, view]);
};
