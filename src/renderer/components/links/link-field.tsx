/** The link of a published item: selectable with one click, with Copy, Share and Open buttons. */

import type { ItemId } from '../../../api/ids.ts';
import { useLocale } from '../../locales/locale.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './link-field.module.css';
import { OpenLink } from './open-link.tsx';
import { ShareLink } from './share-link.tsx';

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
