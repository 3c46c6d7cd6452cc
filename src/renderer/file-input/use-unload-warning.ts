/** While a file, or the rest of a long change, is still in the page's hands, leaving it would lose that: the browser asks first. */

import { useEffect } from 'react';
import { farOf } from '../stores/published/optimistic-changes.ts';
import { useApp, usePending, usePendingFiles } from '../stores/use-app-stores.tsx';

/** A host that names files has them at once, and its window goes on while it is hidden: it closes without a question. */
export const useUnloadWarning = (): void => {
  const inPage = useApp(({ capabilities }) => !capabilities.folders);
  const offers = usePendingFiles();
  const isChanging = farOf(usePending()) !== null;
  const isPending = inPage && (isChanging || offers.some(({ state }) => state !== 'failed'));
  useEffect(() => {
    if (!isPending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPending]);
};
