/** Where something goes, in words: always there before anything leaves this computer. */

import type { AccountId } from '../../../api/ids.ts';
import type { AppState } from '../../../ipc/protocol/state.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';

/** The server of that account, or of the active one; `this-computer`: the built-in one; null: there is none yet. */
const placeOf = (
  accountId: AccountId | null,
  { connection, accounts }: Pick<AppState, 'connection' | 'accounts'>,
): 'this-computer' | { readonly host: string } | null => {
  const own = accounts.find((account) => account.connection.account?.user.id === accountId)?.connection;
  const to = own ?? connection;
  if (to.state === 'none') return null;
  if (to.state === 'connected' && to.keyPlace === 'embedded') return 'this-computer';
  return { host: URL.parse(to.server)?.host ?? to.server };
};

/** `accountId` null: of what is not yet anybody's. */
export const useDestination = (accountId: AccountId | null): string => {
  const { t } = useLocale();
  const connection = useApp((app) => app.connection);
  const accounts = useApp((app) => app.accounts);
  const place = placeOf(accountId, { connection, accounts });
  if (place === null) return t.panels.toast.nowhere;
  return place === 'this-computer' ? t.panels.toast.thisComputer : place.host;
};
