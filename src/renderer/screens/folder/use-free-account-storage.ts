/** Hook that returns the free space of the active account. */

import { useApp } from '../../stores/use-app-stores.tsx';

/** Free bytes of the active account; null: unknown. */
export const useFreeAccountStorage = (): number | null =>
  useApp(({ connection }) => {
    const user = connection.state === 'none' ? null : (connection.account?.user ?? null);
    return user && Math.max(0, user.quotaBytes - user.storageUsed);
  });
