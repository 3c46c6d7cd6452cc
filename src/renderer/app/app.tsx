/** The window: navigation, what must be known everywhere, and the chosen screen. */

import { useEffect, useLayoutEffect, useRef } from 'react';
import { cx } from '../design/cx.ts';
import { EditorBanner, EditorDoor } from '../editor/editor-door.tsx';
import { HandsProvider } from '../hands/hands.tsx';
import { useLocale } from '../locales/locale.tsx';
import { PaletteDoor } from '../palette/palette-door.tsx';
import { PagePanels } from '../panels/page-panels.tsx';
import { HomeScreen } from '../screens/home/home-screen.tsx';
import { LibraryScreen } from '../screens/library/library-screen.tsx';
import { ReviewScreen } from '../screens/review/review-screen.tsx';
import { SettingsScreen } from '../screens/settings/settings-screen.tsx';
import { usePage, useScreen, useSnapshot } from '../stores/use-page.tsx';
import type { Screen } from '../stores/view.ts';
import styles from './app.module.css';
import { ConnectionBanner, LinkBanner } from './connection-banner.tsx';
import { useShortcuts } from './keyboard.ts';
import { Notices } from './notices.tsx';
import { PageOverlay, useIsCovered } from './page-overlay.tsx';
import { ReviewBanner, useReview } from './review-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { Starting } from './starting.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useFreshness } from './use-freshness.ts';

const SCREENS: Record<Screen, () => React.ReactNode> = {
  home: HomeScreen,
  library: LibraryScreen,
  settings: SettingsScreen,
  review: ReviewScreen,
};

export const App = () => {
  const { engine } = usePage();
  const { ready } = useSnapshot();
  useEffect(() => {
    void engine.start();
  }, [engine]);
  return (
    <HandsProvider>
      {ready ? (
        <>
          <EditorDoor>
            <Window />
          </EditorDoor>
          <PaletteDoor />
        </>
      ) : (
        <Starting />
      )}
    </HandsProvider>
  );
};

const Window = () => {
  const { t } = useLocale();
  const screen = useScreen();
  const main = useRef<HTMLElement>(null);
  const Current = SCREENS[screen];
  const isCovered = useIsCovered();
  useShortcuts();
  useFreshness();
  useDocumentTitle();
  useReview();

  // Before a screen leads to one of its parts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen begins at its top
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [screen]);

  return (
    <>
      <div className={styles.window} inert={isCovered}>
        <button type="button" className={cx(styles.skip)} onClick={() => main.current?.focus()}>
          {t.app.skipToContent}
        </button>
        <Sidebar />
        <main ref={main} id="content" className={styles.main} tabIndex={-1}>
          <div className={styles.content}>
            <div className={styles.screen}>
              <LinkBanner />
              <Notices />
              <ConnectionBanner />
              <ReviewBanner />
              <EditorBanner />
              <Current />
            </div>
          </div>
        </main>
        <PagePanels />
      </div>
      <PageOverlay />
    </>
  );
};
