/**
 * Shows message toasts, capture toasts and the recorder bar over the page. If the host shows the last two in windows of
 * their own, shows only message toasts.
 */

import { useEffect } from 'react';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import styles from './in-page-panels.module.css';
import { Toasts } from './message-toasts.tsx';
import { RecorderBar, runningTask } from './recorder-bar/recorder-bar.tsx';
import { ToastStack } from './toast/toast-stack.tsx';

/** Whether the recorder bar covers this page now. */
export const useHasBar = (): boolean => useApp((app) => !app.capabilities.panels && runningTask(app) !== null);

export const InPagePanels = () => {
  const { pictureText, view } = useAppStores();
  const byHost = useApp(({ capabilities }) => capabilities.panels);
  useEffect(() => (byHost ? undefined : pictureText.follow()), [byHost, pictureText]);
  if (byHost) return <Toasts>{null}</Toasts>;
  return (
    <>
      <div className={styles.top}>
        <RecorderBar />
      </div>
      <Toasts>
        <ToastStack openApp={(where) => (where === 'connect' ? view.connect() : view.show('home'))} />
      </Toasts>
    </>
  );
};
