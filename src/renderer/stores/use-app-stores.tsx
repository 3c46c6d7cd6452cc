/**
 * The React context of the stores, and hooks for the values that components often read from them, such as the current
 * time.
 */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ItemId } from '../../api/ids.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { ErrorHistoryEntry } from '../../ipc/protocol/commands/error-history.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { Messages } from '../locales/en.ts';
import type { AppStores } from './app-stores.ts';
import { shownOf } from './messages/error-list.ts';

const StoresContext = createContext<AppStores | null>(null);

export const AppStoresProvider = ({
  stores,
  children,
}: {
  readonly stores: AppStores;
  readonly children: ReactNode;
}) => <StoresContext value={stores}>{children}</StoresContext>;

export const useAppStores = (): AppStores => {
  const stores = use(StoresContext);
  if (stores === null) throw new Error('useAppStores is outside of AppStoresProvider.');
  return stores;
};

/** Selects from the engine's snapshot. Only for components rendered after the first snapshot. */
export const useApp = <T,>(select: (app: AppState) => T): T =>
  useStore(useAppStores().engine.store, ({ app }) => {
    if (app === null) throw new Error('useApp before the first snapshot');
    return select(app);
  });

export const usePendingFiles = () => useStore(useAppStores().pendingFiles.store, ({ pending }) => pending);
export const usePendingFolders = () => useStore(useAppStores().folders.store, ({ folders }) => folders);
export const useLibrary = () => useStore(useAppStores().library.store);
export const useIsChosen = (id: ItemId) => useStore(useAppStores().library.store, ({ selected }) => selected.has(id));
export const useOpened = () => useStore(useAppStores().itemDetails.store);
/** Pending changes of published items. */
export const usePending = () => useStore(useAppStores().changes.store, (state) => state.pending);
const useThumbnailUrl = (id: ItemId): string => {
  const { addresses } = useAppStores();
  const isReplaced = useApp(({ replacedThumbnails }) => replacedThumbnails.includes(id));
  return addresses.thumbnailUrl(id, isReplaced ? 1 : 0);
};
const useHasThumbnail = (id: ItemId): boolean => useApp(({ thumbnails }) => thumbnails.includes(id));
/** Address of the thumbnail of a queue item; null while it has none. */
export const useThumbnail = (id: ItemId): string | null => {
  const url = useThumbnailUrl(id);
  return useHasThumbnail(id) ? url : null;
};
/** Thumbnail of a published item, which may have none, or none yet. */
export const useItemThumbnail = (id: ItemId): { readonly src: string; readonly isMade: boolean } => {
  return { src: useThumbnailUrl(id), isMade: useHasThumbnail(id) };
};
/** The item with its pending changes applied. */
export const useChanged = (item: LibraryItem): LibraryItem => {
  const { changes } = useAppStores();
  const pending = usePending();
  return useMemo(() => changes.withPending(item, pending), [changes, item, pending]);
};
/** Rolled-back changes of an item, newest last; null: of any item. */
export const useFailedChanges = (id: ItemId | null) =>
  useStore(useAppStores().changes.store, ({ failed }) => failed).filter(({ ids }) => id === null || ids.includes(id));
/** All loaded catalogues; the first call loads the rest. */
export const useEveryLanguage = (): readonly Messages[] => {
  const { i18n } = useAppStores();
  const known = useStore(i18n.store, (state) => state.known);
  useEffect(() => void i18n.loadAll(), [i18n]);
  return useMemo(() => Object.values(known), [known]);
};
export const useToasts = () => useStore(useAppStores().toasts.store, ({ toasts }) => toasts);
/** Undismissed errors, newest first. */
export const useErrorList = (): readonly ErrorHistoryEntry[] => {
  const state = useStore(useAppStores().problems.store);
  return useMemo(() => shownOf(state), [state]);
};
export const useAnnouncement = () => useStore(useAppStores().toasts.store, ({ announcement }) => announcement);
export const useIsCopied = (id: ItemId) => useStore(useAppStores().links.store, ({ copied }) => copied.has(id));
export const useHostConnection = () => useStore(useAppStores().engine.store, ({ link }) => link);
/** Progress of queue and pending files; null: nothing is running. */
export const useProgress = () => {
  const { progress } = useAppStores();
  const offers = usePendingFiles();
  return useApp(({ queue }) => progress.of(queue, offers));
};
export const useShown = () => useStore(useAppStores().view.store, ({ shown }) => shown);
export const useScreen = () => useStore(useAppStores().view.store, ({ shown }) => shown.screen);
export const useMainSection = () => useStore(useAppStores().view.store, ({ mainSection }) => mainSection);
export const useFocusTarget = () => useStore(useAppStores().view.store, ({ focusTarget }) => focusTarget);
export const useSnapshot = () =>
  useStore(
    useAppStores().engine.store,
    useShallow(({ app, failure }) => ({ ready: app !== null, failure })),
  );

// The current time for countdowns and clocks.

/** Milliseconds since 1970-01-01 UTC, updated every `everyMs`; null: no updates. */
export const useNow = (everyMs: number | null): number => {
  const { now } = useAppStores();
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (everyMs === null) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, now]);
  return time;
};
