/**
 * The action buttons of a published item: copy and open the link, edit a note, copy the text of a picture, delete,
 * undo.
 */

import { ScanText, SquarePen, Trash2, Undo2 } from 'lucide-react';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import { Button } from '../../components/buttons/button.tsx';
import { PlainButton } from '../../components/buttons/plain-button.tsx';
import { CopyButton, type CopyButtonSize } from '../../components/links/copy-button.tsx';
import { OpenLink } from '../../components/links/open-link.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { titleOf } from '../../stores/published/item-title.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './item-actions.module.css';

interface ItemActionsProps {
  readonly item: LibraryItem;
  readonly size: CopyButtonSize;
}

export const ItemActions = ({ item, size }: ItemActionsProps) => {
  const { pictureText, removal, view } = useAppStores();
  const { t } = useLocale();
  const { id, content, goneAt, deletingAt } = item;
  const title = titleOf(item);
  if (deletingAt !== null) {
    return (
      <div className={styles.actions}>
        <Button icon={Undo2} onPress={() => void removal.undo([id])} aria-label={t.library.undoNamed(title)}>
          {t.library.undo}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      {/* First, so that the actions all items have are aligned. */}
      {goneAt === null && (
        <span className={styles.ofKind}>
          {content.type === 'PASTE' && (
            <PlainButton
              icon={SquarePen}
              label={t.note.editNamed(title)}
              onPress={() => view.open({ screen: 'note', id })}
            />
          )}
          {content.type === 'IMAGE' && (
            <PlainButton
              icon={ScanText}
              label={t.pictureText.copyTextOf(title)}
              onPress={() => void pictureText.copyFrom({ from: 'item', id })}
            />
          )}
        </span>
      )}
      {goneAt === null && <CopyButton id={id} name={title} url={content.url} size={size} />}
      {goneAt === null && <OpenLink id={id} name={title} url={content.url} />}
      <PlainButton
        icon={Trash2}
        label={goneAt === null ? t.library.deleteNamed(title) : t.library.forgetNamed(title)}
        onPress={() => void (goneAt === null ? removal.remove([id]) : removal.forget([id]))}
      />
    </div>
  );
};
