/** What lies on this computer, read when it is first shown and after each change. */

import { useCallback, useEffect, useState } from 'react';
import type { ClearedPart, ProfileUsage } from '../../../contract/commands/profile.ts';
import { usePage } from '../../stores/use-page.tsx';

export const useProfileUsage = () => {
  const { engine } = usePage();
  const [usage, setUsage] = useState<ProfileUsage | null>(null);
  useEffect(() => {
    let isWanted = true;
    void engine.ask('profile.usage', {}).then((asked) => {
      if (isWanted && asked.ok) setUsage(asked.value);
    });
    return () => {
      isWanted = false;
    };
  }, [engine]);
  /** Answers whether it is cleared; a failure is told. */
  const clear = useCallback(
    async (what: ClearedPart): Promise<boolean> => {
      const left = await engine.run('profile.clear', { what });
      if (left) setUsage(left);
      return left !== null;
    },
    [engine],
  );
  return { usage, clear };
};
