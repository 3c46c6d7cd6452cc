/** Thin hooks from React to the stores of the window. */

import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ItemId } from '../../api/ids.ts';
import type { Problem } from '../../ipc/protocol/commands/problems.ts';
import type { AppState, LibraryItem } from '../../ipc/protocol/state.ts';
import type { Messages } from '../locales/en.ts';
import type { AppStores } from './app-stores.ts';
import { shownOf } from './messages/problems.ts';

const PageContext = createContext<AppStores | null>(null);

export const AppStoresProvider = ({ page, children }: { readonly page: AppStores; readonly children: ReactNode }) => (
  <PageContext value={page}>{children}</PageContext>
);

export const useAppStores = (): AppStores => {
  const page = use(PageContext);
  if (page === null) throw new Error('usePage outside of PageProvider');
  return page;
};

/** A part of the engine's snapshot. Only for parts that are shown once there is one. */
export const useApp = <T,>(select: (app: AppState) => T): T =>
  useStore(useAppStores().engine.store, ({ app }) => {
    if (app === null) throw new Error('useApp before the first snapshot');
    return select(app);
  });

export const usePendingFiles = () => useStore(useAppStores().intake.store, ({ offers }) => offers);
export const useFolders = () => useStore(useAppStores().folders.store, ({ folders }) => folders);
export const useLibrary = () => useStore(useAppStores().library.store);
export const useIsChosen = (id: ItemId) => useStore(useAppStores().library.store, ({ chosen }) => chosen.has(id));
export const useOpened = () => useStore(useAppStores().opened.store);
/** Changes of published items that are on their way. */
export const usePending = () => useStore(useAppStores().changes.store, (state) => state.pending);
/** The item with all changes laid over it that are on their way. */
export const useChanged = (item: LibraryItem): LibraryItem => {
  const { changes } = useAppStores();
  const pending = usePending();
  return useMemo(() => changes.laidOver(item, pending), [changes, item, pending]);
};
/** Changes of an item that were taken back, the newest last; null: of any item. */
export const useRefusals = (id: ItemId | null) =>
  useStore(useAppStores().changes.store, ({ refused }) => refused).filter(({ ids }) => id === null || ids.includes(id));
/** Every catalogue that is there: all of them soon after this is first asked for. */
export const useEveryLanguage = (): readonly Messages[] => {
  const { words } = useAppStores();
  const known = useStore(words.store, (state) => state.known);
  useEffect(() => void words.learnAll(), [words]);
  return useMemo(() => Object.values(known), [known]);
};
export const useToasts = () => useStore(useAppStores().toasts.store, ({ toasts }) => toasts);
/** What went wrong and was not taken away yet, the newest first. */
export const useProblems = (): readonly Problem[] => {
  const state = useStore(useAppStores().problems.store);
  return useMemo(() => shownOf(state), [state]);
};
export const useSpoken = () => useStore(useAppStores().toasts.store, ({ spoken }) => spoken);
export const useIsCopied = (id: ItemId) => useStore(useAppStores().links.store, ({ copied }) => copied.has(id));
export const useLink = () => useStore(useAppStores().engine.store, ({ link }) => link);
/** Of the whole queue and of what is on its way into it; null: nothing runs. */
export const useProgress = () => {
  const { progress } = useAppStores();
  const offers = usePendingFiles();
  return useApp(({ queue }) => progress.of(queue, offers));
};
export const useShown = () => useStore(useAppStores().view.store, ({ shown }) => shown);
export const useScreen = () => useStore(useAppStores().view.store, ({ shown }) => shown.screen);
export const usePlace = () => useStore(useAppStores().view.store, ({ place }) => place);
export const useLanding = () => useStore(useAppStores().view.store, ({ landing }) => landing);
export const useSnapshot = () =>
  useStore(
    useAppStores().engine.store,
    useShallow(({ app, failure }) => ({ ready: app !== null, failure })),
  );
