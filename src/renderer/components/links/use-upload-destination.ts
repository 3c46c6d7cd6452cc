/**
 * Hook that returns the name of the server that an upload goes to: its host name, or "this computer" for the built-in
 * server.
 */

import type { AccountId } from '../../../api/ids.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';

/**
 * The host name of the account's server, or of the active account's; `this-computer`: the built-in server; null: no
 * account yet, or one that was removed.
 */
const serverOf = (
  accountId: AccountId | null,
  { connection, accounts }: Pick<AppState, 'connection' | 'accounts'>,
): 'this-computer' | { readonly host: string } | null => {
  const own = accounts.find((account) => account.connection.account?.user.id === accountId)?.connection;
  const to = own ?? connection;
  if (to.state === 'none' || (accountId !== null && to.account?.user.id !== accountId)) return null;
  if (to.state === 'connected' && to.keyPlace === 'embedded') return 'this-computer';
  return { host: URL.parse(to.server)?.host ?? to.server };
};

/** `accountId` null: the item does not belong to an account yet. Returns null if its account is not connected. */
export const useUploadDestination = (accountId: AccountId | null): string | null => {
  const { t } = useLocale();
  const connection = useApp((app) => app.connection);
  const accounts = useApp((app) => app.accounts);
  const server = serverOf(accountId, { connection, accounts });
  if (server === null) return null;
  return server === 'this-computer' ? t.panels.toast.thisComputer : server.host;
};
