/** The notices in a window of their own. What could not be done from here is told here too. */

import { Message } from '../../app/toaster.tsx';
import { useAppStores, useToasts } from '../../stores/use-app-stores.tsx';
import { PanelBody } from '../panel-page.tsx';
import { ToastStack, useCaptureToasts } from './toast-stack.tsx';

export const ToastWindow = () => {
  const { engine } = useAppStores();
  const failures = useToasts().filter(({ note }) => note.kind === 'failure');
  const { items, kept } = useCaptureToasts();
  const isEmpty = items.length + kept.length + failures.length === 0;
  return (
    <PanelBody panel="toast" isEmpty={isEmpty}>
      {failures.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
      <ToastStack openApp={() => void engine.run('app.show', {})} />
    </PanelBody>
  );
};
