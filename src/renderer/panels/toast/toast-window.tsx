/** The capture toasts in their own window, which also shows the errors of their actions. */

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
