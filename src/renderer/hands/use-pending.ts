/** While a file is still in the page's hands, leaving the page would lose it: the browser asks first. */

import { useEffect } from 'react';
import { useApp, useOffers } from '../stores/use-page.tsx';

/** A host that names files has them at once, and its window closes without a question. */
export const usePendingFiles = (): void => {
  const inPage = useApp(({ capabilities }) => !capabilities.folders);
  const isPending = useOffers().some(({ state }) => state !== 'failed') && inPage;
  useEffect(() => {
    if (!isPending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPending]);
};
