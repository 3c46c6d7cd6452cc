/** Drop zone with buttons for choosing and pasting. */

import { ClipboardPaste, File, Folder, SquarePen, Upload } from 'lucide-react';
import { Button } from '../../components/buttons/button.tsx';
import { cx } from '../../design/cx.ts';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './drop-card.module.css';

/** `compact`: other content is shown below. */
export const DropCard = ({ look }: { readonly look: 'inviting' | 'compact' }) => {
  const { t } = useLocale();
  const { view } = useAppStores();
  const { choose, chooseFolder, paste } = useFileInput();
  return (
    <section className={cx(styles.card, styles[look])}>
      <span className={styles.icon}>
        <Upload size={24} strokeWidth={1.6} aria-hidden />
      </span>
      <div className={styles.words}>
        <h1 className={styles.title}>{t.intake.title}</h1>
        <p className={styles.hint}>{t.intake.hint}</p>
      </div>
      <div className={styles.actions}>
        <Button tone="primary" icon={File} onPress={choose}>
          {t.intake.choose}
        </Button>
        <Button icon={Folder} onPress={chooseFolder}>
          {t.folder.choose}
        </Button>
        <Button icon={ClipboardPaste} onPress={() => void paste()}>
          {t.intake.paste}
        </Button>
        <Button tone="quiet" icon={SquarePen} onPress={() => view.open({ screen: 'note', id: null })}>
          {t.note.write}
        </Button>
      </div>
    </section>
  );
};
