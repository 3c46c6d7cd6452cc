/** Confirmation before an account is removed from this computer; explains what happens to its items. */

import type { AccountConnection } from '../../../../ipc/protocol/state.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp } from '../../../stores/use-app-stores.tsx';
import { InlineConfirm } from '../inline-confirm.tsx';

interface RemoveQuestionProps {
  readonly connection: AccountConnection;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

export const RemoveQuestion = ({ connection, ...answers }: RemoveQuestionProps) => {
  const { t } = useLocale();
  const words = t.settingsMore.account;
  const user = connection.account?.user;
  const items = useApp(({ queue }) => queue.items);
  const waiting = items.filter(({ state, accountId }) => state !== 'linked' && accountId === user?.id).length;
  return (
    <InlineConfirm
      text={words.removeAsk(user?.name || user?.username || connection.server)}
      more={[words.removeKept, ...(waiting > 0 ? [words.removeWaiting(waiting)] : [])]}
      yes={words.removeYes}
      no={words.removeNo}
      {...answers}
    />
  );
};
