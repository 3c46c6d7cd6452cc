/**
 * The notice of one capture: what becomes of it and where it goes, then its link and what can be done with it. It leaves
 * by itself once its link is there and nobody looks at it; never while it uploads or while an error stands.
 */

import { Settings2, Trash2, Undo2, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import type { Failure } from '../../../contract/errors.ts';
import type { ItemId } from '../../../contract/ids.ts';
import type { QueueItem } from '../../../contract/queue-item.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { type LinkChange, LinkOptions, type LinkOptionsValue } from '../../parts/link-options.tsx';
import { OpenLink } from '../../parts/open-link.tsx';
import { ProgressBar } from '../../parts/progress.tsx';
import { kindOfName, Thumbnail } from '../../parts/thumbnail.tsx';
import { useDestination } from '../../parts/use-destination.ts';
import { type ItemView, viewItem } from '../../stores/item-view.ts';
import { useNow } from '../../stores/use-now.ts';
import { useApp, useIsCopied, usePage } from '../../stores/use-page.tsx';
import { linkOf } from './link-of.ts';
import styles from './toast-card.module.css';
import { ToastTrouble } from './toast-trouble.tsx';

/** Once the link is there, and nobody looks. */
const SHOWN_MS = 5_000;
const SECOND_MS = 1_000;

interface CaptureToastProps {
  readonly item: QueueItem;
  readonly openApp: (where: 'home' | 'connect') => void;
  /** Reads a new state out, once. */
  readonly tell: (id: ItemId, sentence: string) => void;
}

export const CaptureToast = ({ item, openApp, tell }: CaptureToastProps) => {
  const { captureToasts, addresses } = usePage();
  const { t, failure: describe } = useLocale();
  const { id, name } = item;
  const view = useItemView(item);
  const hold = useHold();
  const deletion = useDeletion(id);
  const link = useLinkChange(item);
  const isLinked = item.state === 'linked';
  const close = () => captureToasts.close(id);

  const stays = !isLinked || hold.isHeld || link.isOpen || deletion.at !== null || deletion.failure !== null;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => captureToasts.close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, captureToasts, id]);

  const stateWords = useStateWords(item, view);
  const sentence = t.panels.toast.spoken(name, view.trouble ? describe(view.trouble.failure).title : stateWords);
  useEffect(() => tell(id, sentence), [tell, id, sentence]);

  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };

  const failure = deletion.failure ?? link.failure;
  return (
    <li className={styles.card} aria-label={t.panels.toast.named(name)} onKeyDown={closeByKey} {...hold.handlers}>
      <div className={styles.head}>
        <Thumbnail src={addresses.thumbnailUrl(id)} kind={kindOfName(name)} stage={item.state} />
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
      {deletion.at !== null ? (
        <DeletionLine name={name} at={deletion.at} onUndo={deletion.undo} onOver={close} />
      ) : (
        <Actions item={item} onDelete={deletion.begin} options={link} />
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
      {view.trouble && <ToastTrouble id={id} trouble={view.trouble} openApp={openApp} />}
    </li>
  );
};

const useItemView = (item: QueueItem): ItemView => {
  const live = useApp(({ queue }) => queue.live[item.id]);
  const paused = useApp(({ queue }) => queue.paused);
  const connection = useApp((app) => app.connection.state);
  return useMemo(() => viewItem(item, live, { paused, connection }), [item, live, paused, connection]);
};

/** Whether the person is at it: with the mouse, or with the keyboard. A click alone does not hold it. */
const useHold = () => {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    isHeld: hovered || focused,
    handlers: {
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: ({ target }: { readonly target: Element }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
};

/** Deleting with the way back that the engine keeps open. */
const useDeletion = (id: ItemId) => {
  const { engine } = usePage();
  const [at, setAt] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ids = [id];
  const ask = async (command: 'begin' | 'undo') => {
    const asked =
      command === 'begin'
        ? await engine.ask('library.delete', { ids, when: 'after-undo' })
        : await engine.ask('library.undelete', { ids });
    const answer = asked.ok ? asked.value.answers[0] : null;
    setFailure(asked.ok ? (answer?.failure ?? null) : asked.error);
    setAt(answer?.item?.deletingAt ?? null);
  };
  return { at, failure, begin: () => void ask('begin'), undo: () => void ask('undo') };
};

/** What the person changes of the link, before its publication or after. */
const useLinkChange = (item: QueueItem) => {
  const { engine } = usePage();
  const visibility = useApp(({ effective }) => effective.visibility);
  const panelId = useId();
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Shown at once; what became of it is in the item when the answer comes. */
  const [pending, setPending] = useState<Partial<LinkOptionsValue>>({});
  const value = { ...linkOf(item, visibility), ...pending };
  const ids = [item.id];
  const change = async (wished: LinkChange) => {
    setPending(wished);
    const asked =
      item.state === 'linked'
        ? await engine.ask('library.update', { ids, change: wished })
        : await engine.ask('queue.setShare', { ids, change: wished });
    setPending({});
    setFailure(asked.ok ? (asked.value.answers[0]?.failure ?? null) : asked.error);
  };
  return { panelId, isOpen, value, failure, change, toggle: () => setOpen((open) => !open) };
};

const useStateWords = (item: QueueItem, view: ItemView): string => {
  const { t } = useLocale();
  const byPage = useIsCopied(item.id);
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  const isCopied = item.state === 'linked' && (byHost ? item.deliveredAt !== null : byPage);
  return t.queue.phase[isCopied ? 'delivered' : view.phase];
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
    <Facts
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

/** Always there before anything leaves this computer, and afterwards too. */
const Destination = ({ item }: { readonly item: QueueItem }) => {
  const { t } = useLocale();
  const words = t.panels.toast;
  const byDefault = useApp(({ effective }) => effective.visibility);
  const place = useDestination(item.accountId);
  const { visibility } = linkOf(item, byDefault);
  const say = item.state === 'linked' ? words.liesOn : words.goesTo;
  return <p className={styles.destination}>{say(place, t.library.visibility[visibility ?? 'unlisted'])}</p>;
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

interface ActionsProps {
  readonly item: QueueItem;
  readonly onDelete: () => void;
  readonly options: ReturnType<typeof useLinkChange>;
}

const Actions = ({ item, onDelete, options }: ActionsProps) => {
  const { engine } = usePage();
  const { t } = useLocale();
  const { id, name } = item;
  const words = t.panels.toast;
  return (
    <div className={styles.actions}>
      {item.state === 'linked' && (
        <>
          <CopyButton id={id} name={name} url={item.content.url} />
          <OpenLink id={id} name={name} url={item.content.url} />
        </>
      )}
      <IconButton
        icon={Settings2}
        label={words.optionsOf(name)}
        aria-expanded={options.isOpen}
        {...(options.isOpen && { 'aria-controls': options.panelId })}
        onPress={options.toggle}
      />
      <span className={styles.gap} />
      {item.state === 'linked' ? (
        <IconButton tone="danger" icon={Trash2} label={words.remove(name)} onPress={onDelete} />
      ) : (
        <Button
          tone="danger"
          aria-label={words.cancel(name)}
          onPress={() => void engine.run('queue.cancel', { ids: [id] })}
        >
          {t.panels.bar.cancel}
        </Button>
      )}
    </div>
  );
};

interface DeletionLineProps {
  readonly name: string;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  readonly onUndo: () => void;
  /** The time to take it back has passed. */
  readonly onOver: () => void;
}

const DeletionLine = ({ name, at, onUndo, onOver }: DeletionLineProps) => {
  const { t, format } = useLocale();
  const words = t.panels.toast;
  const now = useNow(SECOND_MS);
  const left = Math.ceil((at - now) / SECOND_MS);
  const isOver = now > at + SHOWN_MS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is over
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver]);
  return (
    <div className={styles.actions}>
      <p className={styles.deleting}>{left > 0 ? words.deleting(format.duration(left)) : words.deletingNow}</p>
      <span className={styles.gap} />
      {left > 0 && (
        <Button icon={Undo2} aria-label={words.undoOf(name)} onPress={onUndo}>
          {words.undo}
        </Button>
      )}
    </div>
  );
};
