/** Excluded files grouped by reason. Pressing a reason shows its files in the tree. */

import { ShieldCheck } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import type { FolderPreview } from '../../../common/folder/preview.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Card } from '../settings/card.tsx';
import styles from './excluded-files-card.module.css';
import { REASON_ICONS } from './reason-icons.ts';
import type { ReasonSum, Shown } from './tree.ts';

interface ExcludedFilesCardProps {
  readonly reasons: readonly ReasonSum[];
  readonly preview: FolderPreview;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

export const ExcludedFilesCard = ({ reasons, preview, shown, onShow }: ExcludedFilesCardProps) => {
  const { t, format } = useLocale();
  const words = t.folder.out;
  const secrets = reasons.find(({ reason }) => reason === 'secret');
  return (
    <Card title={words.title}>
      {secrets && (
        <p className={styles.secrets}>
          <ShieldCheck size={18} aria-hidden />
          {words.secrets(secrets.files + secrets.folders)}
        </p>
      )}
      {reasons.length === 0 ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <ul className={styles.reasons} aria-label={words.count(preview.skippedFiles, preview.uncountedFolders)}>
          {reasons.map(({ reason, files, folders, size }) => {
            const Icon = REASON_ICONS[reason];
            const { title, text } = words.reasons[reason];
            const amount = [words.count(files, folders), ...(size > 0 ? [format.bytes(size)] : [])].join(' · ');
            return (
              <li key={reason}>
                <ToggleButton
                  className={cx(styles.reason)}
                  isSelected={shown === reason}
                  onChange={(isChosen) => onShow(isChosen ? reason : 'all')}
                >
                  <Icon className={cx(styles.icon, reason === 'secret' && styles.safe)} size={16} aria-hidden />
                  <span className={styles.title}>{title}</span>
                  <span className={styles.amount}>{amount}</span>
                  <span className={styles.text}>{text}</span>
                </ToggleButton>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
};
