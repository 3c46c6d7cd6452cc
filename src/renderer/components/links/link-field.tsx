/**
 * Field with the link of a published item, selected with one click. Has Copy and Open buttons, and a Share button where
 * the browser supports sharing.
 */

import { Share2 } from 'lucide-react';
import type { ItemId } from '../../../api/ids.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { PlainButton } from '../buttons/plain-button.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './link-field.module.css';
import { OpenLink } from './open-link.tsx';

interface LinkFieldProps {
  readonly id: ItemId;
  readonly name: string;
  readonly url: string;
}

export const LinkField = (link: LinkFieldProps) => {
  const { t } = useLocale();
  return (
    <div className={styles.row}>
      <input
        className={styles.field}
        readOnly
        value={link.url}
        aria-label={t.link.field(link.name)}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton {...link} />
      <ShareLink {...link} />
      <OpenLink {...link} />
    </div>
  );
};

/** Opens the system's share sheet, in browsers that have one. */
const ShareLink = ({ id, name, url }: LinkFieldProps) => {
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
