/**
 * React context with the disk usage of the app's data folder for the settings, and a function that clears a part of
 * that folder. The usage is measured when the settings open and after each clearing.
 */

import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import type { ClearedPart, ProfileUsage } from '../../../ipc/protocol/commands/local-data.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { useHostAnswer } from '../../stores/use-host-answer.ts';

interface KnownUsage {
  /** Null until it is measured. */
  readonly usage: ProfileUsage | null;
  /** Resolves to whether it was cleared; errors are shown to the user. */
  readonly clear: (what: ClearedPart) => Promise<boolean>;
}

const UsageContext = createContext<KnownUsage | null>(null);

export const DiskUsageProvider = ({ children }: { readonly children: ReactNode }) => {
  const { engine } = useAppStores();
  const { answer } = useHostAnswer('profile.usage', {});
  const [left, setLeft] = useState<ProfileUsage | null>(null);
  const usage = left ?? (answer?.ok ? answer.value : null);
  const known = useMemo<KnownUsage>(
    () => ({
      usage,
      async clear(what) {
        const cleared = await engine.run('profile.clear', { what });
        if (cleared) setLeft(cleared);
        return cleared !== null;
      },
    }),
    [engine, usage],
  );
  return <UsageContext value={known}>{children}</UsageContext>;
};

export const useDiskUsage = (): KnownUsage => {
  const known = use(UsageContext);
  if (known === null) throw new Error('useDiskUsage outside of DiskUsageProvider');
  return known;
};
