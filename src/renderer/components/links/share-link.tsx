/** Opens the system's share sheet with a link, in browsers that have one. */

import { Share2 } from 'lucide-react';
import type { ItemId } from '../../../api/ids.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { PlainButton } from '../buttons/plain-button.tsx';

interface ShareLinkProps {
  readonly id: ItemId;
  readonly name: string;
  readonly url: string;
}

export const ShareLink = ({ id, name, url }: ShareLinkProps) => {
  const { links, toasts } = useAppStores();
  const { t } = useLocale();
  const shared = { title: name, url };
  // Electron has neither; some browsers have the first alone.
  if (navigator.canShare?.(shared) !== true) return null;
  const share = async (): Promise<void> => {
    try {
      await navigator.share(shared);
    } catch (error) {
      // Closing the sheet is no error; where the system refuses, the link is copied instead.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      if (await links.copy(id, url)) toasts.show({ kind: 'linkCopied', id, name });
    }
  };
  return <PlainButton icon={Share2} label={t.link.shareNamed(name)} onPress={() => void share()} />;
};
