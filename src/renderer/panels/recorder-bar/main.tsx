/** Entry point of the window with the recorder bar, which controls a recording or a scrolling capture. */

import { useToasts } from '../../stores/use-app-stores.tsx';
import { Message } from '../message-toasts.tsx';
import { RecorderBar, useRunningTask } from './recorder-bar.tsx';
import '../../design/install-tokens.ts';
import '../../design/base.css';
import { mountPanel, PanelBody } from '../mount-panel.tsx';

/** The recorder bar in its own window, which also shows the errors of its actions. */
const RecorderWindow = () => {
  const failures = useToasts().filter(({ note }) => note.kind === 'failure');
  const isEmpty = useRunningTask() === null && failures.length === 0;
  return (
    <PanelBody panel="recorder" isEmpty={isEmpty}>
      <RecorderBar />
      {failures.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </PanelBody>
  );
};

mountPanel('recorder', <RecorderWindow />);
