/**
 * Chooses the preview by the kind of the item. An item that is deleted, about to be deleted or expired is shown by its
 * stored thumbnail.
 */

import { ImageOff } from 'lucide-react';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useItemThumbnail } from '../../../stores/use-app-stores.tsx';
import { FolderPreview } from './folder-preview.tsx';
import { NotePreview } from './note-preview.tsx';
import { PicturePreview } from './picture-preview.tsx';
import styles from './preview.module.css';
import { VideoPreview } from './video-preview.tsx';

interface PreviewProps {
  readonly item: LibraryItem;
  /** No longer on the service. */
  readonly isGone: boolean;
}

export const ItemPreview = ({ item, isGone }: PreviewProps) => {
  const { t } = useLocale();
  return (
    <section className={styles.preview} aria-label={t.item.preview.title}>
      {isGone ? <Remains item={item} /> : <Living item={item} />}
    </section>
  );
};

const Living = ({ item }: { readonly item: LibraryItem }) => {
  switch (item.content.type) {
    case 'IMAGE':
      return <PicturePreview item={item} />;
    case 'VIDEO':
      return <VideoPreview item={item} />;
    case 'PASTE':
      return <NotePreview item={item} />;
    case 'FOLDER':
      return <FolderPreview item={item} />;
    default:
      return null;
  }
};

/** The thumbnail stored on this computer. */
const Remains = ({ item: { id, content } }: { readonly item: LibraryItem }) => {
  const { t } = useLocale();
  return (
    <div className={styles.remains}>
      <span className={styles.small}>
        <Thumbnail {...useItemThumbnail(id)} kind={content.type} size="fill" />
      </span>
      <p>
        <ImageOff size={16} aria-hidden />
        {t.item.preview.none}
      </p>
    </div>
  );
};
