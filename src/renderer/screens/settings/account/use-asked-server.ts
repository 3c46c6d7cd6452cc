/**
 * Hook for the address of the server that was last asked to connect in the browser: a cancelled request leaves it in the
 * form. Empty: none was asked, or it is connected.
 */

import { useState } from 'react';
import { useApp } from '../../../stores/use-app-stores.tsx';

export const useAskedServer = (): string => {
  const [asked, setAsked] = useState('');
  const waitingFor = useApp(({ authorization }) => (authorization?.state === 'waiting' ? authorization.server : null));
  const connected = useApp(({ connection }) => (connection.state === 'connected' ? connection.server : null));
  if (waitingFor !== null && waitingFor !== asked) setAsked(waitingFor);
  return asked === connected ? '' : asked;
};
