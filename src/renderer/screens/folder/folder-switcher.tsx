/** Navigation to the folders that the user has added but not shared yet. Each button opens the review of one folder. */

import { Folder } from 'lucide-react';
import type { SourceToken } from '../../../api/ids.ts';
import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './folder-screen.module.css';

interface WaitingProps {
  readonly folders: readonly WaitingFolder[];
  /** Null: none of them is shown. */
  readonly shown: SourceToken | null;
}

export const FolderSwitcher = ({ folders, shown }: WaitingProps) => {
  const { view } = useAppStores();
  const { t } = useLocale();
  return (
    <nav className={styles.waiting} aria-label={t.folder.screen}>
      <p className={styles.waitingTitle}>{t.folder.several(folders.length)}</p>
      <ul className={styles.waitingList} aria-label={t.folder.several(folders.length)}>
        {folders.map(({ token, name }) => (
          <li key={token} className={styles.waitingItem}>
            <Button
              icon={Folder}
              tone="outline"
              {...(token === shown && { 'aria-current': 'page' })}
              onPress={() => view.open({ screen: 'folder', token })}
            >
              <span className={styles.waitingName}>{name ?? t.folder.unnamed}</span>
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  );
};
