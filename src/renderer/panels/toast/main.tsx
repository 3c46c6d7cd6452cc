/** Entry point of the capture toasts' window. */

import { useAppStores, useToasts } from '../../stores/use-app-stores.tsx';
import { PanelBody } from '../panel-page.tsx';
import { Message } from '../toaster.tsx';
import { ToastStack, useCaptureToasts } from './toast-stack.tsx';
import '../../design/install-tokens.ts';
import '../../design/base.css';
import { mountPanel } from '../mount-panel.tsx';

/** The capture toasts in their own window, which also shows the errors of their actions. */
const ToastWindow = () => {
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

mountPanel('toast', <ToastWindow />);
