/**
 * The title of the window says how far the work is, or that something needs the person, so that the task bar shows it; while
 * nothing is to be said of the work, what the page shows.
 */

import { useEffect } from 'react';
import { unreachable } from '../../api/errors.ts';
import { useLocale } from '../locales/locale.tsx';
import { titleOf } from '../screens/library/library-item.ts';
import { needsUser } from '../stores/queue/item-view.ts';
import { useApp, useFolders, useOpened, useProgress, useShown } from '../stores/use-app-stores.tsx';
import { useIsCovered } from './page-overlay.tsx';

/** What the heading of the shown screen says; null at home. */
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
    // A tab in the background calls the person to the frozen screen.
    if (isCovered && capture?.state === 'choosing') return `${t.overlay.title[capture.purpose]} – ${t.app.name}`;
    if (recording?.state === 'recording') return `● ${t.panels.bar.title} – ${t.app.name}`;
    if (recording?.state === 'paused') return `❚❚ ${t.panels.bar.titlePaused} – ${t.app.name}`;
    if (progress === null) {
      const stuck = queue.items.filter(needsUser).length;
      const said = stuck === 0 ? screen : t.status.title(stuck);
      return said === null ? t.app.name : `${said} – ${t.app.name}`;
    }
    return `${t.app.titleProgress(format.percent(progress.fraction), progress.left)} – ${t.app.name}`;
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
};
