/** The title of the window says how far the work is, or that something needs the person, so that the task bar shows it. */

import { useEffect } from 'react';
import { useLocale } from '../locales/locale.tsx';
import { needsPerson } from '../stores/item-view.ts';
import { useApp, useProgress } from '../stores/use-page.tsx';
import { useIsCovered } from './page-overlay.tsx';

export const useDocumentTitle = (): void => {
  const { t, format } = useLocale();
  const isCovered = useIsCovered();
  const progress = useProgress();
  const title = useApp(({ queue, recording, capture }) => {
    // A tab in the background calls the person to the frozen screen.
    if (isCovered && capture?.state === 'choosing') return `${t.overlay.title[capture.purpose]} – ${t.app.name}`;
    if (recording?.state === 'recording') return `● ${t.panels.bar.title} – ${t.app.name}`;
    if (recording?.state === 'paused') return `❚❚ ${t.panels.bar.titlePaused} – ${t.app.name}`;
    if (progress === null) {
      const stuck = queue.items.filter(needsPerson).length;
      return stuck === 0 ? t.app.name : `${t.status.title(stuck)} – ${t.app.name}`;
    }
    return `${t.app.titleProgress(format.percent(progress.fraction), progress.left)} – ${t.app.name}`;
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
};
