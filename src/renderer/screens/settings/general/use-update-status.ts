/** Hook that returns the status of app updates as localized text. */

import { useEffect, useState } from 'react';
import type { CommandOutput } from '../../../../ipc/protocol/command-table.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores } from '../../../stores/use-app-stores.tsx';

type UpdateState = CommandOutput<'app.updates'>;

/** Initial state, and the state of hosts without update checks. */
const NOT_LOOKED_FOR: UpdateState = { state: 'not-looked-for', version: null, checkedAt: null };

export const useUpdateStatusText = (): string => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.settingsMore.updates;
  const [{ state, version, checkedAt }, setFound] = useState(NOT_LOOKED_FOR);
  useEffect(() => {
    let isWanted = true;
    void engine.ask('app.updates', {}).then((asked) => {
      if (isWanted && asked.ok) setFound(asked.value);
    });
    return () => {
      isWanted = false;
    };
  }, [engine]);
  const statusText = words.states[state];
  const sentence = typeof statusText === 'string' ? statusText : statusText(version ?? '');
  return checkedAt === null ? sentence : `${sentence} ${words.checked(format.dateTime(new Date(checkedAt)))}`;
};
