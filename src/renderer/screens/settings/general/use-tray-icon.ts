/** Hook that returns whether the desktop shows the host's tray icon. */

import { useEffect, useState } from 'react';
import type { CommandOutput } from '../../../../ipc/protocol/command-table.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';

type TrayIcon = CommandOutput<'app.trayIcon'>['state'];

export const useTrayIcon = (): TrayIcon => {
  const { engine } = useAppStores();
  const [state, setState] = useState<TrayIcon>('none');
  useEffect(() => {
    let isWanted = true;
    void engine.ask('app.trayIcon', {}).then((asked) => {
      if (isWanted && asked.ok) setState(asked.value.state);
    });
    return () => {
      isWanted = false;
    };
  }, [engine]);
  return state;
};
