/** Progress of a folder scan, with a cancel button. */

import { X } from 'lucide-react';
import { Button } from '../../components/buttons/button.tsx';
import { ProgressBar } from '../../components/indicators/progress.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './folder-screen.module.css';

export const ScanProgress = ({ folder: { token, name, progress } }: { readonly folder: WaitingFolder }) => {
  const { folders } = useAppStores();
  const { t } = useLocale();
  const words = t.folder.reading;
  const { files, share } = progress;
  const text = share === null ? words.counting(files) : words.judging(files);
  return (
    <section className={styles.reading}>
      <p className={styles.readingText} role="status">
        {text}
      </p>
      <Button icon={X} onPress={() => folders.remove(token)}>
        {words.stop}
      </Button>
      <div className={styles.readingBar}>
        <ProgressBar label={words.label(name ?? t.folder.unnamed)} valueText={text} fraction={share} tone="moving" />
      </div>
    </section>
  );
};
