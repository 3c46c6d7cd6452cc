/**
 * Two kinds of capture toasts. `CaptureToast` shows an upload: progress and destination, then the link and its actions.
 * `SavedToast` shows a picture that was only saved or copied. A toast closes some seconds after the link is ready or
 * the picture is saved or copied, unless the user interacts with it.
 */
import { CircleCheck, RotateCcw, ShieldAlert, X } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { kindOfName } from '../../components/indicators/kind-of-name.ts';
import { MetaLine } from '../../components/indicators/meta-line.tsx';
import { ProgressBar } from '../../components/indicators/progress.tsx';
import { Thumbnail } from '../../components/indicators/thumbnail.tsx';
import { LinkOptions } from '../../components/links/link-options.tsx';
import { useUploadDestination } from '../../components/links/use-upload-destination.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { KeptCapture } from '../../stores/messages/capture-toasts.ts';
import type { ItemProblem, ItemView } from '../../stores/queue/item-view.ts';
import { useItemView } from '../../stores/queue/use-item-view.ts';
import { useApp, useAppStores, useNow, useThumbnail } from '../../stores/use-app-stores.tsx';
import { Actions, DeletionLine } from './toast-actions.tsx';
import styles from './toast-card.module.css';
import { useDeletion } from './use-deletion.ts';
import { linkOf, useLinkChange } from './use-link-change.ts';
import { useStateText } from './use-state-text.ts';
import { useInteraction, useLeaving } from './use-toast-closing.ts';

const SECOND_MS = 1_000;

interface ToastErrorProps {
  readonly id: ItemId;
  readonly error: ItemProblem;
  readonly openApp: (where: 'home' | 'connect') => void;
}

/** Short error of a capture without a link, and what to do about it. */
const ToastError = ({ id, error, openApp }: ToastErrorProps) => {
  const { engine } = useAppStores();
  const { t, format, failure: describe } = useLocale();
  const { title, advice } = describe(error.failure);
  const now = useNow(error.retryAt === null ? null : SECOND_MS);
  const seconds = error.retryAt === null ? 0 : Math.ceil((error.retryAt - now) / SECOND_MS);
  const words = t.queue.remedies;
  const [first] = error.remedies;
  return (
    <div className={styles.error}>
      <p className={styles.failure}>
        {title}. {error.retryAt === null ? advice : ''}
        {seconds > 0 && `${t.queue.retryIn(format.duration(seconds))}.`}
      </p>
      <div className={styles.remedies}>
        {error.remedies.includes('retry') && (
          <Button
            tone={first === 'retry' && error.retryAt === null ? 'primary' : 'outline'}
            icon={RotateCcw}
            onPress={() => void engine.run('queue.retry', { ids: [id] })}
          >
            {error.retryAt === null ? words.retry : words.retryNow}
          </Button>
        )}
        {first === 'look' && (
          <Button tone="primary" icon={ShieldAlert} onPress={() => void engine.run('capture.review', { item: id })}>
            {words.look}
          </Button>
        )}
        {first === 'reconnect' && (
          <Button tone="primary" onPress={() => openApp('connect')}>
            {words.reconnect}
          </Button>
        )}
        {(first === 'settings' || first === 'room' || first === 'remove') && (
          <Button tone="outline" onPress={() => openApp('home')}>
            {t.panels.toast.openApp}
          </Button>
        )}
      </div>
    </div>
  );
};

interface CaptureToastProps {
  readonly item: QueueItem;
  readonly openApp: (where: 'home' | 'connect') => void;
  /** Announces a new state once. */
  readonly announce: (id: ItemId, sentence: string) => void;
}

