/** The home screen: file input, captures and the queue. */

import { useCallback, useMemo, useState } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { isWaiting } from '../../stores/file-input/pending-folders.ts';
import { splitQueue } from '../../stores/queue/item-view.ts';
import { useApp, useFolders, usePendingFiles } from '../../stores/use-app-stores.tsx';
import { PendingFolders } from '../folder/pending-folders.tsx';
import { FirstStepsCard } from '../welcome/first-steps-card.tsx';
import { useFirstSteps, useIsWelcoming } from '../welcome/use-first-steps.ts';
import { WelcomeScreen } from '../welcome/welcome-screen.tsx';
import { CaptureCard } from './capture-card.tsx';
import { DropCard } from './drop-card.tsx';
import { EmptyQueue } from './empty-queue.tsx';
import styles from './home-screen.module.css';
import { ActiveQueue } from './queue/active-queue.tsx';
import { FinishedList } from './queue/finished-list.tsx';
import { QueueDetails } from './queue/queue-details.tsx';
import { TryOutNote } from './try-out-note.tsx';

export const HomeScreen = () => {
  const items = useApp(({ queue }) => queue.items);
  const pending = usePendingFiles();
  const { active, finished } = useMemo(() => splitQueue(items), [items]);
  const canCapture = useApp(({ capabilities }) => capabilities.overlay !== 'none');
  const folders = useFolders().filter(isWaiting);
  const isBusy = active.length > 0 || pending.length > 0;
  const [details, setDetails] = useState<ItemId | null>(null);
  const closeDetails = useCallback(() => setDetails(null), []);
  const isEmpty = !isBusy && finished.length === 0;
  const steps = useFirstSteps();
  const isWelcoming = useIsWelcoming();
  if (isWelcoming) return <WelcomeScreen onLater={() => steps.skip('connect')} />;
  return (
    <div className={styles.screen}>
      <DropCard look={isEmpty ? 'inviting' : 'compact'} />
      {canCapture && <CaptureCard />}
      {folders.length > 0 && <PendingFolders folders={folders} shown={null} />}
      {isBusy && <ActiveQueue items={active} pendingFiles={pending} onDetails={setDetails} />}
      {finished.length > 0 && <FinishedList items={finished} />}
      {steps.isShown && <FirstStepsCard {...steps} />}
      <TryOutNote />
      {isEmpty && !steps.isShown && <EmptyQueue />}
      {details !== null && <QueueDetails id={details} onClose={closeDetails} />}
    </div>
  );
};
