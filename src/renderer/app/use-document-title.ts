/**
 * Document title: overall progress or a call for attention, so that the task bar shows it; otherwise the screen's
 * heading.
 */

import { useEffect } from 'react';
import { unreachable } from '../../api/errors.ts';
import { useLocale } from '../locales/locale.tsx';
import { titleOf } from '../screens/library/library-item.ts';
import { needsUser } from '../stores/queue/item-view.ts';
import { useApp, useFolders, useOpened, useProgress, useShown } from '../stores/use-app-stores.tsx';
import { useIsCovered } from './page-overlay.tsx';

/** The heading of the current screen; null on the home screen. */
const useScreenTitle = (): string | null => {
  const { t } = useLocale();
  const shown = useShown();
  const { item } = useOpened();
  const folders = useFolders();
  switch (shown.screen) {
    case 'home':
      return null;
    case 'library':
      return t.library.title;
    case 'settings':
      return t.settings.title;
    case 'review':
      return t.recording.review.title;
    case 'item':
      return item?.id === shown.id ? titleOf(item) : t.library.title;
    case 'note':
      return shown.id === null ? t.note.newTitle : t.note.editTitle;
    case 'folder':
      return folders.find(({ token }) => token === shown.token)?.name ?? t.folder.screen;
    default:
      return unreachable(shown);
  }
};

export const useDocumentTitle = (): void => {
  const { t, format } = useLocale();
  const isCovered = useIsCovered();
  const progress = useProgress();
  const screen = useScreenTitle();
  const title = useApp(({ queue, recording, capture }) => {
    // A tab in the background points the user to the frozen screen.
    if (isCovered && capture?.state === 'choosing') return `${t.overlay.title[capture.purpose]} – ${t.app.name}`;
    if (recording?.state === 'recording') return `● ${t.panels.bar.title} – ${t.app.name}`;
    if (recording?.state === 'paused') return `❚❚ ${t.panels.bar.titlePaused} – ${t.app.name}`;
    if (progress === null) {
      const stuck = queue.items.filter(needsUser).length;
      const parts = stuck === 0 ? screen : t.status.title(stuck);
      return parts === null ? t.app.name : `${parts} – ${t.app.name}`;
    }
    return `${t.app.titleProgress(format.percent(progress.fraction), progress.left)} – ${t.app.name}`;
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
};
