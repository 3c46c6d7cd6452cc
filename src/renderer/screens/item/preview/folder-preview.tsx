/**
 * Lists the files of a shared folder with a preview of the selected one. The tree consists of native disclosures and
 * buttons, so their usual keys work.
 */

import { ChevronRight, File as FileIcon, Folder } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Result } from '../../../../api/errors.ts';
import type { ItemId } from '../../../../api/ids.ts';
import { baseName, type TreeFile, type TreeFolder, treeOf } from '../../../../common/folder/file-tree.ts';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import type { Source } from '../../../rendering/render-text.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './folder-preview.module.css';
import { LoadFailure } from './load-failure.tsx';
import frame from './preview.module.css';
import { RenderedText } from './rendered-text.tsx';

/** Folders start expanded up to this number of entries. */
const OPEN_MAX = 60;

export const FolderPreview = ({ item: { id } }: { readonly item: LibraryItem }) => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.item.preview;
  const [read, setRead] = useState<Result<readonly TreeFile[]> | null>(null);
  const [tries, setTries] = useState(0);
  const [chosen, setChosen] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    let isCurrent = true;
    void engine.ask('library.folder', { id }).then((answer) => {
      if (isCurrent) setRead(answer.ok ? { ok: true, value: answer.value.files } : answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, id, tries]);

  const files = read?.ok ? read.value : [];
  const tree = useMemo(() => treeOf(files), [files]);
  if (read === null) return <p className={frame.loading}>{words.loading}</p>;
  if (!read.ok) return <LoadFailure failure={read.error} onRetry={() => setTries(tries + 1)} />;
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
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.item.preview;
  const [text, setText] = useState<Result<string> | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    let isCurrent = true;
    void engine.ask('library.folderFile', { id, path }).then((answer) => {
      if (isCurrent) setText(answer.ok ? { ok: true, value: answer.value.text } : answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, id, path, tries]);

  const source = useMemo(
    (): Source | null => (text?.ok ? { kind: 'file', path, text: text.value } : null),
    [path, text],
  );
  if (text?.ok === false) return <LoadFailure failure={text.error} onRetry={() => setTries(tries + 1)} />;
  if (source === null) return <p className={frame.loading}>{words.loading}</p>;
  return <RenderedText label={words.file(path)} source={source} />;
};
