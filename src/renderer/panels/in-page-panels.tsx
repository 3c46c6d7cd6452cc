/** Toasts and the recorder bar over the page. Where the host has windows for them, only the messages are shown. */

import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import styles from './in-page-panels.module.css';
import { RecorderBar } from './recorder-bar/recorder-bar.tsx';
import { runningTask } from './recorder-bar/running-tasks.ts';
import { ToastStack } from './toast/toast-stack.tsx';
import { Toasts } from './toaster.tsx';

/** Whether the recorder bar covers this page now. */
export const useHasBar = (): boolean => useApp((app) => !app.capabilities.panels && runningTask(app) !== null);

export const PagePanels = () => {
  const { view } = useAppStores();
  const byHost = useApp(({ capabilities }) => capabilities.panels);
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
