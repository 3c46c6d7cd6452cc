/** Sticky bar with the button that shares a folder, or the reason why it cannot be shared. */

import { Upload, X } from 'lucide-react';
import { useId } from 'react';
import type { FolderPreview } from '../../../common/folder/folder-preview.ts';
import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './folder-screen.module.css';

interface ShareBarProps {
  readonly folder: WaitingFolder;
  readonly preview: FolderPreview;
  /** Why it cannot be shared; null: it can. */
  readonly reason: string | null;
}

export const ShareBar = ({ folder, preview, reason }: ShareBarProps) => {
  const { folders } = useAppStores();
  const { t, format } = useLocale();
  const id = useId();
  const { token, state, sentFraction } = folder;
  const { files, textBytes, skippedFiles, uncountedFolders } = preview;
  const out = t.folder.out.count(skippedFiles, uncountedFolders);
  const isSharing = state === 'sharing' || state === 'queuing';
  return (
    <div className={styles.bar}>
      <p className={styles.barText} id={id}>
        {reason ??
          (isSharing
            ? t.folder.sharing(format.percent(sentFraction))
            : out === ''
              ? t.folder.out.none
              : t.folder.stays(out))}
      </p>
      {isSharing ? (
        <Button icon={X} onPress={() => folders.stopSharing(token)}>
          {t.folder.reading.stop}
        </Button>
      ) : (
        <Button onPress={() => folders.remove(token)}>{t.folder.decline}</Button>
      )}
      {reason !== null ? (
        <Button tone="primary" aria-describedby={id} onPress={() => folders.rescan(token)}>
          {t.folder.again}
        </Button>
      ) : (
        <Button
          tone="primary"
          icon={Upload}
          isPending={isSharing}
          aria-describedby={id}
          onPress={() => void folders.share(token)}
        >
          {t.folder.share(files, format.bytes(textBytes))}
        </Button>
      )}
    </div>
  );
};
