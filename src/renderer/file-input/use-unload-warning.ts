/**
 * Hook that makes the browser ask before the user leaves a page that still has pending files, a folder that it hands
 * over or an unfinished change of many items, because leaving would lose them. The editor hides the window, not these.
 */

import { useEffect } from 'react';
import { bulkProgressOf } from '../stores/published/optimistic-changes.ts';
import { useApp, usePending, usePendingFiles, usePendingFolders } from '../stores/use-app-stores.tsx';

/**
 * A host that resolves folders receives files immediately, and its window keeps running while hidden: it closes without
 * a question.
 */
export const useUnloadWarning = (): void => {
  const inPage = useApp(({ capabilities }) => !capabilities.folders);
  const isAdding = usePendingFiles().some(({ state }) => state !== 'failed');
  const isSharing = usePendingFolders().some(({ state }) => state === 'sharing' || state === 'queuing');
  const isChanging = bulkProgressOf(usePending()) !== null;
  const isPending = inPage && (isAdding || isSharing || isChanging);
  useEffect(() => {
    if (!isPending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPending]);
};
