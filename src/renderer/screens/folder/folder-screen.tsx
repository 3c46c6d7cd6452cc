/** Screen for the review of a folder before it is shared: included and excluded files, limits, and the share button. */
import { ArrowLeft, FolderOpen, FolderX, RefreshCw, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { SourceToken } from '../../../api/ids.ts';
import type { FolderPreview } from '../../../common/folder/folder-preview.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { EmptyState } from '../../components/indicators/empty-state.tsx';
import { ProgressBar } from '../../components/indicators/progress.tsx';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { isWaiting, type WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useAppStores, useMainSection, usePendingFolders } from '../../stores/use-app-stores.tsx';
import { ExcludedFilesCard, LinkCard, TotalsCard } from './folder-cards.tsx';
import styles from './folder-screen.module.css';
import { FolderSwitcher } from './folder-switcher.tsx';
import { ShareBar } from './share-bar.tsx';
import { biggest, reasonsOf, type Shown, treeOf } from './tree-model.ts';
import { TreePane } from './tree-pane.tsx';
import { useShareBlocker } from './use-share-blocker.ts';

/** Progress of a folder scan, with a cancel button. */
const ScanProgress = ({ folder: { token, name, progress } }: { readonly folder: WaitingFolder }) => {
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

interface FolderViewProps {
  readonly folder: WaitingFolder;
  readonly preview: FolderPreview;
}

/** Number of folders named when the folder is too large. */
const NAMED = 3;

/** A folder after the scan: tree, totals, excluded files, link settings and the share button. */
const FolderView = ({ folder, preview }: FolderViewProps) => {
  const { t, format, failure: describe } = useLocale();
  const root = useMemo(() => treeOf(preview), [preview]);
  const reasons = useMemo(() => reasonsOf(preview.skipped), [preview]);
  const [shown, setShown] = useState<Shown>('all');
  const [text, setText] = useState('');
  const blocker = useShareBlocker(preview);
  const query = useDeferredValue(
    useMemo(() => ({ shown, text: text.trim().normalize('NFC').toLowerCase() }), [shown, text]),
  );
  const large = biggest(root, NAMED).map(({ name, size }) => `${name} (${format.bytes(size)})`);

  return (
    <>
      <ShareBar folder={folder} preview={preview} reason={blocker?.short ?? null} />
      {blocker && (
        <Alert
          tone={blocker.kind === 'empty' ? 'warn' : 'bad'}
          title={blocker.title}
          sentences={[
            ...(blocker.kind === 'limit' && large.length > 0 ? [t.folder.over.biggest(format.list(large))] : []),
            blocker.advice,
          ]}
        />
      )}
      {folder.failure && folder.failure.code !== 'CANCELLED' && (
        <div role="alert">
          <Alert
            tone="bad"
            title={describe(folder.failure).title}
            sentences={[describe(folder.failure).advice]}
            failure={folder.failure}
          />
        </div>
      )}
      {preview.gitignore === 'complex' && (
        <Alert tone="warn" title={t.folder.ignoreUnsure} sentences={[t.folder.complexIgnore]} />
      )}
      {folder.mayMissRules && <Alert tone="warn" title={t.folder.ignoreUnsure} sentences={[t.folder.missedIgnore]} />}
      <div className={styles.columns}>
        <TreePane
          name={preview.name}
          root={root}
          query={query}
          shown={shown}
          text={text}
          onShow={setShown}
          onText={setText}
        />
        <div className={styles.aside}>
          <TotalsCard preview={preview} />
          <ExcludedFilesCard reasons={reasons} preview={preview} shown={shown} onShow={setShown} />
          <LinkCard folder={folder} />
        </div>
      </div>
    </>
  );
};

export const FolderScreen = ({ token }: { readonly token: SourceToken }) => {
  const { view, folders } = useAppStores();
  const { t } = useLocale();
  const place = useMainSection();
  const all = usePendingFolders();
  const waiting = all.filter(isWaiting);
  const folder = all.find((known) => known.token === token);
  useEffect(() => folders.ensure(token), [folders, token]);
  return (
    <div className={styles.screen}>
      <div className={styles.back}>
        <Button tone="quiet" icon={ArrowLeft} onPress={view.back}>
          {t.app[place]}
        </Button>
      </div>
      <header className={styles.head}>
        <h1 className={styles.name} title={folder?.name ?? undefined}>
          {folder?.name ?? t.folder.screen}
        </h1>
        {folder?.state !== 'lost' && <p className={styles.lead}>{t.folder.lead}</p>}
      </header>
      {waiting.length > 1 && <FolderSwitcher folders={waiting} shown={token} />}
      {folder && <Stage folder={folder} />}
    </div>
  );
};

const Stage = ({ folder }: { readonly folder: WaitingFolder }) => {
  const { token, state, preview, failure } = folder;
  if (state === 'reading') return <ScanProgress folder={folder} />;
  if (!preview || state === 'lost') return failure ? <LostFolder folder={folder} /> : null;
  if (preview.files === 0 && preview.skipped.length === 0) return <EmptyFolder token={token} />;
  return <FolderView folder={folder} preview={preview} />;
};

/** The folder contains no files. */
const EmptyFolder = ({ token }: { readonly token: SourceToken }) => {
  const { folders } = useAppStores();
  const { chooseFolder } = useFileInput();
  const { t } = useLocale();
  return (
    <EmptyState icon={FolderX} title={t.folder.empty} text={t.folder.emptyText}>
      <div className={styles.actions}>
        <Button onPress={() => folders.remove(token)}>{t.folder.decline}</Button>
        <Button
          tone="primary"
          icon={FolderOpen}
          onPress={() => {
            folders.remove(token);
            chooseFolder();
          }}
        >
          {t.folder.choose}
        </Button>
      </div>
    </EmptyState>
  );
};

const LostFolder = ({ folder: { token, failure } }: { readonly folder: WaitingFolder }) => {
  const { folders } = useAppStores();
  const { chooseFolder } = useFileInput();
  const { t, failure: describe } = useLocale();
  if (!failure) return null;
  const isGone = failure.code === 'COMMAND_INVALID';
  const text = describe(failure);
  return (
    <div role="alert">
      <Alert
        tone={isGone ? 'plain' : 'bad'}
        title={isGone ? t.folder.lost.title : text.title}
        sentences={[isGone ? t.folder.lost.text : text.advice]}
        {...(!isGone && { failure })}
      >
        {!isGone && (
          <Button tone="primary" icon={RefreshCw} onPress={() => folders.rescan(token)}>
            {t.folder.again}
          </Button>
        )}
        <Button
          icon={FolderOpen}
          tone={isGone ? 'primary' : 'outline'}
          onPress={() => {
            folders.remove(token);
            chooseFolder();
          }}
        >
          {t.folder.choose}
        </Button>
      </Alert>
    </div>
  );
};