export const CaptureToast = ({ item, openApp, announce }: CaptureToastProps) => {
  const { captureToasts } = useAppStores();
  const { t, failure: describe } = useLocale();
  const { id, name } = item;
  const view = useItemView(item);
  const interaction = useInteraction();
  const deletion = useDeletion(id);
  const link = useLinkChange(item);
  const isLinked = item.state === 'linked';
  const close = () => captureToasts.close(id);

  const staysOpen =
    !isLinked || interaction.isActive || link.isOpen || deletion.at !== null || deletion.failure !== null;
  useLeaving(id, staysOpen ? 'stays' : 'leaves');

  const stateWords = useStateText(item, view);
  const sentence = t.panels.toast.spoken(name, view.error ? describe(view.error.failure).title : stateWords);
  useEffect(() => announce(id, sentence), [announce, id, sentence]);

  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };

  const failure = deletion.failure ?? link.failure;
  return (
    <li
      className={styles.card}
      aria-label={t.panels.toast.named(name)}
      onKeyDown={closeByKey}
      {...interaction.handlers}
    >
      <div className={styles.head}>
        <Thumbnail src={useThumbnail(id)} kind={kindOfName(name)} />
        <div className={styles.words}>
          <p className={styles.name} title={name}>
            {name}
          </p>
          <StateLine item={item} view={view} words={stateWords} />
        </div>
        <IconButton icon={X} label={t.panels.toast.close(name)} onPress={close} />
        <Destination item={item} />
      </div>
      {!isLinked && <Progress name={name} size={item.size} view={view} words={stateWords} />}
      {view.error && <ToastError id={id} error={view.error} openApp={openApp} />}
      {deletion.at !== null ? (
        <DeletionLine name={name} at={deletion.at} onUndo={deletion.undo} onOver={close} />
      ) : (
        <Actions item={item} deletion={deletion} options={link} />
      )}
      {link.isOpen && deletion.at === null && (
        <div id={link.panelId} className={styles.options}>
          <LinkOptions value={link.value} onChange={(change) => void link.change(change)} />
        </div>
      )}
      {failure && (
        <p className={styles.failure} role="alert">
          {describe(failure).title}. {describe(failure).advice}
        </p>
      )}
    </li>
  );
};

interface StateLineProps {
  readonly item: QueueItem;
  readonly view: ItemView;
  readonly words: string;
}

const StateLine = ({ item, view, words }: StateLineProps) => {
  const { format, t } = useLocale();
  const isDone = item.state === 'linked';
  const isMoving = view.phase === 'sending' || view.phase === 'preparing';
  return (
    <MetaLine
      facts={[
        <span key="state" className={cx(isDone && styles.good, view.phase === 'stuck' && styles.bad)}>
          {words}
        </span>,
        isMoving && item.size > 0 && format.percent(view.doneBytes / item.size),
        view.secondsLeft !== null && t.queue.timeLeft(format.duration(view.secondsLeft)),
        isDone && format.bytes(item.size),
      ]}
    />
  );
};

/** Always visible before and after the upload. */
const Destination = ({ item }: { readonly item: QueueItem }) => {
  const { t } = useLocale();
  const words = t.panels.toast;
  const byDefault = useApp(({ effective }) => effective.visibility);
  const place = useUploadDestination(item.accountId);
  const { visibility } = linkOf(item, byDefault);
  const who = t.library.visibility[visibility ?? 'unlisted'];
  const isUnknown = place === null && item.accountId !== null;
  const goesTo = isUnknown ? who : words.goesTo(place, who);
  const sentence = item.state === 'linked' && place !== null ? words.liesOn(place, who) : goesTo;
  return (
    <p className={styles.destination} title={sentence}>
      {sentence}
    </p>
  );
};

interface ProgressProps {
  readonly name: string;
  readonly size: number;
  readonly view: ItemView;
  readonly words: string;
}

const Progress = ({ name, size, view, words }: ProgressProps) => {
  const { t, format } = useLocale();
  const fraction = size === 0 ? 0 : view.doneBytes / size;
  const isMoving = view.phase === 'sending' || view.phase === 'completing';
  return (
    <ProgressBar
      label={t.queue.progress(name)}
      valueText={`${words}, ${format.percent(fraction)}`}
      fraction={view.phase === 'completing' ? null : fraction}
      tone={view.phase === 'stuck' || view.phase === 'unreadable' ? 'bad' : isMoving ? 'moving' : 'still'}
    />
  );
};

/** As long as the toast of a link. */
const SHOWN_MS = 5_000;

interface SavedToastProps {
  readonly capture: KeptCapture;
  /** Announces it once. */
  readonly announce: (id: string, sentence: string) => void;
}

/** Toast of a capture that was saved without a link; shows its location and closes by itself. */
export const SavedToast = ({ capture: { id, name, copied, savedTo }, announce }: SavedToastProps) => {
  const { captureToasts } = useAppStores();
  const { t } = useLocale();
  const words = t.panels.toast.kept;
  const interaction = useInteraction();
  const title = copied ? (savedTo === null ? words.copied : words.both) : words.saved;

  useEffect(() => {
    if (interaction.isActive) return;
    const timer = setTimeout(() => captureToasts.closeKept(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [interaction.isActive, captureToasts, id]);
  useEffect(() => announce(id, title), [announce, id, title]);

  return (
    <li className={styles.card} aria-label={t.panels.toast.named(name)} {...interaction.handlers}>
      <div className={styles.head}>
        <CircleCheck className={cx(styles.good)} size={20} aria-hidden />
        <div className={styles.words}>
          <p className={styles.name}>{title}</p>
          <p className={styles.where}>{savedTo ?? name}</p>
        </div>
        <IconButton icon={X} label={words.close} onPress={() => captureToasts.closeKept(id)} />
      </div>
    </li>
  );
};
