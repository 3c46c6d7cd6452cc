/** Shows the error of a queue item: what happened, what was kept, what to do, and the buttons for it. */

import { RotateCcw, ShieldAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { unreachable } from '../../../../api/errors.ts';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { ItemProblem, Kept, Phase, Remedy } from '../../../stores/queue/item-view.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './row.module.css';

const SECOND_MS = 1_000;

/** Seconds until `at`, counted down; null once it has passed. */
const useSecondsUntil = (at: number | null): number | null => {
  const { now } = useAppStores();
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (at === null) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [at, now]);
  return at === null || at <= time ? null : Math.ceil((at - time) / SECOND_MS);
};

const useKept = (kept: Kept, size: number): string => {
  const { t, format } = useLocale();
  return kept.what === 'parts'
    ? t.queue.kept.parts(format.bytes(kept.bytes), format.bytes(size))
    : t.queue.kept[kept.what];
};

interface QueueErrorProps {
  readonly item: QueueItem;
  readonly error: ItemProblem;
  readonly phase: Phase;
}

export const QueueItemError = ({ item, error, phase }: QueueErrorProps) => {
  const { t, format, failure } = useLocale();
  const seconds = useSecondsUntil(error.retryAt);
  const kept = useKept(error.kept, item.size);
  const { title, advice } = failure(error.failure);
  const retries = error.retryAt !== null;
  const next = seconds === null ? t.queue.retryNow : t.queue.retryIn(format.duration(seconds));

  return (
    <div className={styles.error} {...(phase === 'stuck' && { role: 'alert' })}>
      <VisuallyHidden>{item.name}</VisuallyHidden>
      <Alert
        tone={retries || phase === 'queuePaused' || error.remedies[0] === 'look' ? 'warn' : 'bad'}
        title={title}
        sentences={[kept, advice, ...(retries ? [`${next}.`] : [])]}
        failure={error.failure}
      >
        {error.remedies.map((remedy, index) => (
          <RemedyButton key={remedy} item={item} remedy={remedy} isFirst={index === 0} retries={retries} />
        ))}
      </Alert>
    </div>
  );
};

interface RemedyButtonProps {
  readonly item: QueueItem;
  readonly remedy: Remedy;
  readonly isFirst: boolean;
  readonly retries: boolean;
}

/** Asks first where the user has edited the capture: what the edits hide would be visible. */
const ApproveButton = ({ item }: Pick<RemedyButtonProps, 'item'>) => {
  const { engine, toasts } = useAppStores();
  const { t } = useLocale();
  const words = t.queue.withoutEdits;
  const [isAsked, setAsked] = useState(false);
  const ids = [item.id];
  const approve = async (): Promise<void> => {
    const approved = await engine.ask('queue.approve', { ids });
    if (approved.ok) return;
    if (approved.error.code === 'DRAWING_NOT_APPLIED') setAsked(true);
    else toasts.show({ kind: 'failure', failure: approved.error });
  };
  return (
    <>
      <Button tone="outline" onPress={() => void approve()}>
        {t.queue.remedies.approve}
      </Button>
      <ConfirmDialog
        {...{ isAsked, title: words.ask, advice: t.editor.drawnAdvice, no: words.no, yes: words.yes }}
        onAnswer={(isConfirmed) => {
          setAsked(false);
          if (isConfirmed) void engine.run('queue.approve', { ids, isUnedited: true });
        }}
      />
    </>
  );
};

const RemedyButton = ({ item, remedy, isFirst, retries }: RemedyButtonProps) => {
  const { engine, library, view } = useAppStores();
  const { t } = useLocale();
  const words = t.queue.remedies;
  const showLargest = (): void => {
    library.showAll();
    library.narrow({ sort: 'largest' });
    view.show('library');
  };
  const tone = isFirst && !retries ? 'primary' : 'outline';
  const ids = [item.id];
  switch (remedy) {
    case 'retry':
      return (
        <Button tone={tone} icon={RotateCcw} onPress={() => void engine.run('queue.retry', { ids })}>
          {retries ? words.retryNow : words.retry}
        </Button>
      );
    case 'reconnect':
      return (
        <Button tone={tone} onPress={view.connect}>
          {words.reconnect}
        </Button>
      );
    case 'settings':
      return (
        <Button tone={tone} onPress={() => view.show('settings')}>
          {words.settings}
        </Button>
      );
    case 'room':
      return (
        <Button tone={tone} onPress={showLargest}>
          {words.room}
        </Button>
      );
    case 'look':
      return (
        <Button tone={tone} icon={ShieldAlert} onPress={() => void engine.run('capture.review', { item: item.id })}>
          {words.look}
        </Button>
      );
    case 'approve':
      return <ApproveButton item={item} />;
    case 'remove':
      return (
        <Button tone="outline" onPress={() => void engine.run('queue.cancel', { ids })}>
          {words.remove}
        </Button>
      );
    default:
      return unreachable(remedy);
  }
};
