/** The recorder bar in its own window, which also shows the errors of its actions. */

import { Message } from '../../app/toaster.tsx';
import { useToasts } from '../../stores/use-app-stores.tsx';
import { PanelBody } from '../panel-page.tsx';
import { RecorderBar, useRunningTask } from './recorder-bar.tsx';

export const RecorderWindow = () => {
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
