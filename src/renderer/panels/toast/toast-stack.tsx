/** The notices of captures: at most three at a time, those that need the person first; the others are counted. */

import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { KeptCapture } from '../../stores/messages/capture-toasts.ts';
import { needsUser } from '../../stores/queue/item-view.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { SavedToast } from './saved-toast.tsx';
import { CaptureToast } from './toast-card.tsx';
import styles from './toast-stack.module.css';
import { useLeaving } from './use-toast.ts';

const SHOWN_AT_ONCE = 3;

/** Those in need, then the newest; in the order in which they were made. */
const chooseShown = (items: readonly QueueItem[]): readonly QueueItem[] => {
  const newestFirst = items.toReversed();
  const shown = [...newestFirst.filter(needsUser), ...newestFirst.filter((item) => !needsUser(item))];
  return items.filter((item) => shown.slice(0, SHOWN_AT_ONCE).includes(item));
};

/** The captures that are told of now; none where the person wants none. */
export const useCaptureToasts = (): { readonly items: readonly QueueItem[]; readonly kept: readonly KeptCapture[] } => {
  const { captureToasts } = useAppStores();
  const queue = useApp((app) => app.queue);
  const settings = useApp((app) => app.settings);
  const state = useStore(captureToasts.store);
  return {
    items: captureToasts.itemsOf({ queue, settings }, state),
    kept: settings.toast === 'hide' ? [] : state.kept,
  };
};

interface ToastStackProps {
  /** Where what the notice cannot mend is mended. */
  readonly openApp: (where: 'home' | 'connect') => void;
}

export const ToastStack = ({ openApp }: ToastStackProps) => {
  const { t } = useLocale();
  const { items, kept } = useCaptureToasts();
  const shown = chooseShown(items);
  const { spoken, tell } = useSpokenStates();
  const behind = items.filter((item) => !shown.includes(item));
  return (
    <>
      {behind.map((item) => (
        <Behind key={item.id} item={item} />
      ))}
      {shown.length + kept.length > 0 && (
        <ul className={styles.stack} aria-label={t.panels.toast.list}>
          {shown.map((item) => (
            <CaptureToast key={item.id} item={item} openApp={openApp} tell={tell} />
          ))}
          {kept.map((capture) => (
            <SavedToast key={capture.id} capture={capture} tell={tell} />
          ))}
          {behind.length > 0 && <li className={styles.more}>{t.panels.toast.more(behind.length)}</li>}
        </ul>
      )}
      <VisuallyHidden live>{spoken}</VisuallyHidden>
    </>
  );
};

/**
 * One that newer ones have covered. Its time runs out as if it were seen, and first: it does not come back when they have
 * left.
 */
const Behind = ({ item: { id, state } }: { readonly item: QueueItem }) => {
  useLeaving(id, state === 'linked' ? 'leaves' : 'stays');
  return null;
};

/** One place that is read out, there before anything is to be said: a region that appears with its words is not heard. */
const useSpokenStates = () => {
  const [spoken, setSpoken] = useState('');
  const told = useRef(new Map<string, string>());
  const tell = useRef((id: string, sentence: string): void => {
    if (told.current.get(id) === sentence) return;
    told.current.set(id, sentence);
    setSpoken(sentence);
  });
  return { spoken, tell: tell.current };
};
