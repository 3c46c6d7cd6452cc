/**
 * The app window: sidebar, banners, the current screen and the window's shortcuts. The editor replaces it; the command
 * palette and the region selection of a screenshot appear above it.
 */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { unreachable } from '../../api/errors.ts';
import { cx } from '../design/class-names.ts';
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx';
import { ScreenErrorFallback } from '../error-boundary/error-fallbacks.tsx';
import { FileInputProvider, useFileInput } from '../file-input/file-input.tsx';
import { useUnloadWarning } from '../file-input/use-unload-warning.ts';
import { focusedElement } from '../keyboard/focused-element.ts';
import { isCommandKey, isCtrlOrCommand, isInDialog, isLetter, isTyping } from '../keyboard/key-events.ts';
import { useLocale } from '../locales/locale.tsx';
import { InPagePanels, useHasBar } from '../panels/in-page-panels.tsx';
import { FolderScreen } from '../screens/folder/folder-screen.tsx';
import { HomeScreen } from '../screens/home/home-screen.tsx';
import { ItemScreen } from '../screens/item/item-screen.tsx';
import { LibraryScreen } from '../screens/library/library-screen.tsx';
import { NoteScreen } from '../screens/note/note-screen.tsx';
import { ReviewScreen } from '../screens/review/review-screen.tsx';
import { SettingsScreen } from '../screens/settings/settings-screen.tsx';
import { addressOf, type Screen, type Shown } from '../stores/router-store.ts';
import { useAppStores, useShown, useSnapshot } from '../stores/use-app-stores.tsx';
import styles from './app.module.css';
import { ConnectionBanner, HostUnreachableBanner, Notices, ReviewBanner } from './banners.tsx';
import { InPageCaptureOverlay, useIsCovered } from './in-page-capture-overlay.tsx';
import { LazyBarcodesDialog } from './lazy-barcodes-dialog.tsx';
import { EditorBanner, LazyEditor } from './lazy-editor.tsx';
import { LazyPalette } from './lazy-palette.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { Sidebar } from './sidebar.tsx';
import { useHeldHeight } from './use-held-height.ts';
import { useRecordingReview } from './use-recording-review.ts';
import { useDocumentTitle, useTabIcon } from './use-title-and-tab-icon.ts';

/** Refreshes limits, plan and storage when a window gets focus and the values are some minutes old. */
const useAccountRefresh = (): void => {
  const { engine } = useAppStores();
  useEffect(() => {
    // Failures are ignored: the connection's state shows them.
    const freshen = (): void => void engine.ask('connection.freshen', {});
    window.addEventListener('focus', freshen);
    return () => window.removeEventListener('focus', freshen);
  }, [engine]);
};

/** Window shortcuts. `/` and Alt+N are ignored in fields and dialogs. */
const useShortcuts = (): void => {
  const { view } = useAppStores();
  const { choose } = useFileInput();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = isCommandKey(event);
      if (!command && isCtrlOrCommand(event)) return;
      // With Alt, a Mac types letters.
      const isElsewhere = !command && (isTyping(event.target) || isInDialog(event.target));
      if (command && !event.shiftKey && !event.altKey && isLetter(event, 'o')) {
        event.preventDefault();
        choose();
      } else if (command !== event.altKey && !event.shiftKey && !isElsewhere && isLetter(event, 'n')) {
        event.preventDefault();
        view.open({ screen: 'note', id: null });
      } else if (!command && !event.altKey && !isElsewhere && event.key === '/') {
        event.preventDefault();
        view.search();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [choose, view]);
};

/**
 * A field that is saved on blur gets no such event when it is unmounted with the focus. Runs before another screen, or
 * the editor, is rendered.
 */
const useBlurBeforeLeaving = (main: RefObject<HTMLElement | null>): void => {
  const { editing, engine, view } = useAppStores();
  useEffect(() => {
    const blur = (): void => {
      const focused = focusedElement(document);
      if (isTyping(focused) && main.current?.contains(focused)) focused?.blur();
    };
    const stops = [
      view.store.subscribe(({ shown }, before) => {
        if (addressOf(shown) !== addressOf(before.shown)) blur();
      }),
      engine.store.subscribe(() => {
        if (editing.isOpen()) blur();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [main, editing, engine, view]);
};

const Current = ({ shown }: { readonly shown: Shown }): ReactNode => {
  switch (shown.screen) {
    case 'home':
      return <HomeScreen />;
    case 'library':
      return <LibraryScreen />;
    case 'settings':
      return <SettingsScreen />;
    case 'review':
      return <ReviewScreen />;
    case 'item':
      return <ItemScreen key={shown.id} id={shown.id} />;
    case 'note':
      return <NoteScreen key={shown.id} id={shown.id} />;
    case 'folder':
      return <FolderScreen key={shown.token} token={shown.token} />;
    default:
      return unreachable(shown);
  }
};

/** Screens laid out as one column; the others place many small cards side by side. */
const COLUMNS: ReadonlySet<Screen> = new Set(['home', 'review']);

export const App = () => {
  const { ready } = useSnapshot();
  return (
    <FileInputProvider>
      {ready ? (
        <>
          <UnloadWarning />
          <LazyEditor>
            <Window />
          </LazyEditor>
          <LazyPalette />
          <LazyBarcodesDialog />
        </>
      ) : (
        <LoadingScreen />
      )}
    </FileInputProvider>
  );
};

const UnloadWarning = (): null => {
  useUnloadWarning();
  return null;
};

const Window = () => {
  const { t } = useLocale();
  const shown = useShown();
  const main = useRef<HTMLElement>(null);
  const banners = useHeldHeight<HTMLDivElement>();
  const isCovered = useIsCovered();
  const hasBar = useHasBar();
  useShortcuts();
  useAccountRefresh();
  useDocumentTitle();
  useTabIcon();
  useRecordingReview();
  useBlurBeforeLeaving(main);

  // Runs before a screen moves focus to one of its parts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every screen starts scrolled to the top
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [shown]);

  return (
    <>
      <div className={styles.window} inert={isCovered}>
        <button type="button" className={cx(styles.skip)} onClick={() => main.current?.focus()}>
          {t.app.skipToContent}
        </button>
        <Sidebar />
        <main ref={main} id="content" className={cx(styles.main, hasBar && styles.underBar)} tabIndex={-1}>
          <div className={cx(styles.content, !COLUMNS.has(shown.screen) && styles.wide)}>
            <div className={styles.screen}>
              <div ref={banners} className={styles.banners}>
                <HostUnreachableBanner />
                <Notices />
                <ConnectionBanner />
                <ReviewBanner />
                <EditorBanner />
              </div>
              {/* Keyed by screen: leaving a broken screen resets its error boundary. */}
              <ErrorBoundary key={addressOf(shown)} fallback={ScreenErrorFallback}>
                <Current shown={shown} />
              </ErrorBoundary>
            </div>
          </div>
        </main>
        <InPagePanels />
      </div>
      <InPageCaptureOverlay />
    </>
  );
};
