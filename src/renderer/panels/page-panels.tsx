/** Messages, notices and the recorder's bar over the page; where the host has windows for them, only the messages. */

import { Toasts } from '../app/toasts.tsx';
import { useApp, usePage } from '../stores/use-page.tsx';
import styles from './page-panels.module.css';
import { RecorderBar } from './recorder-bar/recorder-bar.tsx';
import { ToastStack } from './toast/toast-stack.tsx';

export const PagePanels = () => {
  const { view } = usePage();
  const byHost = useApp(({ capabilities }) => capabilities.panels);
  if (byHost) return <Toasts>{null}</Toasts>;
  return (
    <>
      <div className={styles.top} data-page-bar>
        <RecorderBar />
      </div>
      <Toasts>
        <ToastStack openApp={(where) => (where === 'connect' ? view.connect() : view.show('home'))} />
      </Toasts>
    </>
  );
};
