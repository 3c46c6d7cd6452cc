/** The home screen: file input, captures, folders to review, the queue and the first steps; or the welcome screen. */

import { Camera, ClipboardPaste, File, Folder, SquarePen, Upload } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { Button } from '../../components/buttons/button.tsx';
import { onlyFirstClick } from '../../components/buttons/only-first-click.ts';
import { cx } from '../../design/class-names.ts';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { isWaiting } from '../../stores/file-input/pending-folders.ts';
import { splitQueue } from '../../stores/queue/queue-order.ts';
import { useApp, useAppStores, usePendingFiles, usePendingFolders } from '../../stores/use-app-stores.tsx';
import { FolderSwitcher } from '../folder/folder-switcher.tsx';
import { FirstStepsCard } from '../welcome/first-steps-card.tsx';
import { useFirstSteps, useIsWelcoming } from '../welcome/use-first-steps.ts';
import { WelcomeScreen } from '../welcome/welcome-screen.tsx';
import { CaptureCard } from './capture-card.tsx';
import dropCardStyles from './drop-card.module.css';
import emptyQueueStyles from './empty-queue.module.css';
import styles from './home-screen.module.css';
import { ActiveQueue } from './queue/active-queue.tsx';
import { FinishedList } from './queue/finished-list.tsx';
import { QueueItemDetails } from './queue/queue-item-details.tsx';
import tryOutNoteStyles from './try-out-note.module.css';

/** Placeholder of the empty queue. */
const EmptyQueue = () => {
  const { view } = useAppStores();
  const words = useLocale().t.welcome;
  return (
    <div className={emptyQueueStyles.note}>
      <p>{words.quiet}</p>
      <Button tone="quiet" onPress={() => view.show('library')}>
        {words.quietAction}
      </Button>
    </div>
  );
};

/** Notice that links of the built-in server work on this computer only, with a way to connect a server. */
const TryOutNote = () => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const isTryOut = useApp(({ connection }) => connection.state === 'connected' && connection.keyPlace === 'embedded');
  if (!isTryOut) return null;
  return (
    <div className={tryOutNoteStyles.note}>
      <p>{t.queue.tryOut}</p>
      <Button tone="quiet" onPress={view.connect}>
        {t.queue.tryOutAction}
      </Button>
    </div>
  );
};

// Drop zone with buttons for choosing and pasting.

/** `compact`: other content is shown below. */
const DropCard = ({ look }: { readonly look: 'inviting' | 'compact' }) => {
  const { t } = useLocale();
  const { view } = useAppStores();
  const { choose, chooseFolder, photograph, paste } = useFileInput();
  return (
    <section className={cx(dropCardStyles.card, dropCardStyles[look])}>
      <span className={dropCardStyles.icon}>
        <Upload size={24} strokeWidth={1.6} aria-hidden />
      </span>
      <div className={dropCardStyles.words}>
        <h1 className={dropCardStyles.title}>{t.intake.title}</h1>
        <p className={dropCardStyles.hint}>{t.intake.hint}</p>
      </div>
      <div className={dropCardStyles.actions} onClickCapture={onlyFirstClick}>
        <Button tone="primary" icon={File} onPress={choose}>
          {t.intake.choose}
        </Button>
        <span className={dropCardStyles.touch}>
          <Button icon={Camera} onPress={photograph}>
            {t.intake.photograph}
          </Button>
        </span>
        <Button icon={Folder} onPress={chooseFolder}>
          {t.folder.choose}
        </Button>
        <Button icon={ClipboardPaste} onPress={() => void paste()}>
          {t.intake.paste}
        </Button>
        <Button tone="quiet" icon={SquarePen} onPress={() => view.open({ screen: 'note', id: null })}>
          {t.note.write}
        </Button>
      </div>
    </section>
  );
};

export const HomeScreen = () => {
  const items = useApp(({ queue }) => queue.items);
  const pending = usePendingFiles();
  const { active, finished } = useMemo(() => splitQueue(items), [items]);
  const canCapture = useApp(({ capabilities }) => capabilities.overlay !== 'none');
  const folders = usePendingFolders().filter(isWaiting);
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
      {folders.length > 0 && <FolderSwitcher folders={folders} shown={null} />}
      {isBusy && <ActiveQueue items={active} pendingFiles={pending} onDetails={setDetails} />}
      {finished.length > 0 && <FinishedList items={finished} />}
      {steps.isShown && <FirstStepsCard {...steps} />}
      <TryOutNote />
      {isEmpty && !steps.isShown && <EmptyQueue />}
      {details !== null && <QueueItemDetails id={details} onClose={closeDetails} />}
    </div>
  );
};
