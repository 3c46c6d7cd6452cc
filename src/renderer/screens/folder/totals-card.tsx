/** Usage of each limit by the folder, as bars with numbers. */

import { LIMITS } from '../../../api/limits.ts';
import type { FolderPreview } from '../../../common/folder/preview.ts';
import { Meter } from '../../components/indicators/progress.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { Card } from '../settings/card.tsx';
import styles from './totals-card.module.css';
import { useFreeSpace } from './use-share-blocker.ts';

interface Line {
  readonly label: string;
  readonly words: string;
  readonly fraction: number;
}

export const TotalsCard = ({ preview }: { readonly preview: FolderPreview }) => {
  const { t, format } = useLocale();
  const words = t.folder.totals;
  const freeBytes = useFreeSpace();
  const { files, textBytes, archiveBytesAtMost, refusal, unread } = preview;
  const line = (
    label: string,
    value: number,
    most: number,
    write: (value: number) => string,
    isOver = value > most,
  ): Line => ({
    label,
    words: isOver ? words.more(write(most)) : words.of(write(value), write(most)),
    fraction: most === 0 ? 1 : Math.min(1, value / most),
  });
  const lines = [
    line(words.files, files, LIMITS.folderFiles, format.number, refusal?.code === 'FOLDER_TOO_MANY_FILES'),
    line(words.text, textBytes, LIMITS.folderTextBytes, format.bytes, refusal?.code === 'FOLDER_TOO_LARGE'),
    line(words.archive, archiveBytesAtMost, LIMITS.folderArchiveBytes, format.bytes),
    ...(freeBytes === null ? [] : [line(words.room, textBytes, freeBytes, format.bytes)]),
  ];
  return (
    <Card title={words.title}>
      <dl className={styles.lines}>
        {lines.map(({ label, words: value, fraction }) => (
          <div key={label} className={styles.line}>
            <dt>{label}</dt>
            <dd className={styles.value}>{value}</dd>
            <dd className={styles.bar}>
              <Meter label={label} valueText={value} fraction={fraction} />
            </dd>
          </div>
        ))}
      </dl>
      {unread > 0 && <p className={styles.unread}>{words.unread(unread)}</p>}
    </Card>
  );
};
