/**
 * Shows the editor instead of the window while the user edits a capture. After the user has left the editor, a banner
 * leads back to it. The editor's code loads on demand.
 */

import { Pencil } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useStore } from 'zustand';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/buttons/button.tsx';
import { useLocale } from '../locales/locale.tsx';
import { InPagePanels } from '../panels/in-page-panels.tsx';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import { HostUnreachableBanner } from './banners.tsx';
import styles from './lazy-editor.module.css';

const Editor = lazy(() => import('../editor/editor.tsx'));

const useWaiting = () => {
  const { editing } = useAppStores();
  const capture = useApp((app) => (app.capture?.state === 'editing' ? app.capture : null));
  const aside = useStore(editing.store, (state) => state.aside);
  return { capture, isAside: capture !== null && capture.id === aside };
};

/** Whether the editor replaces the window's content. */
export const useIsEditing = (): boolean => {
  const { capture, isAside } = useWaiting();
  return capture !== null && !isAside;
};

export const LazyEditor = ({ children }: { readonly children: ReactNode }) => {
  const { t } = useLocale();
  const { editing } = useAppStores();
  const { capture, isAside } = useWaiting();
  const attempt = useStore(editing.store, (state) => state.attempt);
  if (capture === null || isAside) return children;
  return (
    <Suspense
      fallback={
        <main className={styles.opening}>
          <p role="status">{t.editor.opening}</p>
        </main>
      }
    >
      <Editor key={`${capture.id} ${attempt}`} capture={capture}>
        <HostUnreachableBanner />
      </Editor>
      <div className={styles.notes}>
        <InPagePanels />
      </div>
    </Suspense>
  );
};

/** Leads back to a capture that was left in the editor. */
export const EditorBanner = () => {
  const { editing } = useAppStores();
  const { t } = useLocale();
  const { capture, isAside } = useWaiting();
  if (capture === null || !isAside) return null;
  return (
    <Alert tone="plain" title={t.editor.waits(capture.name)} sentences={[t.editor.waitsHint]}>
      <Button tone="primary" icon={Pencil} onPress={() => editing.resume()}>
        {t.editor.goOn}
      </Button>
    </Alert>
  );
};
