/** Opens the review screen once when a recording needs a decision, and shows a banner leading to it everywhere else. */

import { Film } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../components/buttons/button.tsx';
import { Advice } from '../components/overlays/advice.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useApp, useAppStores, useScreen } from '../stores/use-app-stores.tsx';

const useWaiting = () => useApp(({ recording }) => (recording?.state === 'review' ? recording : null));

/** Shows the review screen when a recording becomes pending and leaves it when none is. */
export const useReview = (): void => {
  const { view } = useAppStores();
  const id = useWaiting()?.id ?? null;
  useEffect(() => {
    if (id !== null) view.show('review');
    else if (view.store.getState().shown.screen === 'review') view.show('home');
  }, [id, view]);
};

export const ReviewBanner = () => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const waiting = useWaiting();
  const screen = useScreen();
  if (waiting === null || screen === 'review') return null;
  return (
    <Advice tone="plain" title={t.recording.waits(waiting.name)} sentences={[]}>
      <Button tone="primary" icon={Film} onPress={() => view.show('review')}>
        {t.recording.look}
      </Button>
    </Advice>
  );
};
