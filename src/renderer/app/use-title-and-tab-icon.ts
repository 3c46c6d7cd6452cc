/**
 * Hooks for the title and the tab icon of the page. The title shows the current screen, the number of items that need
 * the user, a region selection, a recording or the progress of the queue; the icon shows the progress, or a mark while
 * an item needs the user.
 */
import { useEffect, useRef } from 'react';
import { unreachable } from '../../api/errors.ts';
import { LOGO, logoSvg } from '../../common/design/logo.ts';
import { useLocale } from '../locales/locale.tsx';
import { titleOf } from '../stores/published/item-title.ts';
import { needsUser } from '../stores/queue/item-view.ts';
import { useApp, useOpened, usePendingFolders, useProgress, useShown } from '../stores/use-app-stores.tsx';
import { useIsCovered } from './in-page-capture-overlay.tsx';

/** The heading of the current screen; null on the home screen. */
const useScreenTitle = (): string | null => {
  const { t } = useLocale();
  const shown = useShown();
  const { item } = useOpened();
  const folders = usePendingFolders();
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
      const parts = stuck === 0 ? screen : t.app.titleAttention(stuck);
      return parts === null ? t.app.name : `${parts} – ${t.app.name}`;
    }
    return `${t.app.titleProgress(format.percent(progress.fraction), progress.left)} – ${t.app.name}`;
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
};

// Draws the page's tab icon: the logo with a progress ring, or with a mark while the user is needed. Pure.

/** `part` is in [0, 1]. */
type TabIcon = { readonly shows: 'part'; readonly part: number } | { readonly shows: 'mark' };

/** Both are visible on light and dark tabs, because they are drawn on the logo's own background. */
const RING = '#ffd166';
const MARK = '#ff5a52';
const MIDDLE = LOGO.side / 2;
const RADIUS = MIDDLE - 3;
const STROKE = 6;

/** An arc around the logo, clockwise from the top. */
const ring = (part: number): string => {
  const around = 2 * Math.PI * RADIUS;
  const circle = `cx="${MIDDLE}" cy="${MIDDLE}" r="${RADIUS}" fill="none" stroke-width="${STROKE}"`;
  return `<circle ${circle} stroke="${LOGO.ink}" stroke-opacity=".35"/><circle ${circle} stroke="${RING}" stroke-dasharray="${(around * part).toFixed(2)} ${around.toFixed(2)}" transform="rotate(-90 ${MIDDLE} ${MIDDLE})"/>`;
};

const mark = `<circle cx="24" cy="8" r="8" fill="${MARK}" stroke="${LOGO.ink}" stroke-width="2"/>`;

/** As a data URL, which the hosts' content security policy allows for images. */
const tabIconUrl = (icon: TabIcon): string => {
  const drawn = icon.shows === 'part' ? ring(icon.part) : mark;
  return `data:image/svg+xml,${encodeURIComponent(logoSvg(LOGO.side).replace('</svg>', `${drawn}</svg>`))}`;
};

/** Finer than a tab can show, but few enough redraws for the browser. */
const STEPS = 50;
/** Steps with reduced motion. */
const CALM_STEPS = 4;

const useIsCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Shows progress in the tab icon, for tabs too narrow for a title. */
export const useTabIcon = (): void => {
  const progress = useProgress();
  const isStuck = useApp(({ queue }) => queue.items.some(needsUser));
  const steps = useIsCalm() ? CALM_STEPS : STEPS;
  const part = progress && Math.floor(progress.fraction * steps) / steps;
  const address = part !== null ? tabIconUrl({ shows: 'part', part }) : isStuck ? tabIconUrl({ shows: 'mark' }) : null;
  const link = useRef<{ readonly element: HTMLLinkElement; readonly plain: string }>(null);

  useEffect(() => {
    const element = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (element === null) return;
    const plain = element.href;
    link.current = { element, plain };
    return () => {
      element.href = plain;
    };
  }, []);
  useEffect(() => {
    if (link.current) link.current.element.href = address ?? link.current.plain;
  }, [address]);
};
