/**
 * Lists the files of a shared folder with a preview of the selected one. The tree consists of native disclosures and
 * buttons, so their usual keys work.
 */

import { ChevronRight, File as FileIcon, Folder } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ItemId } from '../../../../api/ids.ts';
import { baseName, type TreeFolder, treeOf } from '../../../../common/folder/file-tree.ts';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import type { Source } from '../../../rendering/render-text.ts';
import { useHostAnswer } from '../../../stores/use-host-answer.ts';
import styles from './folder-preview.module.css';
import { LoadFailure } from './load-failure.tsx';
import frame from './preview.module.css';
import { RenderedText } from './rendered-text.tsx';

/** Folders start expanded up to this number of entries. */
const OPEN_MAX = 60;

export const FolderPreview = ({ item: { id } }: { readonly item: LibraryItem }) => {
  const { t, format } = useLocale();
  const words = t.item.preview;
  const { answer, askAgain } = useHostAnswer('library.folder', { id });
  const [chosen, setChosen] = useState<string | null>(null);

  const files = answer?.ok ? answer.value.files : [];
  const tree = useMemo(() => treeOf(files), [files]);
  if (answer === null) return <p className={frame.loading}>{words.loading}</p>;
  if (!answer.ok) return <LoadFailure failure={answer.error} onRetry={askAgain} />;
  return (
    <>
      <div className={frame.bar}>
        <span className={frame.title}>
          {words.files(files.length)} · {format.bytes(tree.size)}
        </span>
      </div>
      <div className={styles.parts}>
        <nav className={styles.tree} aria-label={words.tree}>
          <Rows
            label={words.tree}
            folder={tree}
            isOpen={files.length <= OPEN_MAX}
            chosen={chosen}
            onChoose={setChosen}
          />
        </nav>
        <div className={styles.file}>
          {chosen === null ? (
            <p className={frame.loading}>{words.pickFile}</p>
          ) : (
            <FileView key={chosen} id={id} path={chosen} />
          )}
        </div>
      </div>
    </>
  );
};

interface RowsProps {
  /** Accessible name of the list. */
  readonly label: string;
  readonly folder: TreeFolder;
  readonly isOpen: boolean;
  readonly chosen: string | null;
  readonly onChoose: (path: string) => void;
}

const Rows = ({ label, folder, isOpen, chosen, onChoose }: RowsProps) => {
  const { format } = useLocale();
  return (
    <ul className={styles.rows} aria-label={label}>
      {folder.folders.map((inside) => (
        <li key={inside.path}>
          <details open={isOpen}>
            <summary className={styles.row}>
              <ChevronRight className={styles.chevron} size={14} aria-hidden />
              <Folder size={16} aria-hidden />
              <span className={styles.name}>{inside.name}</span>
              <span className={styles.size}>{format.bytes(inside.size)}</span>
            </summary>
            <Rows label={inside.name} folder={inside} isOpen={isOpen} chosen={chosen} onChoose={onChoose} />
          </details>
        </li>
      ))}
      {folder.files.map(({ path, size }) => (
        <li key={path}>
          <button
            type="button"
            className={cx(styles.row, path === chosen && styles.chosen)}
            aria-pressed={path === chosen}
            onClick={() => onChoose(path)}
          >
            <FileIcon size={16} aria-hidden />
            <span className={styles.name}>{baseName(path)}</span>
            <span className={styles.size}>{format.bytes(size)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
};

const FileView = ({ id, path }: { readonly id: ItemId; readonly path: string }) => {
  const { t } = useLocale();
  const words = t.item.preview;
  const { answer, askAgain } = useHostAnswer('library.folderFile', { id, path });

  const source = useMemo(
    (): Source | null => (answer?.ok ? { kind: 'file', path, text: answer.value.text } : null),
    [path, answer],
  );
  if (answer?.ok === false) return <LoadFailure failure={answer.error} onRetry={askAgain} />;
  if (source === null) return <p className={frame.loading}>{words.loading}</p>;
  return <RenderedText label={words.file(path)} source={source} />;
};
