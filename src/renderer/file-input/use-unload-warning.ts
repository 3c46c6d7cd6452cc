/**
 * Hook that makes the browser ask before the user leaves a page that still has pending files or an unfinished change of
 * many items, because leaving would lose them.
 */

import { useEffect } from 'react';
import { bulkProgressOf } from '../stores/published/optimistic-changes.ts';
import { useApp, usePending, usePendingFiles } from '../stores/use-app-stores.tsx';

/**
 * A host that resolves folders receives files immediately, and its window keeps running while hidden: it closes without
 * a question.
 */
export const useUnloadWarning = (): void => {
  const inPage = useApp(({ capabilities }) => !capabilities.folders);
  const pendingFiles = usePendingFiles();
  const isChanging = bulkProgressOf(usePending()) !== null;
  const isPending = inPage && (isChanging || pendingFiles.some(({ state }) => state !== 'failed'));
  useEffect(() => {
    if (!isPending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPending]);
};
