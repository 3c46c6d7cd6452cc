/** A file that the page is still reading, before it enters the queue. */

import { RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { MetaLine } from '../../../components/indicators/meta-line.tsx';
import { ProgressBar } from '../../../components/indicators/progress.tsx';
import { kindOfName, Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { Advice } from '../../../components/overlays/advice.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { PendingFile } from '../../../stores/file-input/pending-files.ts';
import { remediesOf } from '../../../stores/queue/item-view.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import { FitChoiceCard } from '../fit/fit-choice.tsx';
import styles from './row.module.css';

export const PendingFileRow = memo(({ offer: file }: { readonly offer: PendingFile }) => {
  const { pendingFiles } = useAppStores();
  const { t, format, failure: describe } = useLocale();
  const { id, name, size, sentBytes, state, failure } = file;
  const fraction = size === 0 ? 0 : sentBytes / size;
  const text = failure && describe(failure);
  const words = t.intake.states[state];
  const isMoving = state === 'waiting' || state === 'sending';
  const amount = t.intake.received(format.bytes(sentBytes), format.bytes(size));

  return (
    <li className={styles.row}>
      <Thumbnail src={null} kind={kindOfName(name)} />
      <div>
        <p className={styles.name} title={name}>
          {name}
        </p>
        <MetaLine facts={text ? [format.bytes(size)] : [words, isMoving ? amount : format.bytes(size)]} />
      </div>
      {(isMoving || text) && (
        <div className={styles.bar}>
          <ProgressBar
            label={t.queue.progress(name)}
            valueText={`${words}, ${format.percent(fraction)}`}
            fraction={fraction}
            tone={text ? 'bad' : 'still'}
          />
        </div>
      )}
      <div className={styles.actions}>
        <IconButton icon={X} label={t.intake.cancel(name)} onPress={() => pendingFiles.cancel(id)} />
      </div>
      {state === 'asking' && <FitChoiceCard offer={file} />}
      {text && failure && (
        <div className={styles.trouble} role="alert">
          <VisuallyHidden>{name}</VisuallyHidden>
          <Advice tone="bad" title={text.title} sentences={[t.intake.keptNothing, text.advice]} failure={failure}>
            {remediesOf(failure).includes('retry') && (
              <Button tone="primary" icon={RotateCcw} onPress={() => pendingFiles.retry(id)}>
                {t.intake.retry}
              </Button>
            )}
            <Button onPress={() => pendingFiles.cancel(id)}>{t.intake.remove}</Button>
          </Advice>
        </div>
      )}
    </li>
  );
});
