/**
 * Bar above a picture with the progress or result of its text recognition, and a button that selects all of the text.
 */
import { CheckCheck, X } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/buttons/button.tsx';
import { ProgressBar } from '../../../components/indicators/progress.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { mayHaveMissedRussian } from '../../../picture-text/may-have-missed-russian.ts';
import type { ItemTextState } from '../../../stores/published/item-text-recognition.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './picture-text-bar.module.css';

interface Props {
  readonly text: Exclude<ItemTextState, { state: 'off' }>;
  readonly onSelectAll: () => void;
}

export const PictureTextBar = ({ text, onSelectAll }: Props) => {
  const { itemText } = useAppStores();
  const { t, format, failure, language } = useLocale();
  const [isAll, setAll] = useState(false);
  const words = t.pictureText;
  if (text.state === 'failed') {
    const { title, advice } = failure(text.failure);
    return (
      <div className={styles.bar} role="alert">
        <Alert tone="warn" title={title} sentences={[advice]} failure={text.failure}>
          <Button onPress={() => void itemText.show(text.id)}>{t.item.preview.retry}</Button>
        </Alert>
      </div>
    );
  }
  if (text.state === 'reading') {
    return (
      <div className={styles.bar}>
        <p role="status">{words.reading}</p>
        <div className={styles.progress}>
          <ProgressBar
            label={words.progress}
            valueText={format.percent(text.part ?? 0)}
            fraction={text.part}
            tone="moving"
          />
        </div>
        <Button tone="quiet" icon={X} onPress={itemText.hide}>
          {words.cancel}
        </Button>
      </div>
    );
  }
  const count = text.content.words.length;
  const missing = mayHaveMissedRussian(text.content, language) ? ` ${words.withoutRussian}` : '';
  return (
    <div className={styles.bar}>
      <p role="status">
        {(count === 0 ? words.nothingToSelect : isAll ? words.allSelected : words.selectable(count)) + missing}
      </p>
      {count > 0 && (
        <Button
          icon={CheckCheck}
          onPress={() => {
            setAll(true);
            onSelectAll();
          }}
        >
          {words.selectAll}
        </Button>
      )}
    </div>
  );
};
