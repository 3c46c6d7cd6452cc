/**
 * Stack of capture toasts. Shows at most three items of the queue in the order of their creation, preferably those that
 * need the user and otherwise the newest, and counts the others. Also shows all captures that were kept without a link.
 */

import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { KeptCapture } from '../../stores/messages/capture-toasts.ts';
import { needsUser } from '../../stores/queue/item-view.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { CaptureToast, SavedToast } from './toast-card.tsx';
import styles from './toast-stack.module.css';
import { useLeaving } from './use-toast-closing.ts';

const SHOWN_AT_ONCE = 3;

/** Those that need the user, then the newest; in order of their creation. */
const chooseShown = (items: readonly QueueItem[]): readonly QueueItem[] => {
  const newestFirst = items.toReversed();
  const shown = [...newestFirst.filter(needsUser), ...newestFirst.filter((item) => !needsUser(item))];
  return items.filter((item) => shown.slice(0, SHOWN_AT_ONCE).includes(item));
};

/** The captures shown as toasts; none if the user disabled them. */
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
  /** Opens the app where an error can be fixed that the toast cannot fix. */
  readonly openApp: (where: 'home' | 'connect') => void;
}

export const ToastStack = ({ openApp }: ToastStackProps) => {
  const { t } = useLocale();
  const { items, kept } = useCaptureToasts();
  const shown = chooseShown(items);
  const { spoken, announce } = useAnnouncements();
  const hiddenItems = items.filter((item) => !shown.includes(item));
  return (
    <>
      {hiddenItems.map((item) => (
        <HiddenToast key={item.id} item={item} />
      ))}
      {shown.length + kept.length > 0 && (
        <ul className={styles.stack} aria-label={t.panels.toast.list}>
          {shown.map((item) => (
            <CaptureToast key={item.id} item={item} openApp={openApp} announce={announce} />
          ))}
          {kept.map((capture) => (
            <SavedToast key={capture.id} capture={capture} announce={announce} />
          ))}
          {hiddenItems.length > 0 && <li className={styles.more}>{t.panels.toast.more(hiddenItems.length)}</li>}
        </ul>
      )}
      <VisuallyHidden live>{spoken}</VisuallyHidden>
    </>
  );
};

/** A toast for which there is no room. Its timer runs as if it were visible, so it does not reappear later. */
const HiddenToast = ({ item: { id, state } }: { readonly item: QueueItem }) => {
  useLeaving(id, state === 'linked' ? 'leaves' : 'stays');
  return null;
};

/** A single live region, mounted before its text: screen readers miss a region that appears together with its text. */
const useAnnouncements = () => {
  const [spoken, setSpoken] = useState('');
  const announced = useRef(new Map<string, string>());
  const announce = useRef((id: string, sentence: string): void => {
    if (announced.current.get(id) === sentence) return;
    announced.current.set(id, sentence);
    setSpoken(sentence);
  });
  return { spoken, announce: announce.current };
};
