/**
 * The cards beside the tree of a folder: its size and limits, the excluded files by reason, and the settings of its
 * link.
 */

import { ShieldCheck } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { LIMITS } from '../../../api/limits.ts';
import type { FolderPreview } from '../../../common/folder/folder-preview.ts';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Meter } from '../../components/indicators/progress.tsx';
import { LinkOptions } from '../../components/links/link-options.tsx';
import { resolvedShare } from '../../components/links/unpublished-link-settings.ts';
import { usePlannedLink } from '../../components/links/use-planned-link.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { titleOf, type WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import excludedFilesCardStyles from './excluded-files-card.module.css';
import { EXCLUSION_REASON_ICONS } from './exclusion-reason-icons.ts';
import styles from './folder-cards.module.css';
import type { ReasonSum, Shown } from './tree-model.ts';
import { useFreeAccountStorage } from './use-free-account-storage.ts';

interface Line {
  readonly label: string;
  readonly words: string;
  readonly fraction: number;
}

/** Usage of each limit by the folder, as bars with numbers. */
export const TotalsCard = ({ preview }: { readonly preview: FolderPreview }) => {
  const { t, format } = useLocale();
  const words = t.folder.totals;
  const freeBytes = useFreeAccountStorage();
  const { files, textBytes, archiveBytesAtMost, refusal, unread } = preview;
  const line = (
    label: string,
    value: number,
    most: number,
    write: (value: number) => string,
    isOver = value > most,
    of = words.of,
  ): Line => ({
    label,
    words: isOver ? words.more(write(most)) : of(write(value), write(most)),
    fraction: most === 0 ? 1 : Math.min(1, value / most),
  });
  const lines = [
    line(words.files, files, LIMITS.folderFiles, format.number, refusal?.code === 'FOLDER_TOO_MANY_FILES'),
    line(words.text, textBytes, LIMITS.folderTextBytes, format.bytes, refusal?.code === 'FOLDER_TOO_LARGE'),
    line(words.archive, archiveBytesAtMost, LIMITS.folderArchiveBytes, format.bytes),
    ...(freeBytes === null
      ? []
      : [line(words.room, textBytes, freeBytes, format.bytes, textBytes > freeBytes, words.ofFree)]),
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

interface ExcludedFilesCardProps {
  readonly reasons: readonly ReasonSum[];
  readonly preview: FolderPreview;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

/** Excluded files grouped by reason. Pressing a reason shows its files in the tree. */
export const ExcludedFilesCard = ({ reasons, preview, shown, onShow }: ExcludedFilesCardProps) => {
  const { t, format } = useLocale();
  const words = t.folder.out;
  const secrets = reasons.find(({ reason }) => reason === 'secret');
  return (
    <Card title={words.title}>
      {secrets && (
        <p className={excludedFilesCardStyles.secrets}>
          <ShieldCheck size={18} aria-hidden />
          {words.secrets(secrets.files + secrets.folders)}
        </p>
      )}
      {reasons.length === 0 ? (
        <p className={excludedFilesCardStyles.none}>{words.none}</p>
      ) : (
        <ul
          className={excludedFilesCardStyles.reasons}
          aria-label={words.count(preview.skippedFiles, preview.uncountedFolders)}
        >
          {reasons.map(({ reason, files, folders, size }) => {
            const Icon = EXCLUSION_REASON_ICONS[reason];
            const { title, text } = words.reasons[reason];
            const amount = [words.count(files, folders), ...(size > 0 ? [format.bytes(size)] : [])].join(' · ');
            return (
              <li key={reason}>
                <ToggleButton
                  className={cx(excludedFilesCardStyles.reason)}
                  isSelected={shown === reason}
                  onChange={(isChosen) => onShow(isChosen ? reason : 'all')}
                >
                  <Icon
                    className={cx(excludedFilesCardStyles.icon, reason === 'secret' && excludedFilesCardStyles.safe)}
                    size={16}
                    aria-hidden
                  />
                  <span className={excludedFilesCardStyles.title}>{title}</span>
                  <span className={excludedFilesCardStyles.amount}>{amount}</span>
                  <span className={excludedFilesCardStyles.text}>{text}</span>
                </ToggleButton>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
};

/** Link settings of the folder. */
export const LinkCard = ({ folder }: { readonly folder: WaitingFolder }) => {
  const { folders } = useAppStores();
  const { t } = useLocale();
  const { token, link, state } = folder;
  const planned = usePlannedLink(link);
  return (
    <Card title={t.folder.link.title}>
      <TextField
        label={t.folder.link.name}
        name="title"
        autoComplete="off"
        maxLength={LIMITS.titleMaxCharacters}
        value={titleOf(folder)}
        isDisabled={state === 'queuing'}
        onChange={(title) => folders.setLink(token, { title })}
        error={null}
      />
      <LinkOptions
        value={planned}
        isDisabled={state === 'queuing'}
        onChange={(change) => folders.setLink(token, { link: resolvedShare(link, change, planned) })}
      />
    </Card>
  );
};
