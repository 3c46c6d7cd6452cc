/** Hook that describes the state of the item of a capture toast. */
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { ItemView } from '../../stores/queue/item-view.ts';
import { useApp, useIsCopied } from '../../stores/use-app-stores.tsx';

/** The state as text, including whether the link was copied already. */
export const useStateText = (item: QueueItem, view: ItemView): string => {
  const { t } = useLocale();
  const byPage = useIsCopied(item.id);
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  const isCopied = item.state === 'linked' && (byHost ? item.isCopied : byPage);
  return t.queue.phase[isCopied ? 'delivered' : view.phase];
};
